use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<f32>, mut out: DisjointBuffer<u32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let mut best = None;
        for (i, &value) in input.as_slice().iter().enumerate() {
            best = match best {
                Some((_, largest)) if largest >= value => best,
                _ => Some((i, value)),
            };
        }
        *out = best.map_or(u32::MAX, |(i, _)| i as u32);
    }
}
