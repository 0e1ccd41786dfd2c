use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<f32>, mut out: DisjointBuffer<f32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let x = input.as_slice()[index.get()];
        let clamped = x.clamp(-1.0, 1.0);
        let signed = 3.0_f32.copysign(x) * x.signum();
        *out = clamped.max(x.min(0.5)) + signed + x.abs().sqrt() + x.recip() + x.mul_add(2.0, 1.0) + x.to_degrees();
    }
}
