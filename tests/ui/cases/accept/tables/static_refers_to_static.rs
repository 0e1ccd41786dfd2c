use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

struct Node {
    value: u32,
    next: Option<&'static Node>,
}

static LAST: Node = Node { value: 3, next: None };
static MIDDLE: Node = Node { value: 2, next: Some(&LAST) };
static FIRST: Node = Node { value: 1, next: Some(&MIDDLE) };

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<u32>, mut out: DisjointBuffer<u32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let x = input.as_slice()[index.get()];
        let mut node = Some(&FIRST);
        let mut sum = x;
        while let Some(Node { value, next }) = node {
            sum = sum * 10 + value;
            node = *next;
        }
        *out = sum;
    }
}
