use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<u32>, mut out: DisjointBuffer<u32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let x = input.as_slice()[index.get()];
        let text = "metal and rust";
        *out = text.chars().rev().skip(x as usize % 4).map(|letter| letter as u32).fold(0, |hash, letter| hash * 31 + letter);
    }
}
