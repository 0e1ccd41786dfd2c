use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<[u32; 8]>, mut out: DisjointBuffer<u32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let x = input.as_slice()[index.get()];
        let mut values = x;
        values.sort_unstable();
        let mut kept = 1;
        for i in 1..values.len() {
            if values[i] != values[kept - 1] {
                values[kept] = values[i];
                kept += 1;
            }
        }
        *out = values[..kept].iter().fold(kept as u32, |hash, value| hash.wrapping_mul(31) ^ value);
    }
}
