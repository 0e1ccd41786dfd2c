use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<u32>, mut out: DisjointBuffer<u32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let values = input.as_slice();
        *out = if let Some(&first) = values.first()
            && first > 3
            && let Some(&second) = values.get(first as usize)
        {
            second
        } else {
            0
        };
    }
}
