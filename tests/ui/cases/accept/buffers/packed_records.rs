use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

#[derive(Clone, Copy)]
#[repr(C, packed)]
struct P {
    a: u8,
    b: u32,
    c: u64,
}

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<P>, mut out: DisjointBuffer<u64>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let x = input.as_slice()[index.get()];
        *out = x.a as u64 + { x.b } as u64 + { x.c };
    }
}
