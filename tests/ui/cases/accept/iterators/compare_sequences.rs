use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

use core::cmp::Ordering;

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<u32>, mut out: DisjointBuffer<i32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let x = input.as_slice()[index.get()];
        let other = [x, 2, 3];
        *out = match input.as_slice().iter().cmp(other.iter()) {
            Ordering::Less => -1,
            Ordering::Equal => 0,
            Ordering::Greater => 1,
        };
    }
}
