use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

#[metal_oxide::kernel]
fn kernel(mut out: DisjointBuffer<u32>) {
    let index = thread_index();
    let a = out.get_mut(&index);
    let b = out.get_mut(&index);
    if let (Some(a), Some(b)) = (a, b) {
        *a = *b;
    }
}
