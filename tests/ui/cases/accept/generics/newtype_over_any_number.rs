use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

use core::ops::{Add, Mul};

trait Number: Copy + Add<Output = Self> + Mul<Output = Self> {
    const ONE: Self;
}

impl Number for u32 {
    const ONE: u32 = 1;
}

impl Number for f32 {
    const ONE: f32 = 1.0;
}

fn power<T: Number>(base: T, exponent: u32) -> T {
    let mut result = T::ONE;
    for _ in 0..exponent {
        result = result * base;
    }
    result
}

fn horner<T: Number, const N: usize>(coefficients: [T; N], at: T) -> T {
    coefficients.into_iter().rev().reduce(|value, next| value * at + next).unwrap_or(T::ONE)
}

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<f32>, mut out: DisjointBuffer<f32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let x = input.as_slice()[index.get()];
        *out = power(x, 5) + power(3u32, 4) as f32 + horner([1.0, -2.0, 0.5], x) + horner([1u32, 2], 3) as f32;
    }
}
