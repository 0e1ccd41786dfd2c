use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

#[derive(Clone, Copy)]
#[repr(C)]
struct Inner {
    byte: u8,
    wide: u64,
}

#[derive(Clone, Copy)]
#[repr(C)]
struct Outer {
    first: Inner,
    pairs: [(u32, u16); 2],
    last: i8,
}

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<Outer>, mut out: DisjointBuffer<u64>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let x = input.as_slice()[index.get()];
        *out = x.first.wide
            + u64::from(x.first.byte)
            + x.pairs.iter().map(|(a, b)| u64::from(*a) * u64::from(*b)).sum::<u64>()
            + x.last as u64;
    }
}
