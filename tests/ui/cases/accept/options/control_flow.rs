use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

use core::ops::ControlFlow;

fn search(values: &[u32], limit: u32) -> ControlFlow<usize, u32> {
    let mut sum = 0;
    for (i, value) in values.iter().enumerate() {
        sum += value;
        if sum > limit {
            ControlFlow::Break(i)?;
        }
    }
    ControlFlow::Continue(sum)
}

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<u32>, mut out: DisjointBuffer<u32>, limit: u32) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        *out = match search(input.as_slice(), limit) {
            ControlFlow::Continue(sum) => sum,
            ControlFlow::Break(i) => i as u32,
        };
    }
}
