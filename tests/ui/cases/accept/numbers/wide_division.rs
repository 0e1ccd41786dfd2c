use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<u64>, mut out: DisjointBuffer<u64>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let wide = u128::from(input.as_slice()[index.get()]) << 40;
        *out = (wide / 1_000_000_007) as u64;
    }
}
