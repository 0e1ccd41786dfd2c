use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<u32>, mut out: DisjointBuffer<u32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let x = input.as_slice()[index.get()];
        let bytes = unsafe { core::slice::from_raw_parts(input.as_slice().as_ptr().cast::<u8>(), input.len() * 4) };
        *out = bytes.iter().map(|b| *b as u32).sum::<u32>() + x;
    }
}
