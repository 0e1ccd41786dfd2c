use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

#[derive(Clone, Copy)]
struct Pixel {
    r: u8,
    depth: f32,
}

#[metal_oxide::kernel]
fn kernel(pixels: ReadBuffer<Pixel>, mut out: DisjointBuffer<f32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        *out = pixels.as_slice()[index.get()].depth;
    }
}
