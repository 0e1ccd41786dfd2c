use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<u32>, mut out: DisjointBuffer<u32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let x = input.as_slice()[index.get()];
        let mut values = [1u32, 2, 3, x];
        let start = values.as_mut_ptr();
        let mut sum = 0;
        // SAFETY: all offsets are below the array's length.
        unsafe {
            *start.add(1) += 10;
            start.add(2).write(start.read() + 5);
            core::ptr::swap(start, start.add(3));
            for i in 0..4 {
                sum = sum * 2 + *start.add(i);
            }
        }
        *out = sum;
    }
}
