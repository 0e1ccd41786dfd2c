use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

#[metal_oxide::kernel]
fn kernel(values: ReadBuffer<f32>, indices: ReadBuffer<u32>, mut out: DisjointBuffer<f32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        *out = match indices.as_slice().get(index.get()) {
            Some(&at) => values.as_slice().get(at as usize).copied().unwrap_or(f32::NAN),
            None => 0.0,
        };
    }
}
