use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<u32>, mut out: DisjointBuffer<u32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let mut seen = 0;
        let sum: u32 = input.as_slice().iter().inspect(|_| seen += 1).take(5).sum();
        *out = sum * 10 + seen;
    }
}
