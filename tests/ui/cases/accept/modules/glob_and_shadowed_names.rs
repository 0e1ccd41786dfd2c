use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

mod small {
    pub const LIMIT: u32 = 10;
    pub fn clamp(value: u32) -> u32 {
        value.min(LIMIT)
    }
}

mod large {
    pub use super::small::*;
    pub const LIMIT: u32 = 1000;
}

use large::*;

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<u32>, mut out: DisjointBuffer<u32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let x = input.as_slice()[index.get()];
        *out = clamp(x) + LIMIT + self::small::LIMIT;
    }
}
