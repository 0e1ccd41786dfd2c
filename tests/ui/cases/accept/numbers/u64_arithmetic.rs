use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

const PRIME: u64 = 0x9e37_79b9_7f4a_7c15;

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<u64>, mut out: DisjointBuffer<u64>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let x = input.as_slice()[index.get()];
        let mut state = x.wrapping_add(PRIME);
        state = (state ^ state >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        state = (state ^ state >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        *out = (state ^ state >> 31) % 1_000_000_007 + state.leading_zeros() as u64 * (state / PRIME);
    }
}
