use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

static STEPS: [(u32, f32); 5] = [(0, 0.0), (10, 0.5), (20, 0.75), (40, 0.9), (80, 1.0)];

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<u32>, mut out: DisjointBuffer<f32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let x = input.as_slice()[index.get()];
        let place = STEPS.binary_search_by_key(&x, |step| step.0).unwrap_or_else(|place| place.saturating_sub(1));
        *out = STEPS[place].1;
    }
}
