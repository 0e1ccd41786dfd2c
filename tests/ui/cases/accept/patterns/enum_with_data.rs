use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

#[derive(Clone, Copy)]
enum Shape {
    Circle { radius: f32 },
    Rectangle(f32, f32),
    Point,
}

impl Shape {
    fn area(self) -> f32 {
        match self {
            Self::Circle { radius } => core::f32::consts::PI * radius * radius,
            Self::Rectangle(width, height) => width * height,
            Self::Point => 0.0,
        }
    }
}

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<f32>, mut out: DisjointBuffer<f32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let x = input.as_slice()[index.get()];
        let shapes = [Shape::Circle { radius: x }, Shape::Rectangle(x, 2.0), Shape::Point];
        *out = shapes.iter().map(|shape| shape.area()).sum();
    }
}
