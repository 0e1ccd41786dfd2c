use metal_oxide::device::{DisjointBuffer, thread_index};

enum Shape {
    Circle(f32),
    Square { side: f32, turned: bool },
    Nothing,
}

#[inline(never)]
fn area(shape: &Shape) -> f32 {
    match shape {
        Shape::Circle(radius) => radius * radius * 3.0,
        Shape::Square { side, turned: false } => side * side,
        Shape::Square { .. } => 1.0,
        Shape::Nothing => 0.0,
    }
}

pub fn shapes(mut out: DisjointBuffer<f32>, kind: u32) {
    if let Some(out) = out.get_mut(&thread_index()) {
        let shape = match kind {
            0 => Shape::Circle(2.0),
            1 => Shape::Square { side: 3.0, turned: true },
            _ => Shape::Nothing,
        };
        *out = area(&shape);
    }
}
