use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

const fn crc_table() -> [u32; 256] {
    let mut table = [0; 256];
    let mut i = 0;
    while i < 256 {
        let mut value = i as u32;
        let mut bit = 0;
        while bit < 8 {
            value = if value & 1 == 1 { 0xedb8_8320 ^ (value >> 1) } else { value >> 1 };
            bit += 1;
        }
        table[i] = value;
        i += 1;
    }
    table
}

static TABLE: [u32; 256] = crc_table();

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<u8>, mut out: DisjointBuffer<u32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        *out = !input.as_slice().iter().fold(!0, |crc, byte| TABLE[(crc as u8 ^ byte) as usize] ^ (crc >> 8));
    }
}
