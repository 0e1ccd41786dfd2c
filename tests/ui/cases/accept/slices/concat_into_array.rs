use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

fn join<const A: usize, const B: usize>(a: &[u32; A], b: &[u32; B], into: &mut [u32]) {
    into[..A].copy_from_slice(a);
    into[A..A + B].copy_from_slice(b);
}

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<[u32; 2]>, mut out: DisjointBuffer<[u32; 5]>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let x = input.as_slice()[index.get()];
        let mut joined = [0; 5];
        join(&x, &[7, 8, 9], &mut joined);
        *out = joined;
    }
}
