use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<u32>, mut out: DisjointBuffer<u32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let mut values = input.as_slice().iter().copied();
        let header: u32 = values.by_ref().take(2).sum();
        let body: u32 = values.by_ref().take_while(|&value| value != 0).sum();
        *out = header ^ body ^ values.next().unwrap_or(99);
    }
}
