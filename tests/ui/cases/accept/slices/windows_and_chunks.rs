use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<u32>, mut out: DisjointBuffer<u32>) {
    if let Some(out) = out.get_mut(&thread_index()) {
        let mut total = 0u32;
        for pair in input.as_slice().windows(2) {
            total += pair[0].abs_diff(pair[1]);
        }
        for (i, chunk) in input.as_slice().chunks(3).enumerate() {
            total += chunk.len() as u32 * i as u32;
        }
        for value in input.as_slice().iter().rev().step_by(2).skip(1).take(10) {
            total ^= value;
        }
        *out = total;
    }
}
