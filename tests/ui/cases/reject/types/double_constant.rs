use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

const TAU: f64 = std::f64::consts::TAU;

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<f32>, mut out: DisjointBuffer<f32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let x = input.as_slice()[index.get()];
        *out = x * TAU as f32;
    }
}
