use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

fn merge(a: &[i32], b: &[i32], into: &mut [i32]) {
    let (mut a, mut b) = (a.iter().peekable(), b.iter().peekable());
    for slot in into {
        let left = match (a.peek(), b.peek()) {
            (Some(a), Some(b)) => a <= b,
            (left, _) => left.is_some(),
        };
        *slot = if left { a.next() } else { b.next() }.copied().unwrap_or_default();
    }
}

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<[i32; 6]>, mut out: DisjointBuffer<[i32; 6]>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let x = input.as_slice()[index.get()];
        let (a, b) = x.split_at(3);
        merge(a, b, out);
    }
}
