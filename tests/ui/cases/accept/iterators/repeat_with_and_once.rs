use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<u32>, mut out: DisjointBuffer<u32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let x = input.as_slice()[index.get()];
        let mut seed = x | 1;
        let noise = core::iter::repeat_with(move || {
            seed ^= seed << 13;
            seed ^= seed >> 17;
            seed ^= seed << 5;
            seed
        });
        *out = core::iter::once(5).chain(noise.take(4)).chain(core::iter::empty()).fold(0, u32::wrapping_add);
    }
}
