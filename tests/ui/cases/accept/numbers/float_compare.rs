use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

use core::cmp::Ordering;

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<f32>, mut out: DisjointBuffer<i32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let x = input.as_slice()[index.get()];
        *out = match (x.partial_cmp(&1.0), x.total_cmp(&-0.0)) {
            (None, _) => -9,
            (Some(Ordering::Less), Ordering::Less) => -2,
            (Some(Ordering::Less), _) => -1,
            (Some(Ordering::Equal), _) => 0,
            (Some(Ordering::Greater), total) => total as i32,
        };
    }
}
