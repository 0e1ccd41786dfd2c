use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

use core::mem::ManuallyDrop;

struct Loud<'a>(&'a mut u32);

impl Drop for Loud<'_> {
    fn drop(&mut self) {
        *self.0 += 100;
    }
}

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<u32>, mut out: DisjointBuffer<u32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let x = input.as_slice()[index.get()];
        let (mut a, mut b, mut c) = (x, x, x);
        {
            let _never = ManuallyDrop::new(Loud(&mut a));
            let mut by_hand = ManuallyDrop::new(Loud(&mut b));
            // SAFETY: the value is not used again.
            unsafe { ManuallyDrop::drop(&mut by_hand) };
            core::mem::forget(Loud(&mut c));
        }
        *out = a + b * 2 + c * 3;
    }
}
