use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

use core::ops::Mul;

#[derive(Clone, Copy)]
struct Matrix<const R: usize, const C: usize>([[f32; C]; R]);

impl<const R: usize, const K: usize, const C: usize> Mul<Matrix<K, C>> for Matrix<R, K> {
    type Output = Matrix<R, C>;
    fn mul(self, other: Matrix<K, C>) -> Matrix<R, C> {
        let mut product = Matrix([[0.0; C]; R]);
        for (row, into) in self.0.iter().zip(&mut product.0) {
            for (k, value) in row.iter().enumerate() {
                for (c, cell) in into.iter_mut().enumerate() {
                    *cell += value * other.0[k][c];
                }
            }
        }
        product
    }
}

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<[[f32; 3]; 2]>, mut out: DisjointBuffer<[[f32; 2]; 2]>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let x = input.as_slice()[index.get()];
        let other = Matrix([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]);
        *out = (Matrix(x) * other).0;
    }
}
