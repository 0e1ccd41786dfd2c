use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<i32>, mut out: DisjointBuffer<i32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let x = input.as_slice()[index.get()];
        let (wrapped, carried) = x.overflowing_mul(0x10001);
        let (difference, borrowed) = x.overflowing_sub(i32::MAX);
        let clamped = x.saturating_add(i32::MAX / 2).saturating_mul(3).saturating_sub(wrapped);
        *out = clamped ^ difference ^ i32::from(carried) ^ i32::from(borrowed) << 1;
    }
}
