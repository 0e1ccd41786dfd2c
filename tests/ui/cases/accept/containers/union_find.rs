use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

struct Sets<const N: usize>([usize; N]);

impl<const N: usize> Sets<N> {
    fn root(&mut self, mut at: usize) -> usize {
        while self.0[at] != at {
            self.0[at] = self.0[self.0[at]];
            at = self.0[at];
        }
        at
    }
    fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.root(a), self.root(b));
        self.0[a.max(b)] = a.min(b);
    }
}

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<[u8; 4]>, mut out: DisjointBuffer<u32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let x = input.as_slice()[index.get()];
        let mut sets = Sets::<8>(core::array::from_fn(|i| i));
        for pair in x.windows(2) {
            sets.join(pair[0] as usize % 8, pair[1] as usize % 8);
        }
        *out = (0..8).filter(|&at| sets.root(at) == at).count() as u32;
    }
}
