use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<f32>, mut whole: DisjointBuffer<i32>, mut fraction: DisjointBuffer<f32>) {
    let index = thread_index();
    let (Some(whole), Some(fraction)) = (whole.get_mut(&index), fraction.get_mut(&index)) else { return };
    let value = input.as_slice()[index.get()];
    *whole = value as i32;
    *fraction = value.fract();
}
