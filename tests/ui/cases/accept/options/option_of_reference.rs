use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

fn larger<'a>(a: Option<&'a u32>, b: Option<&'a u32>) -> Option<&'a u32> {
    match (a, b) {
        (Some(a), Some(b)) => Some(if a > b { a } else { b }),
        (one, None) | (None, one) => one,
    }
}

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<u32>, mut out: DisjointBuffer<u32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let x = input.as_slice()[index.get()];
        let values = input.as_slice();
        *out = larger(values.get(3), values.get(x as usize)).copied().unwrap_or(0);
    }
}
