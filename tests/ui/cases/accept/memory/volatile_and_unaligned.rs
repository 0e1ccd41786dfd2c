use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<u32>, mut out: DisjointBuffer<u32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let x = input.as_slice()[index.get()];
        let bytes = x.to_le_bytes();
        let wide = [bytes[3], bytes[0], bytes[1], bytes[2], 9];
        // SAFETY: the four bytes from the second on are in the array.
        *out = unsafe { wide.as_ptr().add(1).cast::<u32>().read_unaligned() };
    }
}
