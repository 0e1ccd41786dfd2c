use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<f32>, mut out: DisjointBuffer<u32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let x = input.as_slice()[index.get()];
        *out = match x {
            f32::NEG_INFINITY..0.0 => 1,
            0.0 => 2,
            0.0..=1.0 => 3,
            value if value.is_nan() => 4,
            _ => 5,
        };
    }
}
