use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

const fn spin() -> u32 {
    let mut n = 1u32;
    while n != 0 {
        n = n.wrapping_mul(3) | 1;
    }
    n
}

const VALUE: u32 = spin();

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<u32>, mut out: DisjointBuffer<u32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let x = input.as_slice()[index.get()];
        *out = x + VALUE;
    }
}
