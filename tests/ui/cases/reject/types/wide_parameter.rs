use metal_oxide::device::{DisjointBuffer, thread_index};

#[metal_oxide::kernel]
fn kernel(mut out: DisjointBuffer<u64>, wide: u128) {
    if let Some(out) = out.get_mut(&thread_index()) {
        *out = wide as u64;
    }
}
