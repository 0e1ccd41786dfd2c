use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<i32>, mut out: DisjointBuffer<u32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let x = input.as_slice()[index.get()];
        let other = 1000;
        *out = x.abs_diff(other) + x.midpoint(other) as u32 + 7u32.midpoint(10) + x.signum() as u32 + u32::from(x.is_negative());
    }
}
