use core::ops::{Index, IndexMut, Mul};

use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

#[derive(Clone, Copy)]
struct Vec3([f32; 3]);

impl Mul<Vec3> for f32 {
    type Output = Vec3;
    fn mul(self, vector: Vec3) -> Vec3 {
        Vec3(vector.0.map(|value| self * value))
    }
}

impl Index<usize> for Vec3 {
    type Output = f32;
    fn index(&self, i: usize) -> &f32 {
        &self.0[i]
    }
}

impl IndexMut<usize> for Vec3 {
    fn index_mut(&mut self, i: usize) -> &mut f32 {
        &mut self.0[i]
    }
}

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<[f32; 3]>, mut out: DisjointBuffer<[f32; 3]>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let mut vector = 0.5 * Vec3(input.as_slice()[index.get()]);
        vector[2] *= 3.0;
        vector[0] += vector[1];
        *out = vector.0;
    }
}
