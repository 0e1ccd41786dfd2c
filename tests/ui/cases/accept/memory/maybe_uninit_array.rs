use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

use core::mem::MaybeUninit;

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<u32>, mut out: DisjointBuffer<u32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let mut values = [const { MaybeUninit::<u32>::uninit() }; 8];
        let mut length = 0;
        for value in input.as_slice().iter().take(8) {
            values[length].write(value * 2);
            length += 1;
        }
        // SAFETY: the first `length` values have been written.
        *out = values[..length].iter().map(|value| unsafe { value.assume_init() }).sum();
    }
}
