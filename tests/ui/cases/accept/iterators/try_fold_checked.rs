use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<u32>, mut out: DisjointBuffer<u32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let sum = input.as_slice().iter().try_fold(0u32, |sum, &value| sum.checked_add(value));
        *out = sum.unwrap_or(u32::MAX);
    }
}
