//! Floating point: arithmetic, comparison, NaN rules, rounding and conversions.
//! Covers the rows A4 and A6 of the list of traps: conversions out of range, and minimum and maximum of NaN.

#![allow(clippy::all, reason = "kernels are written here in as many styles as people have")]

use language_tests::{check_binary, check_unary, interesting_floats};
use metal_oxide::Operation;

#[metal_oxide::kernels]
mod kernels {
    use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

    /// The bits of a float, with one pattern for all NaNs: Rust leaves their payload open.
    fn bits(value: f32) -> u32 {
        if value.is_nan() { 0x7fc0_0000 } else { value.to_bits() }
    }

    pub fn arithmetic(a: f32, b: f32) -> [u32; 12] {
        [
            bits(a + b),
            bits(a - b),
            bits(a * b),
            bits(a / b),
            bits(a % b),
            bits(-a),
            bits(a.abs()),
            bits(a.copysign(b)),
            bits(if a.is_nan() && b.is_nan() { 0.0 } else { a.max(b) + 0.0 }),
            bits(if a.is_nan() && b.is_nan() { 0.0 } else { a.min(b) + 0.0 }),
            (a < b) as u32
                | ((a <= b) as u32) << 1
                | ((a == b) as u32) << 2
                | ((a != b) as u32) << 3
                | ((a > b) as u32) << 4
                | ((a >= b) as u32) << 5,
            a.total_cmp(&b) as i32 as u32,
        ]
    }

    #[kernel]
    pub fn run_arithmetic(a: ReadBuffer<f32>, b: ReadBuffer<f32>, mut out: DisjointBuffer<[u32; 12]>) {
        let index = thread_index();
        if let Some(out) = out.get_mut(&index) {
            *out = arithmetic(a.as_slice()[index.get()], b.as_slice()[index.get()]);
        }
    }

    pub fn to_integers(value: f32) -> [i64; 8] {
        [
            value as i8 as i64,
            value as u8 as i64,
            value as i16 as i64,
            value as u16 as i64,
            value as i32 as i64,
            value as u32 as i64,
            value as i64,
            value as u64 as i64,
        ]
    }

    #[kernel]
    pub fn run_to_integers(input: ReadBuffer<f32>, mut out: DisjointBuffer<[i64; 8]>) {
        let index = thread_index();
        if let Some(out) = out.get_mut(&index) {
            *out = to_integers(input.as_slice()[index.get()]);
        }
    }

    pub fn from_integers(value: i64) -> [u32; 8] {
        [
            bits(value as f32),
            bits(value as u64 as f32),
            bits(value as i32 as f32),
            bits(value as u32 as f32),
            bits(value as i16 as f32),
            bits(value as u16 as f32),
            bits(value as i8 as f32),
            bits(value as u8 as f32),
        ]
    }

    #[kernel]
    pub fn run_from_integers(input: ReadBuffer<i64>, mut out: DisjointBuffer<[u32; 8]>) {
        let index = thread_index();
        if let Some(out) = out.get_mut(&index) {
            *out = from_integers(input.as_slice()[index.get()]);
        }
    }

    pub fn classes(value: f32) -> u32 {
        value.is_nan() as u32
            | (value.is_infinite() as u32) << 1
            | (value.is_finite() as u32) << 2
            | (value.is_sign_negative() as u32) << 3
            | (value.is_normal() as u32) << 4
            | (value.is_subnormal() as u32) << 5
    }

    #[kernel]
    pub fn run_classes(input: ReadBuffer<f32>, mut out: DisjointBuffer<u32>) {
        let index = thread_index();
        if let Some(out) = out.get_mut(&index) {
            *out = classes(input.as_slice()[index.get()]);
        }
    }
}

#[test]
fn a6_arithmetic_and_comparison_follow_rust() {
    let floats = interesting_floats();
    check_binary(&floats, &floats, kernels::arithmetic, |device, config, a, b, out| {
        kernels::run_arithmetic(device, config, a, b, out).wait().map(drop)
    });
}

#[test]
fn a4_conversions_to_integers_saturate() {
    check_unary(&interesting_floats(), kernels::to_integers, |device, config, input, out| {
        kernels::run_to_integers(device, config, input, out).wait().map(drop)
    });
}

#[test]
fn conversions_from_integers_round_to_even() {
    let integers = [
        0,
        1,
        -1,
        16777215,
        16777217,
        16777219,
        33554433,
        i64::MAX,
        i64::MIN,
        1 << 40 | 1 << 16,
        9007199791611905,
        -9007199791611905,
        128,
        200,
        40000,
    ];
    check_unary(&integers, kernels::from_integers, |device, config, input, out| {
        kernels::run_from_integers(device, config, input, out).wait().map(drop)
    });
}

#[test]
fn classification_sees_nan_infinities_and_subnormals() {
    let mut floats = interesting_floats();
    floats.extend([1e-40, -1e-45]);
    check_unary(&floats, kernels::classes, |device, config, input, out| kernels::run_classes(device, config, input, out).wait().map(drop));
}
