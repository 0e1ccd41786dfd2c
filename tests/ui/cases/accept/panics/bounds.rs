use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<u32>, mut out: DisjointBuffer<u32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let x = input.as_slice()[index.get()];
        let table = [1u32, 2, 3];
        let values = input.as_slice();
        *out = table[x as usize] + values[values.len() - 1] + values[1..x as usize].len() as u32 + table[values[0] as usize..][0];
    }
}
