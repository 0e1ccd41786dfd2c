use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<[f32; 4]>, mut out: DisjointBuffer<f32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let x = input.as_slice()[index.get()];
        let doubled = x.map(|value| value * 2.0);
        let shifted: [f32; 4] = core::array::from_fn(|i| x[(i + 1) % 4]);
        *out = doubled.iter().zip(&shifted).map(|(a, b)| a * b).sum();
    }
}
