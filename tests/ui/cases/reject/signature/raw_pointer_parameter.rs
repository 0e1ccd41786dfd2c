use metal_oxide::device::thread_index;

#[metal_oxide::kernel]
fn kernel(out: *mut f32, scale: f32) {
    unsafe { *out.add(thread_index().get()) *= scale };
}
