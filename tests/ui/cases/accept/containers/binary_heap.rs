use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

struct Heap {
    items: [u32; 16],
    length: usize,
}

impl Heap {
    fn push(&mut self, item: u32) {
        let mut at = self.length;
        self.items[at] = item;
        self.length += 1;
        while at > 0 && self.items[(at - 1) / 2] > self.items[at] {
            self.items.swap(at, (at - 1) / 2);
            at = (at - 1) / 2;
        }
    }
    fn pop(&mut self) -> Option<u32> {
        self.length = self.length.checked_sub(1)?;
        self.items.swap(0, self.length);
        let mut at = 0;
        loop {
            let children = (2 * at + 1)..(2 * at + 3).min(self.length);
            let Some(least) = children.min_by_key(|&child| self.items[child]) else { break };
            if self.items[least] >= self.items[at] {
                break;
            }
            self.items.swap(least, at);
            at = least;
        }
        Some(self.items[self.length])
    }
}

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<[u32; 8]>, mut out: DisjointBuffer<u32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let x = input.as_slice()[index.get()];
        let mut heap = Heap { items: [0; 16], length: 0 };
        x.iter().for_each(|item| heap.push(*item));
        *out = core::iter::from_fn(|| heap.pop()).take(3).fold(0, |code, item| code * 100 + item);
    }
}
