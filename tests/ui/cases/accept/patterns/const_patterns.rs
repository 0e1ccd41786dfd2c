use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

const NONE: Color = Color { r: 0, g: 0, b: 0 };
const RED: Color = Color { r: 255, g: 0, b: 0 };

#[derive(PartialEq, Eq, Clone, Copy)]
struct Color {
    r: u8,
    g: u8,
    b: u8,
}

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<u8>, mut out: DisjointBuffer<u32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let x = input.as_slice()[index.get()];
        let color = Color { r: x, g: x / 2, b: x / 3 };
        *out = match color {
            NONE => 0,
            RED => 1,
            Color { r, g: 1.., .. } if r > g(&color) => 2,
            Color { b, .. } => u32::from(b),
        };
    }
}

fn g(color: &Color) -> u8 {
    color.g
}
