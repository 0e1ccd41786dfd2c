use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<u32>, mut out: DisjointBuffer<u32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let x = input.as_slice()[index.get()];
        *out = x.checked_ilog2().unwrap_or(99)
            + x.max(1).ilog10()
            + x.isqrt()
            + x.next_power_of_two()
            + 3u32.pow(x % 5)
            + x.next_multiple_of(7);
    }
}
