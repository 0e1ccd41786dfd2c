use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<f32>, mut out: DisjointBuffer<f32>) {
    if let Some(out) = out.get_mut(&thread_index()) {
        let mut sum = 0.0;
        for i in 0..input.len() {
            sum += input.as_slice()[i];
        }
        *out = sum;
    }
}
