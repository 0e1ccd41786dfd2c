use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

use core::mem;

#[derive(Default)]
struct Queue {
    items: [u32; 4],
    length: usize,
}

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<u32>, mut out: DisjointBuffer<u32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let x = input.as_slice()[index.get()];
        let mut queue = Queue { items: [x, 2, 3, 4], length: 3 };
        let taken = mem::take(&mut queue);
        let old = mem::replace(&mut queue.length, 2);
        let (mut a, mut b) = (taken.items[1], queue.items[1]);
        mem::swap(&mut a, &mut b);
        *out = a * 1000 + b * 100 + old as u32 + taken.length as u32;
    }
}
