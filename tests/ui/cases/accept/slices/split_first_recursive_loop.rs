use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<u32>, mut out: DisjointBuffer<u32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let mut rest = input.as_slice();
        let mut depth = 0u32;
        while let Some((first, tail)) = rest.split_first() {
            depth = depth.wrapping_mul(7).wrapping_add(*first);
            rest = tail;
        }
        *out = depth;
    }
}
