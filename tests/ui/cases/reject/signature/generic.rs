use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

#[metal_oxide::kernel]
fn kernel<T: Copy>(input: ReadBuffer<T>, mut out: DisjointBuffer<T>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        *out = input.as_slice()[index.get()];
    }
}
