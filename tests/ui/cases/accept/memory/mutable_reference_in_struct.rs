use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

struct Cursor<'a> {
    values: &'a mut [u32],
    at: usize,
}

impl<'a> Cursor<'a> {
    fn push(&mut self, value: u32) -> &mut Self {
        self.values[self.at] = value;
        self.at += 1;
        self
    }
    fn rest(self) -> &'a mut [u32] {
        &mut self.values[self.at..]
    }
}

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<u32>, mut out: DisjointBuffer<[u32; 6]>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let x = input.as_slice()[index.get()];
        let mut cursor = Cursor { values: out, at: 0 };
        cursor.push(x).push(x * 2).push(7);
        cursor.rest().fill(1);
    }
}
