use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

mod geometry {
    pub mod point {
        #[derive(Clone, Copy)]
        pub struct Point {
            pub x: f32,
            pub y: f32,
        }
        impl Point {
            pub(in crate::geometry) const ORIGIN: Self = Self { x: 0.0, y: 0.0 };
        }
    }

    use point::Point;

    pub fn from_origin(point: Point) -> f32 {
        super::squared(point.x - Point::ORIGIN.x) + super::squared(point.y - Point::ORIGIN.y)
    }
}

use geometry::{from_origin as distance, point::Point};

fn squared(value: f32) -> f32 {
    value * value
}

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<f32>, mut out: DisjointBuffer<f32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let x = input.as_slice()[index.get()];
        *out = distance(Point { x, y: 2.0 });
    }
}
