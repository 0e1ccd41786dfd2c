use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<u32>, mut out: DisjointBuffer<u32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let x = input.as_slice()[index.get()];
        let mut n = x;
        let mut steps = 0;
        *out = loop {
            if n < 2 || steps == 200 {
                break steps;
            }
            n = if n % 2 == 0 { n / 2 } else { n.wrapping_mul(3).wrapping_add(1) };
            steps += 1;
        };
    }
}
