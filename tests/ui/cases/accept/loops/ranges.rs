use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

#[metal_oxide::kernel]
fn kernel(mut out: DisjointBuffer<i32>, n: i32) {
    if let Some(out) = out.get_mut(&thread_index()) {
        let mut sum = 0i32;
        for i in -n..=n {
            sum = sum.wrapping_add(i * i);
        }
        for i in (0..n).rev().step_by(3) {
            sum ^= i;
        }
        for (i, j) in (0..n).zip(5..) {
            sum -= i * j;
        }
        *out = sum;
    }
}
