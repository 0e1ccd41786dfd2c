use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

fn fibonacci(n: u32) -> u32 {
    if n < 2 { n } else { fibonacci(n - 1) + fibonacci(n - 2) }
}

#[metal_oxide::kernel]
fn kernel(mut out: DisjointBuffer<u32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        *out = fibonacci(index.get() as u32);
    }
}
