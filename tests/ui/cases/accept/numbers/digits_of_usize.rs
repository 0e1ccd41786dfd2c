use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<u32>, mut out: DisjointBuffer<u32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let x = input.as_slice()[index.get()];
        let mut rest = usize::MAX - x as usize;
        let mut sum = 0;
        while rest > 0 {
            sum += rest % 10;
            rest /= 10;
        }
        *out = sum as u32 + usize::BITS + (isize::MIN as usize).leading_zeros();
    }
}
