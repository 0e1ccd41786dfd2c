use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<u8>, mut out: DisjointBuffer<u32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let needle = b"rust";
        let found = input.as_slice().windows(needle.len()).position(|window| window == needle);
        *out = found.map_or(u32::MAX, |at| at as u32);
    }
}
