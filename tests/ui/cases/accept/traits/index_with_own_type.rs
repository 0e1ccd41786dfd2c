use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

use core::ops::Index;

#[derive(Clone, Copy)]
struct Cell {
    row: usize,
    column: usize,
}

struct Matrix<'a, const W: usize>(&'a [f32]);

impl<const W: usize> Index<Cell> for Matrix<'_, W> {
    type Output = f32;
    fn index(&self, at: Cell) -> &f32 {
        &self.0[at.row * W + at.column]
    }
}

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<f32>, mut out: DisjointBuffer<f32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let matrix = Matrix::<4>(input.as_slice());
        *out = matrix[Cell { row: 1, column: 2 }] - matrix[Cell { row: 0, column: index.get() % 4 }];
    }
}
