use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

struct Ring<T, const N: usize> {
    items: [T; N],
    start: usize,
    length: usize,
}

impl<T: Copy + Default, const N: usize> Ring<T, N> {
    fn new() -> Self {
        Self { items: [T::default(); N], start: 0, length: 0 }
    }
    fn push(&mut self, item: T) -> Result<(), T> {
        if self.length == N {
            return Err(item);
        }
        self.items[(self.start + self.length) % N] = item;
        self.length += 1;
        Ok(())
    }
    fn pop(&mut self) -> Option<T> {
        let item = (self.length > 0).then(|| self.items[self.start])?;
        self.start = (self.start + 1) % N;
        self.length -= 1;
        Some(item)
    }
}

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<u32>, mut out: DisjointBuffer<u32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let x = input.as_slice()[index.get()];
        let mut ring = Ring::<_, 4>::new();
        let mut lost = 0;
        for value in input.as_slice() {
            if let Err(item) = ring.push(*value) {
                lost += item;
                ring.pop();
            }
        }
        *out = lost + ring.pop().unwrap_or(x);
    }
}
