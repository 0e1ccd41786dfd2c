use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<u32>, mut out: DisjointBuffer<u32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let x = input.as_slice()[index.get()];
        let mut state = x;
        let steps = core::iter::from_fn(|| {
            state = if state % 2 == 0 { state / 2 } else { state.wrapping_mul(3) + 1 };
            (state > 1).then_some(state)
        });
        *out = steps.take(100).count() as u32;
    }
}
