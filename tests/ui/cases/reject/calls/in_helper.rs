use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

fn average(values: &[f32]) -> f32 {
    let mut sum = 0.0_f64;
    for value in values {
        sum += f64::from(*value);
    }
    (sum / values.len() as f64) as f32
}

fn brightness(values: &[f32]) -> f32 {
    average(values) * 2.0
}

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<f32>, mut out: DisjointBuffer<f32>) {
    if let Some(out) = out.get_mut(&thread_index()) {
        *out = brightness(input.as_slice());
    }
}
