use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<[[u32; 3]; 4]>, mut out: DisjointBuffer<u32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let x = input.as_slice()[index.get()];
        let mut product = 1u32;
        for value in x.iter().flatten() {
            product = product.wrapping_mul(value | 1);
        }
        *out = product;
    }
}
