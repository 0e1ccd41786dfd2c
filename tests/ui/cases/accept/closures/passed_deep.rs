use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

fn outer(f: &impl Fn(u32) -> u32) -> u32 {
    middle(&|value| f(value) + 1)
}

fn middle(f: &impl Fn(u32) -> u32) -> u32 {
    inner(|value| f(value * 2))
}

fn inner(f: impl Fn(u32) -> u32) -> u32 {
    (0..4).map(f).sum()
}

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<u32>, mut out: DisjointBuffer<u32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let x = input.as_slice()[index.get()];
        *out = outer(&|value| value ^ x);
    }
}
