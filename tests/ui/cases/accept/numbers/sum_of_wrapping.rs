use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<u32>, mut out: DisjointBuffer<u32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        use core::num::Wrapping;
        *out = input.as_slice().iter().map(|v| Wrapping(*v)).sum::<Wrapping<u32>>().0
            + input.as_slice().iter().map(|v| *v as u8 as f32).product::<f32>() as u32;
    }
}
