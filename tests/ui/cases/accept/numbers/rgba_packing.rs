use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

fn pack([r, g, b, a]: [f32; 4]) -> u32 {
    let byte = |value: f32| (value.clamp(0.0, 1.0) * 255.0 + 0.5) as u8;
    u32::from_le_bytes([byte(r), byte(g), byte(b), byte(a)])
}

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<[f32; 4]>, mut out: DisjointBuffer<u32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let x = input.as_slice()[index.get()];
        *out = pack(x);
    }
}
