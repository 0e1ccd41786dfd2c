use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

fn odd_squares(limit: u32) -> impl Iterator<Item = u32> + Clone {
    (0..).map(|n: u32| n * n).filter(|square| square % 2 == 1).take_while(move |square| *square < limit)
}

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<u32>, mut out: DisjointBuffer<u32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let x = input.as_slice()[index.get()];
        let squares = odd_squares(x);
        *out = squares.clone().count() as u32 + squares.sum::<u32>();
    }
}
