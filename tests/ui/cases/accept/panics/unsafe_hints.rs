use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<u32>, mut out: DisjointBuffer<u32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let x = input.as_slice()[index.get()];
        // SAFETY: the host passes values below 8.
        unsafe { core::hint::assert_unchecked(x < 8) };
        let table = [1u32, 1, 2, 3, 5, 8, 13, 21];
        *out = match table[x as usize] {
            0 => unsafe { core::hint::unreachable_unchecked() },
            value => core::hint::black_box(value),
        };
    }
}
