use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

fn walk(n: u32, visit: &impl Fn(u32) -> u32) -> u32 {
    if n == 0 { visit(0) } else { visit(n) + walk(n / 2, visit) }
}

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<u32>, mut out: DisjointBuffer<u32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let x = input.as_slice()[index.get()];
        *out = walk(x, &|n| n * 3);
    }
}
