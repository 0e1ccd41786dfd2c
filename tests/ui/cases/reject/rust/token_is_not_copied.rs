use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

#[metal_oxide::kernel]
fn kernel(mut out: DisjointBuffer<u32>) {
    let index = thread_index();
    let moved = index;
    if let Some(out) = out.get_mut(&index) {
        *out = moved.get() as u32;
    }
}
