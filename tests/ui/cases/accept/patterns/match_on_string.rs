use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

fn keyword(text: &str) -> u32 {
    match text {
        "let" => 1,
        "fn" => 2,
        "match" => 3,
        _ => 0,
    }
}

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<u32>, mut out: DisjointBuffer<u32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let x = input.as_slice()[index.get()];
        let words = ["fn", "let", "loop", "match"];
        *out = keyword(words[x as usize % words.len()]);
    }
}
