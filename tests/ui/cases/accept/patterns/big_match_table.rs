use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

fn opcode(byte: u32) -> u32 {
    match byte & 31 {
        0 => 3,
        1 => 7,
        2 | 3 => 11,
        4 => 13,
        5..=8 => 17,
        9 => 19,
        10 => 23,
        11 => 29,
        12 => 31,
        13 | 17 | 19 => 37,
        14 => 41,
        15 => 43,
        16 => 47,
        18 => 53,
        20..=24 => 59,
        25 => 61,
        26 => 67,
        _ => 71,
    }
}

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<u32>, mut out: DisjointBuffer<u32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let x = input.as_slice()[index.get()];
        *out = opcode(x) * opcode(x >> 5);
    }
}
