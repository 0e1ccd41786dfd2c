use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<i32>, mut out: DisjointBuffer<i32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let target = index.get() as i32;
        *out = input.as_slice().iter().copied().min_by_key(|value| value.abs_diff(target)).unwrap_or(target);
    }
}
