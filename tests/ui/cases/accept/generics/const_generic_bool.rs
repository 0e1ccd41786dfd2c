use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

fn accumulate<const SATURATE: bool>(values: &[u8]) -> u8 {
    let mut sum = 0u8;
    for value in values {
        sum = if SATURATE { sum.saturating_add(*value) } else { sum.wrapping_add(*value) };
    }
    sum
}

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<u8>, mut out: DisjointBuffer<u32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let values = input.as_slice();
        *out = u32::from(accumulate::<true>(values)) << 8 | u32::from(accumulate::<false>(values));
    }
}
