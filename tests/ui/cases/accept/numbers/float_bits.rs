use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<f32>, mut out: DisjointBuffer<f32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let x = input.as_slice()[index.get()];
        let bits = x.to_bits();
        let exponent = ((bits >> 23) & 0xff) as i32 - 127;
        let mantissa = f32::from_bits(bits & 0x007f_ffff | 0x3f80_0000);
        *out = mantissa + exponent as f32 + f32::from_be_bytes([0x40, 0x49, 0x0f, 0xdb]);
    }
}
