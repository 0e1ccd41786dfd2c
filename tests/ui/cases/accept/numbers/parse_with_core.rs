use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<u32>, mut out: DisjointBuffer<u32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let x = input.as_slice()[index.get()];
        let texts = ["12", "x", "4294967296", ""];
        let text = texts[x as usize % 4];
        *out = text.parse::<u32>().unwrap_or(7);
    }
}
