use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<f32>, mut out: DisjointBuffer<f32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let (quads, rest) = input.as_slice().as_chunks::<4>();
        let mut sum = 0.0;
        for [a, b, c, d] in quads {
            sum += (a + b) * (c - d);
        }
        *out = sum + rest.iter().sum::<f32>();
    }
}
