use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<u32>, mut out: DisjointBuffer<u32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let values = input.as_slice();
        let mixed = values.iter().any(|value| value % 2 == 0) && !values.iter().all(|value| value % 2 == 0);
        *out = u32::from(mixed);
    }
}
