use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

use core::ops::{Add, AddAssign, Mul, Neg, Sub};

#[derive(Clone, Copy, PartialEq)]
struct Vec3([f32; 3]);

impl Add for Vec3 {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self(core::array::from_fn(|i| self.0[i] + other.0[i]))
    }
}

impl Sub for Vec3 {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        self + -other
    }
}

impl Neg for Vec3 {
    type Output = Self;
    fn neg(self) -> Self {
        self * -1.0
    }
}

impl Mul<f32> for Vec3 {
    type Output = Self;
    fn mul(self, by: f32) -> Self {
        Self(self.0.map(|value| value * by))
    }
}

impl AddAssign for Vec3 {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<[f32; 3]>, mut out: DisjointBuffer<[f32; 3]>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let x = input.as_slice()[index.get()];
        let mut v = Vec3(x) * 2.0 - Vec3([1.0, 0.0, -1.0]);
        v += v;
        *out = v.0;
    }
}
