use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

const fn fill(mut table: [u16; 4]) -> [u16; 4] {
    table[3] = 9;
    table
}
static A: [u16; 4] = fill([1; 4]);
static B: &[u16; 4] = &A;
static C: [&[u16; 4]; 2] = [B, &A];

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<u32>, mut out: DisjointBuffer<u32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let x = input.as_slice()[index.get()];
        *out = u32::from(C[x as usize % 2][3]) + u32::from(B[0]);
    }
}
