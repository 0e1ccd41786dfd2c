use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<u32>, mut out: DisjointBuffer<u32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let x = input.as_slice()[index.get()];
        let found = [Some(x), None, x.checked_sub(10), x.checked_mul(3)];
        *out = found.into_iter().flatten().max().unwrap_or(0);
    }
}
