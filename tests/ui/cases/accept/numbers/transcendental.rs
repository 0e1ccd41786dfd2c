use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<f32>, mut out: DisjointBuffer<f32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let x = input.as_slice()[index.get()];
        let (sine, cosine) = x.sin_cos();
        *out = sine * cosine + x.exp().ln() + x.powf(1.5) + x.powi(3) + x.atan2(2.0) + x.tanh();
    }
}
