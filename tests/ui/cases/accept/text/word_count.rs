use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

fn words(text: &[u8]) -> u32 {
    let mut inside = false;
    let mut count = 0;
    for byte in text {
        let letter = !byte.is_ascii_whitespace();
        count += u32::from(letter && !inside);
        inside = letter;
    }
    count
}

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<u8>, mut out: DisjointBuffer<u32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        *out = words(input.as_slice()) + words(b" two  words ");
    }
}
