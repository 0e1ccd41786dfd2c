use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

fn even(n: u32) -> bool {
    n == 0 || odd(n - 1)
}

fn odd(n: u32) -> bool {
    n != 0 && even(n - 1)
}

#[metal_oxide::kernel]
fn kernel(mut out: DisjointBuffer<u32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        *out = even(index.get() as u32) as u32;
    }
}
