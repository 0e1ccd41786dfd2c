use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<f32>, mut out: DisjointBuffer<f32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let running = input.as_slice().iter().scan(0.0, |sum, value| {
            *sum += value;
            Some(*sum)
        });
        *out = running.fold(f32::NEG_INFINITY, f32::max);
    }
}
