use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

use core::mem::MaybeUninit;
use core::ops::Deref;

struct FixedVec<T, const N: usize> {
    items: [MaybeUninit<T>; N],
    length: usize,
}

impl<T, const N: usize> FixedVec<T, N> {
    const fn new() -> Self {
        Self { items: [const { MaybeUninit::uninit() }; N], length: 0 }
    }
    fn push(&mut self, item: T) -> bool {
        let Some(slot) = self.items.get_mut(self.length) else { return false };
        slot.write(item);
        self.length += 1;
        true
    }
}

impl<T, const N: usize> Deref for FixedVec<T, N> {
    type Target = [T];
    fn deref(&self) -> &[T] {
        // SAFETY: the first `length` items have been written.
        unsafe { core::slice::from_raw_parts(self.items.as_ptr().cast(), self.length) }
    }
}

impl<T, const N: usize> Drop for FixedVec<T, N> {
    fn drop(&mut self) {
        for item in &mut self.items[..self.length] {
            // SAFETY: as above, and nobody uses them after this.
            unsafe { item.assume_init_drop() };
        }
    }
}

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<u32>, mut out: DisjointBuffer<u32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let x = input.as_slice()[index.get()];
        let mut values = FixedVec::<u32, 6>::new();
        while values.push(x + values.len() as u32) {}
        *out = values.iter().sum();
    }
}
