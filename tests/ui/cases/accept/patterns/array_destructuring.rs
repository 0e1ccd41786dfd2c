use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<[i32; 4]>, mut out: DisjointBuffer<i32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let x = input.as_slice()[index.get()];
        let [a, rest @ .., d] = x;
        let [b, c] = rest;
        let mut p;
        let q;
        (p, q) = (a * d, b * c);
        [p, _] = [p - q, 0];
        *out = p;
    }
}
