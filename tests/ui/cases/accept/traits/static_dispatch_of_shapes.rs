use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

trait Distance {
    fn distance(&self, point: [f32; 2]) -> f32;
}

struct Ball(f32);
struct Plane;
struct Union<A, B>(A, B);
struct Moved<S>(S, [f32; 2]);

impl Distance for Ball {
    fn distance(&self, [x, y]: [f32; 2]) -> f32 {
        (x * x + y * y) - self.0 * self.0
    }
}

impl Distance for Plane {
    fn distance(&self, [_, y]: [f32; 2]) -> f32 {
        y
    }
}

impl<A: Distance, B: Distance> Distance for Union<A, B> {
    fn distance(&self, point: [f32; 2]) -> f32 {
        self.0.distance(point).min(self.1.distance(point))
    }
}

impl<S: Distance> Distance for Moved<S> {
    fn distance(&self, [x, y]: [f32; 2]) -> f32 {
        self.0.distance([x - self.1[0], y - self.1[1]])
    }
}

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<[f32; 2]>, mut out: DisjointBuffer<f32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let x = input.as_slice()[index.get()];
        let scene = Union(Moved(Union(Ball(1.0), Moved(Ball(0.5), [1.0, 1.0])), [0.0, 2.0]), Plane);
        *out = scene.distance(x);
    }
}
