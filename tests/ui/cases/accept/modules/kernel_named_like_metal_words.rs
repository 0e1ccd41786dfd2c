use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

// Names that mean something in Metal's language and nothing in Rust.
#[derive(Clone, Copy)]
struct float4 {
    device: f32,
    constant: f32,
}

fn half(int: f32) -> f32 {
    int * 0.5
}

#[metal_oxide::kernel]
fn main(thread: ReadBuffer<f32>, mut threadgroup: DisjointBuffer<f32>, kernel: f32) {
    let char = thread_index();
    let double = float4 { device: thread.as_slice()[char.get()], constant: kernel };
    if let Some(vertex) = threadgroup.get_mut(&char) {
        *vertex = half(double.device) + double.constant;
    }
}
