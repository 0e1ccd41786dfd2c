use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<u32>, mut out: DisjointBuffer<u32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let x = input.as_slice()[index.get()];
        *out = "1.5".parse::<f32>().map_or(0, |f| f as u32) + x;
    }
}
