use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

use core::borrow::Borrow;

fn total(values: impl AsRef<[u32]>) -> u32 {
    values.as_ref().iter().sum()
}

fn same<T: Borrow<u32>>(value: T) -> u32 {
    *value.borrow()
}

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<u32>, mut out: DisjointBuffer<u32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let x = input.as_slice()[index.get()];
        *out = total([x, 2, 3]) + total(input.as_slice()) + same(&x) + same(x);
    }
}
