use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

struct Table<const N: usize>;

impl<const N: usize> Table<N> {
    const SQUARES: [u32; N] = {
        let mut table = [0; N];
        let mut i = 0;
        while i < N {
            table[i] = (i * i) as u32;
            i += 1;
        }
        table
    };
}

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<u32>, mut out: DisjointBuffer<u32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let x = input.as_slice()[index.get()];
        *out = Table::<8>::SQUARES[x as usize % 8] + Table::<3>::SQUARES.iter().sum::<u32>();
    }
}
