use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

use core::mem::transmute;

#[repr(transparent)]
struct Degrees(f32);

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<u32>, mut out: DisjointBuffer<u32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let x = input.as_slice()[index.get()];
        // SAFETY: every pattern of bits is a value of the types.
        let halves: [u16; 2] = unsafe { transmute(x) };
        let degrees: Degrees = unsafe { transmute(0x3f80_0000_u32) };
        let signed: i32 = unsafe { transmute(halves) };
        *out = u32::from(halves[0]) + degrees.0 as u32 + signed.unsigned_abs();
    }
}
