use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<i32>, mut out: DisjointBuffer<i32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let x = input.as_slice()[index.get()];
        let by = x - 3;
        *out = 100 / by + 100 % by + i32::MIN / x + (x as i64 / by as i64) as i32 + 5u32.div_ceil(by as u32) as i32;
    }
}
