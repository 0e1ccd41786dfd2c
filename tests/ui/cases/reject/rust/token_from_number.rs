use metal_oxide::device::DisjointBuffer;

#[metal_oxide::kernel]
fn kernel(mut out: DisjointBuffer<u32>, at: usize) {
    if let Some(out) = out.get_mut(at) {
        *out = 1;
    }
}
