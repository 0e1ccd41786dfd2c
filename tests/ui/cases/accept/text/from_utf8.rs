use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<u32>, mut out: DisjointBuffer<u32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let x = input.as_slice()[index.get()];
        let bytes = [b'a', 0xc3, 0xa4, x as u8];
        *out = match core::str::from_utf8(&bytes) {
            Ok(text) => text.chars().count() as u32,
            Err(error) => error.valid_up_to() as u32 + 100,
        };
    }
}
