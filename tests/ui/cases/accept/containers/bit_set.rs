use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

#[derive(Clone, Copy, Default, PartialEq, Eq)]
struct BitSet([u64; 2]);

impl BitSet {
    fn insert(&mut self, bit: u8) -> bool {
        let word = &mut self.0[usize::from(bit >> 6) & 1];
        let before = *word;
        *word |= 1 << (bit & 63);
        before != *word
    }
    fn iter(self) -> impl Iterator<Item = u8> {
        (0..128u8).filter(move |bit| self.0[usize::from(bit >> 6)] >> (bit & 63) & 1 == 1)
    }
}

impl FromIterator<u8> for BitSet {
    fn from_iter<I: IntoIterator<Item = u8>>(bits: I) -> Self {
        let mut set = Self::default();
        bits.into_iter().for_each(|bit| _ = set.insert(bit & 127));
        set
    }
}

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<u8>, mut out: DisjointBuffer<u32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let set: BitSet = input.as_slice().iter().copied().collect();
        *out = set.iter().map(u32::from).sum::<u32>() + u32::from(set == BitSet::default());
    }
}
