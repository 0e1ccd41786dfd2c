//! Compares every operation with the hardware's, at all edges and at random.

use std::vec::Vec;

use super::*;

/// Doubles at which something changes, and neighbours of theirs.
fn edges() -> Vec<u64> {
    let mut edges = Vec::new();
    for exponent in [
        0, 1, 2, 0x380, 0x381, 0x382, 0x3fd, 0x3fe, 0x3ff, 0x400, 0x401, 0x41d, 0x41e, 0x433, 0x434, 0x43d, 0x43e, 0x43f, 0x47e, 0x47f,
        0x7fd, 0x7fe, 0x7ff_u64,
    ] {
        for fraction in [0, 1, 2, 1 << 28, (1 << 29) - 1, 1 << 29, 3 << 28, 1 << 51, (1 << 51) + 1, (1 << 52) - (1 << 28), (1 << 52) - 1] {
            let bits = exponent << 52 | fraction;
            edges.extend([bits, bits | 1 << 63]);
        }
    }
    edges
}

/// Random bits, among them many doubles that are close to one another.
struct Random(u64);

impl Random {
    fn bits(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        let bits = self.0.wrapping_mul(0x2545_f491_4f6c_dd1d);
        match bits % 4 {
            // An exponent around that of one.
            0 => bits & !(0x7ff << 52) | ((0x3f0 + (bits >> 56)) % 0x7ff) << 52,
            // Few bits in the fraction.
            1 => bits & 0xffff_8000_0000_0000,
            _ => bits,
        }
    }
}

fn pairs() -> impl Iterator<Item = (u64, u64)> {
    let edges = edges();
    let crossed: Vec<_> = edges.iter().flat_map(|&a| edges.iter().map(move |&b| (a, b))).collect();
    let mut random = Random(0x1234_5678_9abc_def1);
    crossed.into_iter().chain((0..200_000).map(move |_| (random.bits(), random.bits())))
}

fn singles() -> impl Iterator<Item = u64> {
    let mut random = Random(0x0fed_cba9_8765_4321);
    edges().into_iter().chain((0..200_000).map(move |_| random.bits()))
}

/// The bits, of all NaNs those of one.
fn bits(value: f64) -> u64 {
    if value.is_nan() { 0x7ff8 << 48 } else { value.to_bits() }
}

#[track_caller]
fn check_binary(name: &str, ours: fn(u64, u64) -> u64, hardware: impl Fn(f64, f64) -> f64) {
    for (a, b) in pairs() {
        let (x, y) = (f64::from_bits(a), f64::from_bits(b));
        assert_eq!(ours(a, b), bits(hardware(x, y)), "{name} of {x:e} and {y:e} ({a:#x}, {b:#x})");
    }
}

#[track_caller]
fn check_unary(name: &str, ours: fn(u64) -> u64, hardware: impl Fn(f64) -> f64) {
    for a in singles() {
        let x = f64::from_bits(a);
        assert_eq!(ours(a), bits(hardware(x)), "{name} of {x:e} ({a:#x})");
    }
}

#[test]
fn arithmetic() {
    check_binary("sum", f64_add, |x, y| x + y);
    check_binary("difference", f64_sub, |x, y| x - y);
    check_binary("product", f64_mul, |x, y| x * y);
    check_binary("quotient", f64_div, |x, y| x / y);
    check_unary("square root", f64_sqrt, f64::sqrt);
}

#[test]
fn remainders() {
    check_binary("remainder", f64_rem, |x, y| x % y);
}

#[test]
fn comparisons() {
    for (a, b) in pairs() {
        let (x, y) = (f64::from_bits(a), f64::from_bits(b));
        assert_eq!(f64_equal(a, b), x == y, "{x:e} == {y:e}");
        assert_eq!(f64_less(a, b), x < y, "{x:e} < {y:e}");
        assert_eq!(f64_less_equal(a, b), x <= y, "{x:e} <= {y:e}");
        // Which zero it is, is open.
        assert!(x.is_nan() && y.is_nan() || f64::from_bits(f64_min(a, b)) == x.min(y), "minimum of {x:e} and {y:e}");
        assert!(x.is_nan() && y.is_nan() || f64::from_bits(f64_max(a, b)) == x.max(y), "maximum of {x:e} and {y:e}");
    }
}

#[test]
fn rounding() {
    check_unary("floor", f64_floor, f64::floor);
    check_unary("ceil", f64_ceil, f64::ceil);
    check_unary("trunc", f64_truncate, f64::trunc);
    check_unary("round", f64_round, f64::round);
    check_unary("round_ties_even", f64_round_even, f64::round_ties_even);
}

#[test]
fn conversions() {
    for a in singles() {
        let x = f64::from_bits(a);
        let single = x as f32;
        let expected = if single.is_nan() { 0x7fc0_0000 } else { single.to_bits() };
        assert_eq!(f64_to_f32(a), expected, "{x:e} as f32");
        assert_eq!(f64_to_u64(a), x as u64, "{x:e} as u64");
        assert_eq!(f64_to_i64(a), x as i64, "{x:e} as i64");
        assert_eq!(f64_from_u64(a), (a as f64).to_bits(), "{a} as f64");
        assert_eq!(f64_from_i64(a as i64), (a as i64 as f64).to_bits(), "{} as f64", a as i64);
        let small = f32::from_bits((a >> 17) as u32);
        assert_eq!(f64_from_f32((a >> 17) as u32), bits(small.into()), "{small:e} as f64");
    }
    for number in (0..64).flat_map(|shift| [1_u64 << shift, (1 << shift) - 1, u64::MAX << shift]) {
        assert_eq!(f64_from_u64(number), (number as f64).to_bits(), "{number} as f64");
        assert_eq!(f64_from_i64(number as i64), (number as i64 as f64).to_bits(), "{} as f64", number as i64);
    }
}
