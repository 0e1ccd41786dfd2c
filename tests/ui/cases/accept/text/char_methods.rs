use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<u32>, mut out: DisjointBuffer<u32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let x = input.as_slice()[index.get()];
        let letter = char::from_u32(x).unwrap_or(char::REPLACEMENT_CHARACTER);
        *out = letter.to_ascii_uppercase() as u32
            + letter.is_ascii_alphanumeric() as u32
            + letter.len_utf8() as u32
            + letter.to_digit(36).unwrap_or(99);
    }
}
