use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

#[metal_oxide::kernel]
fn kernel(mut out: DisjointBuffer<u32>) {
    let x = 1 +;
    if let Some(out) = out.get_mut(&thread_index()) {
        *out = x;
    }
}
