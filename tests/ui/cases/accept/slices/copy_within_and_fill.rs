use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<[u32; 8]>, mut out: DisjointBuffer<[u32; 8]>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let x = input.as_slice()[index.get()];
        let mut values = x;
        values.copy_within(2..5, 0);
        values[5..].fill(9);
        values.rotate_left(1);
        *out = values;
    }
}
