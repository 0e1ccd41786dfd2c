use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<f32>, mut out: DisjointBuffer<f32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let x = input.as_slice()[index.get()];
        *out = x.floor() + x.ceil() * 2.0 + x.round() * 4.0 + x.trunc() * 8.0 + x.round_ties_even() * 16.0 + x.fract();
    }
}
