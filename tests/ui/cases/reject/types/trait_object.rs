use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

trait Shade {
    fn shade(&self, x: f32) -> f32;
}

struct Flat(f32);
struct Ramp;

impl Shade for Flat {
    fn shade(&self, _: f32) -> f32 {
        self.0
    }
}

impl Shade for Ramp {
    fn shade(&self, x: f32) -> f32 {
        x
    }
}

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<f32>, mut out: DisjointBuffer<f32>) {
    let index = thread_index();
    let shader: &dyn Shade = if index.get() % 2 == 0 { &Flat(0.5) } else { &Ramp };
    if let Some(out) = out.get_mut(&index) {
        *out = shader.shade(input.as_slice()[index.get()]);
    }
}
