use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

#[derive(Clone, Copy)]
#[repr(u32)]
enum Shape {
    Circle(f32),
    Square(f32),
}

#[metal_oxide::kernel]
fn kernel(shapes: ReadBuffer<Shape>, mut out: DisjointBuffer<f32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        *out = match shapes.as_slice()[index.get()] {
            Shape::Circle(radius) => 3.14 * radius * radius,
            Shape::Square(side) => side * side,
        };
    }
}
