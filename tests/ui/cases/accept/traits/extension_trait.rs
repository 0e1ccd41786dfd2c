use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

trait BitsExt {
    fn bit(self, i: u32) -> bool;
    fn with_bit(self, i: u32, on: bool) -> Self;
}

impl BitsExt for u32 {
    fn bit(self, i: u32) -> bool {
        self >> (i & 31) & 1 == 1
    }
    fn with_bit(self, i: u32, on: bool) -> u32 {
        self & !(1 << (i & 31)) | u32::from(on) << (i & 31)
    }
}

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<u32>, mut out: DisjointBuffer<u32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let x = input.as_slice()[index.get()];
        *out = x.with_bit(3, x.bit(7)).with_bit(31, !x.bit(0));
    }
}
