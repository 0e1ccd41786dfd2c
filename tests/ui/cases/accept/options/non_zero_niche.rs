use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

use core::num::NonZero;

fn divide(value: u32, by: Option<NonZero<u32>>) -> u32 {
    match by {
        Some(by) => value / by,
        None => 0,
    }
}

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<u32>, mut out: DisjointBuffer<u32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let x = input.as_slice()[index.get()];
        let by = NonZero::new(x & 3);
        *out = divide(x, by) + by.map_or(32, NonZero::<u32>::leading_zeros) + size_of::<Option<NonZero<u32>>>() as u32;
    }
}
