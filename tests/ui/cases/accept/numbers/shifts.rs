use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<u32>, mut out: DisjointBuffer<u32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let x = input.as_slice()[index.get()];
        let by = x & 31;
        let signed = x as i32;
        *out = (1u32 << by) ^ (signed >> by) as u32 ^ x.checked_shr(x).unwrap_or(5) ^ x.wrapping_shl(x) ^ x.overflowing_shr(40).0;
    }
}
