use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

fn square(value: u32) -> u32 {
    value * value
}

fn twice<F: Fn(u32) -> u32>(f: F, value: u32) -> u32 {
    f(f(value))
}

#[derive(Clone, Copy)]
struct Wrapped(u32);

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<u32>, mut out: DisjointBuffer<u32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let x = input.as_slice()[index.get()];
        let wrapped = Some(x).map(Wrapped).map(|Wrapped(value)| value);
        *out = twice(square, x) + twice(u32::reverse_bits, 5) + wrapped.map_or(0, square);
    }
}
