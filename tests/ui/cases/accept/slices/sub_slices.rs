use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

fn sum(values: &[u32]) -> u32 {
    let mut sum = 0u32;
    for value in values {
        sum = sum.wrapping_add(*value);
    }
    sum
}

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<u32>, mut out: DisjointBuffer<u32>) {
    let index = thread_index();
    let i = index.get();
    if let Some(out) = out.get_mut(&index) {
        let values = input.as_slice();
        let (left, right) = values.split_at(i.min(values.len()));
        *out = sum(&values[i..]) + sum(&values[..i]) + sum(left) * sum(right) + values.first().copied().unwrap_or(0);
    }
}
