use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

fn adder(by: u32) -> impl Fn(u32) -> u32 + Copy {
    move |value| value.wrapping_add(by)
}

fn compose<A, B, C>(f: impl Fn(A) -> B, g: impl Fn(B) -> C) -> impl Fn(A) -> C {
    move |value| g(f(value))
}

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<u32>, mut out: DisjointBuffer<u32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let x = input.as_slice()[index.get()];
        let add = adder(x);
        let both = compose(add, compose(|value| value * 2, adder(7)));
        *out = both(1) ^ add(2);
    }
}
