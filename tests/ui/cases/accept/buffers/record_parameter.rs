use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

#[derive(Clone, Copy)]
#[repr(C)]
struct Camera {
    matrix: [[f32; 4]; 4],
    near: f32,
    flags: u32,
}

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<[f32; 4]>, mut out: DisjointBuffer<[f32; 4]>, camera: Camera) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let x = input.as_slice()[index.get()];
        *out = core::array::from_fn(|row| camera.matrix[row].iter().zip(&x).map(|(a, b)| a * b).sum::<f32>() - camera.near);
        if camera.flags & 1 != 0 {
            out.reverse();
        }
    }
}
