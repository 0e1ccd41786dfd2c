use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

use std::io::{self, Read};

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<u32>, mut out: DisjointBuffer<u32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let x = input.as_slice()[index.get()];
        let mut byte = [0];
        io::stdin().read_exact(&mut byte).unwrap();
        *out = x + u32::from(byte[0]);
    }
}
