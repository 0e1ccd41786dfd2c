use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

const fn checked(size: usize) -> usize {
    assert!(size.is_power_of_two(), "the size is a power of two");
    size
}

const SIZE: usize = checked(12);

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<u32>, mut out: DisjointBuffer<u32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let x = input.as_slice()[index.get()];
        *out = x + SIZE as u32;
    }
}
