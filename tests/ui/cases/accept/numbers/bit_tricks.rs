use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

fn next_permutation(bits: u32) -> u32 {
    let lowest = bits & bits.wrapping_neg();
    let ripple = bits.wrapping_add(lowest);
    ripple | ((bits ^ ripple) >> 2).checked_div(lowest).unwrap_or(0)
}

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<u32>, mut out: DisjointBuffer<u32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let x = input.as_slice()[index.get()];
        *out = next_permutation(x | 1) ^ x.swap_bytes().rotate_right(7) ^ (x.trailing_ones() << x.count_zeros() % 32);
    }
}
