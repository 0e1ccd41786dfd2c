use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<u32>, mut out: DisjointBuffer<u32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let x = input.as_slice()[index.get()];
        let v = [1u32, 2, 3, 4];
        let a = &v[1] as *const u32;
        let b = &v[3] as *const u32;
        *out = unsafe { b.offset_from(a) } as u32 + u32::from(a < b) + u32::from(core::ptr::eq(a, b)) + x + u32::from(a.is_null());
    }
}
