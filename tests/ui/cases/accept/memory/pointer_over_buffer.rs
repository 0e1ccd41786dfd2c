use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<f32>, mut out: DisjointBuffer<f32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let values = input.as_slice();
        let range = values.as_ptr_range();
        let mut at = range.start;
        let mut sum = 0.0;
        while at != range.end {
            // SAFETY: the pointer is inside the buffer.
            unsafe {
                sum += *at;
                at = at.add(1);
            }
        }
        *out = sum;
    }
}
