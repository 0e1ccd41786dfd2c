use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

struct Mean {
    sum: f64,
    count: u32,
}

impl Mean {
    fn add(&mut self, value: f32) {
        self.sum += value as f64;
        self.count += 1;
    }
}

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<f32>, mut out: DisjointBuffer<f32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let mut mean = Mean { sum: 0.0, count: 0 };
        input.as_slice().iter().for_each(|value| mean.add(*value));
        *out = (mean.sum / mean.count as f64) as f32;
    }
}
