use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

fn hexadecimal(mut value: u32) -> [u8; 8] {
    let mut text = [b'0'; 8];
    for digit in text.iter_mut().rev() {
        *digit = b"0123456789abcdef"[(value & 15) as usize];
        value >>= 4;
    }
    text
}

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<u32>, mut out: DisjointBuffer<[u8; 8]>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let x = input.as_slice()[index.get()];
        *out = hexadecimal(x);
    }
}
