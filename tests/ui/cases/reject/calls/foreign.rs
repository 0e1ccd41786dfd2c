use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

unsafe extern "C" {
    fn sinf(x: f32) -> f32;
}

#[metal_oxide::kernel]
fn kernel(mut out: DisjointBuffer<f32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        *out = unsafe { sinf(index.get() as f32) };
    }
}
