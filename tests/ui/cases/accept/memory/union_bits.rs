use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

#[repr(C)]
#[derive(Clone, Copy)]
union Bits {
    float: f32,
    word: u32,
    bytes: [u8; 4],
}

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<f32>, mut out: DisjointBuffer<u32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let x = input.as_slice()[index.get()];
        let mut bits = Bits { float: x };
        bits.bytes = [1, 2, 3, 0x40];
        // SAFETY: every pattern of bits is a value of each field.
        unsafe { bits.word ^= 1 << 31 };
        *out = unsafe { bits.float as u32 + bits.bytes.iter().map(|byte| u32::from(*byte)).sum::<u32>() + bits.word };
    }
}
