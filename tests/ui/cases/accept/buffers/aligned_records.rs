use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

#[derive(Clone, Copy)]
#[repr(C, align(16))]
struct Aligned {
    a: u8,
    b: [f32; 3],
}

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<Aligned>, mut out: DisjointBuffer<Aligned>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let x = input.as_slice()[index.get()];
        *out = Aligned { a: x.a + 1, b: x.b.map(|v| v * 2.0) };
    }
}
