use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

use core::num::{Saturating, Wrapping};

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<u32>, mut out: DisjointBuffer<u32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let x = input.as_slice()[index.get()];
        let mut state = Wrapping(x);
        state = state * Wrapping(1_664_525) + Wrapping(1_013_904_223);
        state ^= state >> 16;
        let mut limited = Saturating(200u8);
        limited += x as u8;
        *out = state.0 + u32::from(limited.0);
    }
}
