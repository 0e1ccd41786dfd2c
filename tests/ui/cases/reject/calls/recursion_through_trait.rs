use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

trait Step {
    fn step(n: u32) -> u32;
}

struct Even;
struct Odd;

impl Step for Even {
    fn step(n: u32) -> u32 {
        if n == 0 { 1 } else { Odd::step(n - 1) }
    }
}

impl Step for Odd {
    fn step(n: u32) -> u32 {
        if n == 0 { 0 } else { Even::step(n - 1) }
    }
}

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<u32>, mut out: DisjointBuffer<u32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let x = input.as_slice()[index.get()];
        *out = Even::step(x);
    }
}
