use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

trait Double {
    fn double(self) -> Self;
}

impl<T: Copy + core::ops::Add<Output = T>> Double for T {
    fn double(self) -> T {
        self + self
    }
}

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<u32>, mut out: DisjointBuffer<f32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let x = input.as_slice()[index.get()];
        *out = x.double() as f32 + 1.5_f32.double() + f32::from(3_u8.double());
    }
}
