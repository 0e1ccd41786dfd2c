use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

struct Tile<const N: usize>;

impl<const N: usize> Tile<N> {
    const CHECK: () = assert!(N <= 16, "a tile has at most 16 columns");
    fn columns() -> u32 {
        let () = Self::CHECK;
        N as u32
    }
}

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<u32>, mut out: DisjointBuffer<u32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let x = input.as_slice()[index.get()];
        *out = x + Tile::<32>::columns();
    }
}
