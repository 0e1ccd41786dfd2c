use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

#[derive(Clone, Copy)]
struct Node {
    value: u32,
    next: Option<u8>,
}

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<[u32; 6]>, mut out: DisjointBuffer<u32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let x = input.as_slice()[index.get()];
        let mut nodes = [Node { value: 0, next: None }; 6];
        let mut head: Option<u8> = None;
        for (i, value) in x.into_iter().enumerate() {
            nodes[i] = Node { value, next: head };
            head = Some(i as u8);
        }
        let mut reversed = None;
        while let Some(at) = head {
            let node = &mut nodes[at as usize];
            head = core::mem::replace(&mut node.next, reversed);
            reversed = Some(at);
        }
        *out = reversed.map_or(0, |at| nodes[at as usize].value);
    }
}
