use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

use core::cell::Cell;

static STATE: Cell<u32> = Cell::new(0);

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<u32>, mut out: DisjointBuffer<u32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let x = input.as_slice()[index.get()];
        STATE.set(x);
        *out = STATE.get();
    }
}
