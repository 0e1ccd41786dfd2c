use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

trait Kernel {
    const WEIGHTS: &'static [f32];
    const NORM: f32;
}

struct Box3;
struct Gauss5;

impl Kernel for Box3 {
    const WEIGHTS: &'static [f32] = &[1.0; 3];
    const NORM: f32 = 1.0 / 3.0;
}

impl Kernel for Gauss5 {
    const WEIGHTS: &'static [f32] = &[1.0, 4.0, 6.0, 4.0, 1.0];
    const NORM: f32 = 1.0 / 16.0;
}

fn convolve<K: Kernel>(values: &[f32], at: usize) -> f32 {
    let terms = K::WEIGHTS.iter().enumerate().map(|(i, weight)| values.get(at + i).unwrap_or(&0.0) * weight);
    terms.sum::<f32>() * K::NORM
}

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<f32>, mut out: DisjointBuffer<f32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        *out = convolve::<Box3>(input.as_slice(), index.get()) + convolve::<Gauss5>(input.as_slice(), index.get());
    }
}
