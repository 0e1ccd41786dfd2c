use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

fn make(factor: u32) -> impl Fn(u32) -> u32 {
    move |value| value * factor
}

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<u32>, mut out: DisjointBuffer<u32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let x = input.as_slice()[index.get()];
        let functions = [make(2), make(3), make(x)];
        *out = functions.iter().map(|function| function(10)).sum();
    }
}
