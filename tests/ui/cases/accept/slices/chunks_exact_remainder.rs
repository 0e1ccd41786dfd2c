use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<u8>, mut out: DisjointBuffer<u32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let mut words = input.as_slice().chunks_exact(4);
        let mut hash = 0u32;
        for word in &mut words {
            hash = hash.rotate_left(5) ^ u32::from_le_bytes([word[0], word[1], word[2], word[3]]);
        }
        *out = words.remainder().iter().fold(hash, |hash, &byte| hash ^ u32::from(byte));
    }
}
