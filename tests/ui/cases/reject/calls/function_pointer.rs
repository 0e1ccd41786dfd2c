use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

fn double(x: f32) -> f32 {
    x * 2.0
}

fn halve(x: f32) -> f32 {
    x * 0.5
}

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<f32>, mut out: DisjointBuffer<f32>) {
    let index = thread_index();
    let f: fn(f32) -> f32 = if index.get() % 2 == 0 { double } else { halve };
    if let Some(out) = out.get_mut(&index) {
        *out = f(input.as_slice()[index.get()]);
    }
}
