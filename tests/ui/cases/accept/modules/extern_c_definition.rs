use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

extern "C" fn double(value: u32) -> u32 {
    value * 2
}

#[inline(never)]
fn other(value: u32) -> u32 {
    double(value) + 1
}

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<u32>, mut out: DisjointBuffer<u32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let x = input.as_slice()[index.get()];
        *out = other(x);
    }
}
