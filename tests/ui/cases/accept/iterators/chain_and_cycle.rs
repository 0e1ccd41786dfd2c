use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<u32>, mut out: DisjointBuffer<u32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let x = input.as_slice()[index.get()];
        let first = 1..4u32;
        let second = [x, x + 1].into_iter();
        *out = first.chain(second).cycle().take(13).fold(0, |sum, value| sum * 3 + value);
    }
}
