use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

fn classify(bytes: &[u8]) -> u32 {
    match bytes {
        [b'0', b'x', digits @ ..] => 16 * digits.len() as u32,
        [b'-' | b'+', rest @ ..] if !rest.is_empty() => 1,
        [b'0'..=b'9', ..] => 10,
        [_, _, third, ..] => u32::from(*third),
        _ => 0,
    }
}

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<u8>, mut out: DisjointBuffer<u32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        *out = classify(input.as_slice()) + classify(b"0xff");
    }
}
