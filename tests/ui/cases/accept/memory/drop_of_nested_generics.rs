use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

struct D<T>(T, u32);
impl<T> Drop for D<T> {
    fn drop(&mut self) {
        self.1 += 1;
    }
}

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<u32>, mut out: DisjointBuffer<u32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let x = input.as_slice()[index.get()];
        let d = D(D(D([D((), x), D((), 1)], 2), 3), 4);
        *out = d.0.0.0[0].1;
    }
}
