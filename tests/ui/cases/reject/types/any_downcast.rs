use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

use core::any::Any;

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<u32>, mut out: DisjointBuffer<u32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let x = input.as_slice()[index.get()];
        let value: &dyn Any = &x;
        *out = value.downcast_ref::<u32>().copied().unwrap_or(0);
    }
}
