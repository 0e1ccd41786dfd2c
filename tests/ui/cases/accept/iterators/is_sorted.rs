use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<f32>, mut out: DisjointBuffer<u32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let values = input.as_slice();
        *out = u32::from(values.is_sorted()) + 2 * u32::from(values.iter().rev().is_sorted_by(|a, b| a <= b));
    }
}
