use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

struct Big([u32; 4]);

fn consume(big: Big) -> u32 {
    big.0[0]
}

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<u32>, mut out: DisjointBuffer<u32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let x = input.as_slice()[index.get()];
        let big = Big([x; 4]);
        *out = consume(big) + big.0[1];
    }
}
