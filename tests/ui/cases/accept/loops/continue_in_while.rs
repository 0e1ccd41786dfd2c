use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<u32>, mut out: DisjointBuffer<u32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let x = input.as_slice()[index.get()];
        let mut i = 0;
        let mut sum = 0u32;
        while i < 32 {
            i += 1;
            if x & 1u32.wrapping_shl(i) == 0 {
                continue;
            }
            sum += i;
            if sum > 100 {
                break;
            }
        }
        *out = sum;
    }
}
