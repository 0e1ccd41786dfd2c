use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<u32>, mut out: DisjointBuffer<[u8; 4]>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let x = input.as_slice()[index.get()];
        let Some(letter) = char::from_u32(x) else { return };
        let mut bytes = [0; 4];
        letter.encode_utf8(&mut bytes);
        *out = bytes;
    }
}
