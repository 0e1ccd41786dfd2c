use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

use core::ops::{Deref, DerefMut};

struct Guarded<T> {
    value: T,
    reads: u32,
}

impl<T> Deref for Guarded<T> {
    type Target = T;
    fn deref(&self) -> &T {
        &self.value
    }
}

impl<T> DerefMut for Guarded<T> {
    fn deref_mut(&mut self) -> &mut T {
        self.reads += 1;
        &mut self.value
    }
}

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<u32>, mut out: DisjointBuffer<u32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let x = input.as_slice()[index.get()];
        let mut guarded = Guarded { value: [x; 4], reads: 0 };
        guarded[1] = 5;
        guarded.reverse();
        *out = guarded.len() as u32 + guarded[2] + guarded.reads * 100;
    }
}
