use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

const SCALE: u32 = 3;

fn scaled(value: u32) -> u32 {
    value * SCALE
}

#[metal_oxide::kernel]
fn first(input: ReadBuffer<u32>, mut out: DisjointBuffer<u32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        *out = scaled(input.as_slice()[index.get()]);
    }
}

#[metal_oxide::kernel]
fn second(mut out: DisjointBuffer<u32>, by: u32) {
    if let Some(out) = out.get_mut(&thread_index()) {
        *out = scaled(*out) + by;
    }
}

#[metal_oxide::kernel]
fn nothing() {}
