use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

fn grow<T>(n: u32, value: T) -> u32 {
    if n == 0 { size_of::<T>() as u32 } else { grow(n - 1, (value, 1u8)) }
}

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<u32>, mut out: DisjointBuffer<u32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let x = input.as_slice()[index.get()];
        *out = grow(x, 0u8);
    }
}
