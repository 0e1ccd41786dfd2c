use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

trait Area {
    fn area(&self) -> f32;
    fn twice(&self) -> f32 {
        self.area() * 2.0
    }
}

struct Square(f32);

impl Area for Square {}

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<f32>, mut out: DisjointBuffer<f32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let x = input.as_slice()[index.get()];
        *out = Square(x).twice();
    }
}
