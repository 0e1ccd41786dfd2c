use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

use core::cell::Cell;

struct Node<'a> {
    value: Cell<u32>,
    other: Option<&'a Node<'a>>,
}

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<u32>, mut out: DisjointBuffer<u32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let x = input.as_slice()[index.get()];
        let first = Node { value: Cell::new(x), other: None };
        let second = Node { value: Cell::new(2), other: Some(&first) };
        if let Some(other) = second.other {
            other.value.set(other.value.get() + second.value.replace(9));
        }
        first.value.swap(&second.value);
        *out = first.value.get() * 1000 + second.value.into_inner();
    }
}
