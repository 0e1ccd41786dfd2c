use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<[u32; 8]>, mut out: DisjointBuffer<[u32; 8]>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let mut values = input.as_slice()[index.get()];
        values.sort_unstable();
        values.swap(0, 7);
        values[1..4].reverse();
        *out = values;
    }
}
