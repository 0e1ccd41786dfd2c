use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

trait Field: Copy {
    const ZERO: Self;
    fn add(self, other: Self) -> Self;
    fn to_bits(self) -> u32;
}

impl Field for f32 {
    const ZERO: f32 = 0.0;
    fn add(self, other: f32) -> f32 {
        self + other
    }
    fn to_bits(self) -> u32 {
        f32::to_bits(self)
    }
}

impl Field for u32 {
    const ZERO: u32 = 0;
    fn add(self, other: u32) -> u32 {
        self.wrapping_add(other)
    }
    fn to_bits(self) -> u32 {
        self
    }
}

struct Matrix<T, const N: usize>([[T; N]; N]);

impl<T: Field, const N: usize> Matrix<T, N> {
    fn trace(&self) -> T {
        let mut sum = T::ZERO;
        for i in 0..N {
            sum = sum.add(self.0[i][i]);
        }
        sum
    }
}

#[metal_oxide::kernel]
fn kernel(mut out: DisjointBuffer<u32>, x: f32) {
    if let Some(out) = out.get_mut(&thread_index()) {
        let a = Matrix([[x, 1.0, 2.0], [3.0, x, 4.0], [5.0, 6.0, x]]);
        let b = Matrix([[1u32, 2], [3, 4]]);
        *out = a.trace().to_bits() ^ b.trace().to_bits();
    }
}
