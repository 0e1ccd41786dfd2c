use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

const A: u32 = B + 1;
const B: u32 = A + 1;

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<u32>, mut out: DisjointBuffer<u32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let x = input.as_slice()[index.get()];
        *out = x + A;
    }
}
