use metal_oxide::device::thread_index;

#[metal_oxide::kernel]
fn kernel(out: &mut [f32], scale: f32) {
    out[thread_index().get()] *= scale;
}
