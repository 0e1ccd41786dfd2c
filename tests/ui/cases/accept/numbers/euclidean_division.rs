use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<i32>, mut out: DisjointBuffer<i32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let x = input.as_slice()[index.get()];
        let by = if x % 2 == 0 { -7 } else { 7 };
        *out = x.div_euclid(by) * 100 + x.rem_euclid(by) + x / by - x % by + x.unsigned_abs().div_ceil(4) as i32;
    }
}
