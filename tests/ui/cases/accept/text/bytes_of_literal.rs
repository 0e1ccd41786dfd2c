use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

const GREETING: &[u8; 13] = b"hello, world!";

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<u32>, mut out: DisjointBuffer<u32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let x = input.as_slice()[index.get()];
        *out = GREETING.iter().filter(|byte| byte.is_ascii_lowercase()).count() as u32
            * u32::from(GREETING[x as usize % 13].to_ascii_uppercase());
    }
}
