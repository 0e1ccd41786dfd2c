use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<u32>, mut out: DisjointBuffer<u32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let values = input.as_slice();
        let mut sum = 0u32;
        for i in 0..values.len() {
            // SAFETY: `i` is below the length.
            sum = sum.wrapping_add(unsafe { *values.get_unchecked(i) });
        }
        *out = sum;
    }
}
