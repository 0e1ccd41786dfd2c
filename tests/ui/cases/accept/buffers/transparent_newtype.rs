use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

#[derive(Clone, Copy, PartialEq, PartialOrd)]
#[repr(transparent)]
struct Meters(f32);

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<Meters>, mut out: DisjointBuffer<Meters>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let x = input.as_slice()[index.get()];
        *out = if x < Meters(1.0) { Meters(1.0) } else { x };
    }
}
