use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<u32>, mut out: DisjointBuffer<u32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let values = input.as_slice();
        let (Some(first), Some(last)) = (values.first(), values.last()) else { return };
        let ends = [first, last];
        *out = ends.iter().map(|end| **end).max().unwrap();
    }
}
