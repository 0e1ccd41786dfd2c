use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<u32>, mut out: DisjointBuffer<u32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let doubled: Vec<u32> = input.as_slice().iter().map(|value| value * 2).collect();
        *out = doubled[0];
    }
}
