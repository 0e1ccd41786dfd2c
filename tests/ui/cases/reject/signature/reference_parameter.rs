use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

#[metal_oxide::kernel]
fn kernel(scale: &f32, mut out: DisjointBuffer<f32>) {
    if let Some(out) = out.get_mut(&thread_index()) {
        *out *= *scale;
    }
}
