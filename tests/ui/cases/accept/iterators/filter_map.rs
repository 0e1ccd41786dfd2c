use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

fn even_half(value: u32) -> Option<u32> {
    (value % 2 == 0).then_some(value / 2)
}

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<u32>, mut out: DisjointBuffer<u32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        *out = input.as_slice().iter().copied().filter_map(even_half).fold(0, |a, b| a ^ b);
    }
}
