use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<[u32; 6]>, mut out: DisjointBuffer<[u32; 6]>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let x = input.as_slice()[index.get()];
        let mut values = x;
        let (left, right) = values.split_at_mut(3);
        left.swap_with_slice(right);
        left[0] += right[2];
        *out = values;
    }
}
