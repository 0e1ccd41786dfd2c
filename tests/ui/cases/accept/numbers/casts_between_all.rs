use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<f32>, mut out: DisjointBuffer<u64>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let x = input.as_slice()[index.get()];
        let signed = x as i64;
        let byte = x as u8;
        let letter = byte as char;
        let back = letter as u32 as f32 + signed as f32 + true as u8 as f32;
        *out = back as u64 ^ (x as i8 as i32 as u64) ^ (x as usize as u64) << 7;
    }
}
