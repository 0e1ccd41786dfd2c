use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

use core::cell::RefCell;

fn push(list: &RefCell<([u32; 4], usize)>, value: u32) {
    let mut list = list.borrow_mut();
    let length = list.1;
    list.0[length] = value;
    list.1 += 1;
}

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<u32>, mut out: DisjointBuffer<u32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let x = input.as_slice()[index.get()];
        let list = RefCell::new(([0; 4], 0));
        push(&list, x);
        push(&list, 3);
        *out = list.borrow().0.iter().sum::<u32>() + u32::from(list.try_borrow_mut().is_ok());
    }
}
