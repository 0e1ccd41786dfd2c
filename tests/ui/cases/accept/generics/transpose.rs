use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

fn id<const N: usize, const M: usize>(a: [[u8; N]; M]) -> [[u8; M]; N] {
    core::array::from_fn(|i| core::array::from_fn(|j| a[j][i]))
}

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<[[u8; 3]; 2]>, mut out: DisjointBuffer<[[u8; 2]; 3]>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let x = input.as_slice()[index.get()];
        *out = id(x);
    }
}
