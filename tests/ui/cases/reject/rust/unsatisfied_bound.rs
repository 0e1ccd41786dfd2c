use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

fn largest<T: Ord + Copy>(values: &[T]) -> Option<T> {
    values.iter().copied().max()
}

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<f32>, mut out: DisjointBuffer<f32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        *out = largest(input.as_slice()).unwrap_or(0.0);
    }
}
