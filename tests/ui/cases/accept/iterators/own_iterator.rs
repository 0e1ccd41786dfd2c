use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

struct Fibonacci(u32, u32);

impl Iterator for Fibonacci {
    type Item = u32;
    fn next(&mut self) -> Option<u32> {
        let Self(a, b) = *self;
        *self = Self(b, a.checked_add(b)?);
        Some(a)
    }
}

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<u32>, mut out: DisjointBuffer<u32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let x = input.as_slice()[index.get()];
        *out = Fibonacci(0, 1).skip(1).step_by(2).take_while(|&value| value < x).sum();
    }
}
