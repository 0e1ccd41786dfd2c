//! Division of 128-bit integers, and their conversions from and to `f32`: what takes too long to be written out where it is used.
//!
//! The kernel compiler splits 128-bit integers into halves of 64 bits and calls these functions, which it finds by their names. Their own
//! 128-bit arithmetic is of the kind that it writes out.

use core::num::NonZero;

/// `a / b`; `b` is not zero.
#[inline(never)]
pub fn u128_div(a: u128, b: u128) -> u128 {
    divide(a, b).0
}

/// `a % b`; `b` is not zero.
#[inline(never)]
pub fn u128_rem(a: u128, b: u128) -> u128 {
    divide(a, b).1
}

/// `a / b`, towards zero; `b` is not zero, and the quotient fits.
#[inline(never)]
pub fn i128_div(a: i128, b: i128) -> i128 {
    let quotient = divide(a.unsigned_abs(), b.unsigned_abs()).0 as i128;
    if (a < 0) == (b < 0) { quotient } else { quotient.wrapping_neg() }
}

/// `a % b`, with the sign of `a`; `b` is not zero, and the quotient fits.
#[inline(never)]
pub fn i128_rem(a: i128, b: i128) -> i128 {
    let remainder = divide(a.unsigned_abs(), b.unsigned_abs()).1 as i128;
    if a < 0 { remainder.wrapping_neg() } else { remainder }
}

/// Quotient and remainder.
#[inline]
fn divide(a: u128, b: u128) -> (u128, u128) {
    if a < b {
        return (0, a);
    }
    if let (Ok(a), Some(b)) = (u64::try_from(a), NonZero::new(b as u64)) {
        return ((a / b).into(), (a % b).into());
    }
    // Bit by bit, from where the divisor's highest bit stands below the dividend's.
    let shift = b.leading_zeros() - a.leading_zeros();
    let (mut divisor, mut remainder, mut quotient) = (b << shift, a, 0);
    for _ in 0..=shift {
        quotient <<= 1;
        if remainder >= divisor {
            remainder -= divisor;
            quotient |= 1;
        }
        divisor >>= 1;
    }
    (quotient, remainder)
}

/// The integer towards zero, saturating; zero for NaN.
#[inline(never)]
pub fn u128_from_f32(bits: u32) -> u128 {
    if bits >> 31 != 0 || bits > INFINITY { 0 } else { magnitude(bits).unwrap_or(u128::MAX) }
}

/// The integer towards zero, saturating; zero for NaN.
#[inline(never)]
pub fn i128_from_f32(bits: u32) -> i128 {
    let absolute = bits & !(1 << 31);
    if absolute > INFINITY {
        return 0;
    }
    let magnitude = magnitude(absolute).filter(|&magnitude| magnitude <= i128::MAX as u128);
    match (magnitude, bits >> 31 == 0) {
        (Some(magnitude), true) => magnitude as i128,
        (Some(magnitude), false) => (magnitude as i128).wrapping_neg(),
        (None, true) => i128::MAX,
        (None, false) => i128::MIN,
    }
}

/// The bits of the nearest `f32`.
#[inline(never)]
pub fn u128_to_f32(a: u128) -> u32 {
    round(a)
}

/// The bits of the nearest `f32`.
#[inline(never)]
pub fn i128_to_f32(a: i128) -> u32 {
    let sign = if a < 0 { 1 << 31 } else { 0 };
    sign | round(a.unsigned_abs())
}

/// The bits of positive infinity.
const INFINITY: u32 = 0xff << 23;

/// The integer part of a positive float that is not NaN, if it fits.
#[inline]
fn magnitude(bits: u32) -> Option<u128> {
    let exponent = (bits >> 23) as i32 - 127;
    let significand = u128::from(bits & 0x7f_ffff | 1 << 23);
    match exponent {
        ..0 => Some(0),
        0..23 => Some(significand >> (23 - exponent)),
        23..128 => Some(significand << (exponent - 23)),
        _ => None,
    }
}

#[inline]
fn round(a: u128) -> u32 {
    if a == 0 {
        return 0;
    }
    let shift = a.leading_zeros();
    let aligned = a << shift;
    // 24 bits stay. The lowest bit remembers those that do not, as far as rounding has to know.
    let significand = (aligned >> 96) as u32 | u32::from(aligned << 32 != 0);
    let is_half = significand & 0xff == 0x80;
    // A carry out of the significand goes into the exponent, which is as it should be.
    let rounded = (u64::from(significand) + 0x80) >> 8 & !u64::from(is_half);
    let exponent = 127 + 127 - shift;
    ((exponent - 1) << 23) + rounded as u32
}

#[cfg(test)]
mod tests {
    use std::vec::Vec;

    use super::*;

    fn numbers() -> Vec<u128> {
        let mut numbers: Vec<u128> = (0..20).collect();
        for shift in 0..128 {
            let pattern = 0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835_u128 >> shift;
            numbers.extend([1 << shift, (1_u128 << shift).wrapping_sub(1), u128::MAX << shift, pattern, !pattern]);
        }
        numbers
    }

    #[test]
    fn divisions() {
        for a in numbers() {
            for b in numbers().into_iter().filter(|&b| b != 0) {
                assert_eq!((u128_div(a, b), u128_rem(a, b)), (a / b, a % b), "{a:#x} by {b:#x}");
                let (a, b) = (a as i128, b as i128);
                if let (Some(quotient), Some(remainder)) = (a.checked_div(b), a.checked_rem(b)) {
                    assert_eq!((i128_div(a, b), i128_rem(a, b)), (quotient, remainder), "{a:#x} by {b:#x}");
                }
            }
        }
    }

    #[test]
    fn conversions() {
        for a in numbers() {
            assert_eq!(u128_to_f32(a), (a as f32).to_bits(), "{a:#x}");
            assert_eq!(i128_to_f32(a as i128), (a as i128 as f32).to_bits(), "{:#x}", a as i128);
        }
        for bits in (0..=u32::MAX).step_by(9973) {
            let x = f32::from_bits(bits);
            assert_eq!(u128_from_f32(bits), x as u128, "{x:e}");
            assert_eq!(i128_from_f32(bits), x as i128, "{x:e}");
        }
    }
}
