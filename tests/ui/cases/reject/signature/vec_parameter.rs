use metal_oxide::device::{DisjointBuffer, thread_index};

#[metal_oxide::kernel]
fn kernel(values: Vec<f32>, mut out: DisjointBuffer<f32>) {
    if let Some(out) = out.get_mut(&thread_index()) {
        *out = values[0];
    }
}
