use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

trait Effect {
    fn apply(&self, value: f32) -> f32;
}

struct Gain(f32);
struct Clip;

impl Effect for Gain {
    fn apply(&self, value: f32) -> f32 {
        value * self.0
    }
}

impl Effect for Clip {
    fn apply(&self, value: f32) -> f32 {
        value.min(1.0)
    }
}

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<f32>, mut out: DisjointBuffer<f32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let x = input.as_slice()[index.get()];
        let chain: [&dyn Effect; 3] = [&Gain(2.0), &Clip, &Gain(0.5)];
        *out = chain[index.get() % 3].apply(x);
    }
}
