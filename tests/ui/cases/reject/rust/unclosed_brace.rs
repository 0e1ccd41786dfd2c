use metal_oxide::device::{DisjointBuffer, thread_index};

#[metal_oxide::kernel]
fn kernel(mut out: DisjointBuffer<u32>) {
    if let Some(out) = out.get_mut(&thread_index()) {
        *out = 1;
}
