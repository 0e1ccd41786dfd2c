use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<f32>, mut out: DisjointBuffer<f32>, weights: ReadBuffer<f32>, offsets: ReadBuffer<f32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let weighted = input.as_slice().iter().zip(weights.as_slice()).zip(offsets.as_slice());
        *out = weighted.map(|((value, weight), offset)| value * weight + offset).sum();
    }
}
