use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<u32>, mut out: DisjointBuffer<u32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        *out = match input.as_slice() {
            [] => 0,
            [only] => *only,
            [first, .., last] if first == last => first * 2,
            [first, middle @ .., _] => first + middle.len() as u32,
        };
    }
}
