use metal_oxide::device::{DisjointBuffer, thread_index};

#[metal_oxide::kernel]
fn kernel<const N: usize>(mut out: DisjointBuffer<[f32; N]>) {
    if let Some(out) = out.get_mut(&thread_index()) {
        *out = [1.0; N];
    }
}
