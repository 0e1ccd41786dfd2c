use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<u32>, mut out: DisjointBuffer<u32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let x = input.as_slice()[index.get()];
        if const { size_of::<usize>() == 4 } {
            panic!("32 bits")
        }
        *out = if usize::BITS == 64 { x } else { x / 0u32.max(x - x) };
    }
}
