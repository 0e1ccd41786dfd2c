use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<[f32; 5]>, mut out: DisjointBuffer<[f32; 5]>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let x = input.as_slice()[index.get()];
        let mut values = x;
        values.sort_unstable_by(|a, b| b.abs().total_cmp(&a.abs()));
        *out = values;
    }
}
