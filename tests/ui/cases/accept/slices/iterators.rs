use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

#[metal_oxide::kernel]
fn kernel(a: ReadBuffer<f32>, b: ReadBuffer<f32>, mut out: DisjointBuffer<f32>) {
    if let Some(out) = out.get_mut(&thread_index()) {
        let dot: f32 = a.as_slice().iter().zip(b.as_slice()).map(|(a, b)| a * b).sum();
        let largest = a.as_slice().iter().copied().fold(f32::MIN, f32::max);
        let count = b.as_slice().iter().filter(|b| **b > 0.0).count();
        *out = dot + largest + count as f32;
    }
}
