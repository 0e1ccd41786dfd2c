use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

use core::cell::RefCell;

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<u32>, mut out: DisjointBuffer<u32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let x = input.as_slice()[index.get()];
        let cell = RefCell::new(x);
        let first = cell.borrow_mut();
        if *first > 3 {
            *out = *cell.borrow();
        } else {
            *out = *first;
        }
    }
}
