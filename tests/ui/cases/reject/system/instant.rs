use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

use std::time::Instant;

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<u32>, mut out: DisjointBuffer<u32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let x = input.as_slice()[index.get()];
        let start = Instant::now();
        *out = x + start.elapsed().as_millis() as u32;
    }
}
