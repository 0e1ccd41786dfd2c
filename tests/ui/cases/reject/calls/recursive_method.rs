use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

struct Tree {
    children: [[u8; 2]; 8],
}

impl Tree {
    fn depth(&self, at: u8) -> u32 {
        if at == 0 {
            return 0;
        }
        let [left, right] = self.children[at as usize];
        1 + self.depth(left).max(self.depth(right))
    }
}

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<u8>, mut out: DisjointBuffer<u32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let x = input.as_slice()[index.get()];
        let tree = Tree { children: [[x % 8, 0]; 8] };
        *out = tree.depth(1);
    }
}
