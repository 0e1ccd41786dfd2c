use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<u32>, mut out: DisjointBuffer<u32>, key: u32) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        *out = match input.as_slice().binary_search(&key) {
            Ok(found) => found as u32,
            Err(place) => place as u32 | 1 << 31,
        };
    }
}
