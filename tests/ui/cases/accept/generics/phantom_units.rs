use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

use core::marker::PhantomData;
use core::ops::Add;

#[derive(Clone, Copy)]
struct Meters;

#[derive(Clone, Copy)]
struct Feet;

#[derive(Clone, Copy)]
struct Length<Unit>(f32, PhantomData<Unit>);

impl<Unit> Add for Length<Unit> {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self(self.0 + other.0, PhantomData)
    }
}

impl From<Length<Feet>> for Length<Meters> {
    fn from(feet: Length<Feet>) -> Self {
        Self(feet.0 * 0.3048, PhantomData)
    }
}

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<f32>, mut out: DisjointBuffer<f32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let x = input.as_slice()[index.get()];
        let feet: Length<Feet> = Length(x, PhantomData);
        let sum: Length<Meters> = Length(1.0, PhantomData) + (feet + feet).into();
        *out = sum.0;
    }
}
