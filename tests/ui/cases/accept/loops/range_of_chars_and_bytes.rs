use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<u32>, mut out: DisjointBuffer<u32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let x = input.as_slice()[index.get()];
        let mut hash = x;
        for letter in 'a'..='f' {
            hash = hash.wrapping_mul(31).wrapping_add(letter.into());
        }
        for byte in (0u8..=255).step_by(51) {
            hash ^= u32::from(byte) << (byte % 24);
        }
        *out = hash;
    }
}
