use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

#[metal_oxide::kernel]
fn kernel(a: ReadBuffer<f32>, b: ReadBuffer<f32>, mut out: DisjointBuffer<f32>, second: bool) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let chosen = if second { b.as_slice() } else { a.as_slice() };
        *out = chosen.iter().sum::<f32>() + chosen[index.get()];
    }
}
