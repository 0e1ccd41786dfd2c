use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

#[derive(Clone, Copy, PartialEq, Default)]
struct Nothing;

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<u32>, mut out: DisjointBuffer<u32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let x = input.as_slice()[index.get()];
        let many = [Nothing; 7];
        let pairs: [(Nothing, u32); 2] = [(Nothing, x), (Nothing, 3)];
        *out =
            many.iter().filter(|nothing| **nothing == Nothing).count() as u32 + pairs[1].1 + many[1..3].len() as u32 + [(); 5].len() as u32;
    }
}
