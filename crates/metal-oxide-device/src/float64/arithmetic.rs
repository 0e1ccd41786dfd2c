//! The four operations, the remainder and the square root.

use super::pack::{
    IMPLICIT, INFINITY, NAN, SIGN, SPECIAL, exponent, fraction, is_nan, normal, normalize_round_pack, pack, round_pack, shift_right_sticky,
    sign,
};

/// `a + b`.
#[inline(never)]
pub fn f64_add(a: u64, b: u64) -> u64 {
    if sign(a) == sign(b) { add_magnitudes(a, b) } else { subtract_magnitudes(a, b ^ SIGN) }
}

/// `a - b`.
#[inline(never)]
pub fn f64_sub(a: u64, b: u64) -> u64 {
    if sign(a) == sign(b) { subtract_magnitudes(a, b) } else { add_magnitudes(a, b ^ SIGN) }
}

/// The sum of two values of the same sign.
#[inline]
fn add_magnitudes(a: u64, b: u64) -> u64 {
    // The bits of values of one sign are ordered as their magnitudes.
    let (large, small) = if a > b { (a, b) } else { (b, a) };
    let exponent_large = exponent(large);
    if exponent_large == SPECIAL {
        return if is_nan(large) { NAN } else { large };
    }
    let difference = exponent_large - exponent(small);
    // Nine bits for rounding and one for the carry.
    let mut significand = aligned(large, 9) + shift_right_sticky(aligned(small, 9), (difference - subnormal_shift(large, small)) as u32);
    let mut exponent = exponent_large.max(1);
    if significand < 1 << 62 {
        significand <<= 1;
        exponent -= 1;
    }
    if significand < 1 << 62 {
        // Both are subnormal: the sum is exact.
        return sign(large) | significand >> 10;
    }
    round_pack(sign(large), exponent, significand)
}

/// The difference of two values of the same sign.
#[inline]
fn subtract_magnitudes(a: u64, b: u64) -> u64 {
    if a == b {
        return if exponent(a) == SPECIAL { NAN } else { 0 };
    }
    let (large, small, sign_large) = if a > b { (a, b, sign(a)) } else { (b, a, sign(a) ^ SIGN) };
    let exponent_large = exponent(large);
    if exponent_large == SPECIAL {
        return if is_nan(large) { NAN } else { sign_large | INFINITY };
    }
    let difference = exponent_large - exponent(small);
    let significand = aligned(large, 10) - shift_right_sticky(aligned(small, 10), (difference - subnormal_shift(large, small)) as u32);
    normalize_round_pack(sign_large, exponent_large.max(1) - 1, significand)
}

/// The significand with its highest bit, if it has one, `shift` bits further up.
#[inline]
fn aligned(a: u64, shift: u32) -> u64 {
    let highest = if exponent(a) == 0 { 0 } else { IMPLICIT };
    (fraction(a) | highest) << shift
}

/// Subnormal numbers have the exponent of the smallest normal ones, though they store one less.
#[inline]
fn subnormal_shift(large: u64, small: u64) -> i32 {
    i32::from(exponent(small) == 0 && exponent(large) != 0)
}

/// `a * b`.
#[inline(never)]
pub fn f64_mul(a: u64, b: u64) -> u64 {
    let sign = sign(a ^ b);
    let (magnitude_a, magnitude_b) = (a & !SIGN, b & !SIGN);
    if is_nan(a) || is_nan(b) {
        return NAN;
    }
    if magnitude_a == INFINITY || magnitude_b == INFINITY {
        return if magnitude_a == 0 || magnitude_b == 0 { NAN } else { sign | INFINITY };
    }
    if magnitude_a == 0 || magnitude_b == 0 {
        return sign;
    }
    let (exponent_a, significand_a) = normal(exponent(a), fraction(a));
    let (exponent_b, significand_b) = normal(exponent(b), fraction(b));
    let product = u128::from(significand_a << 10) * u128::from(significand_b << 11);
    let significand = (product >> 64) as u64 | u64::from(product as u64 != 0);
    let exponent = exponent_a + exponent_b - 0x3ff;
    if significand < 1 << 62 { round_pack(sign, exponent - 1, significand << 1) } else { round_pack(sign, exponent, significand) }
}

/// `a / b`.
#[inline(never)]
pub fn f64_div(a: u64, b: u64) -> u64 {
    let sign = sign(a ^ b);
    let (magnitude_a, magnitude_b) = (a & !SIGN, b & !SIGN);
    if is_nan(a) || is_nan(b) || magnitude_a == magnitude_b && (magnitude_a == 0 || magnitude_a == INFINITY) {
        return NAN;
    }
    if magnitude_a == INFINITY || magnitude_b == 0 {
        return sign | INFINITY;
    }
    if magnitude_b == INFINITY || magnitude_a == 0 {
        return sign;
    }
    let (exponent_a, mut significand_a) = normal(exponent(a), fraction(a));
    let (exponent_b, significand_b) = normal(exponent(b), fraction(b));
    let mut exponent = exponent_a - exponent_b + 0x3fe;
    if significand_a < significand_b {
        exponent -= 1;
        significand_a <<= 1;
    }
    // The quotient is at least one and below two. Its 55 further bits come eleven at a time, for which the remainder has room.
    let (mut quotient, mut remainder) = (1, significand_a - significand_b);
    for _ in 0..5 {
        remainder <<= 11;
        quotient = (quotient << 11) | (remainder / significand_b);
        remainder %= significand_b;
    }
    round_pack(sign, exponent, quotient << 7 | u64::from(remainder != 0))
}

/// `a % b`, with the sign of `a`. Exact.
#[inline(never)]
pub fn f64_rem(a: u64, b: u64) -> u64 {
    let (magnitude_a, magnitude_b) = (a & !SIGN, b & !SIGN);
    if magnitude_a >= INFINITY || is_nan(b) || magnitude_b == 0 {
        return NAN;
    }
    if magnitude_a < magnitude_b {
        return a;
    }
    let (mut exponent_a, mut remainder) = normal(exponent(a), fraction(a));
    let (exponent_b, divisor) = normal(exponent(b), fraction(b));
    remainder %= divisor;
    while exponent_a > exponent_b && remainder != 0 {
        let step = (exponent_a - exponent_b).min(11);
        remainder = (remainder << step) % divisor;
        exponent_a -= step;
    }
    if remainder == 0 {
        return sign(a);
    }
    // What is left has at most the bits of the divisor, so nothing is rounded.
    let shift = (remainder.leading_zeros() as i32 - 11).min(exponent_b - 1);
    if shift < 0 {
        return sign(a) | remainder >> -shift;
    }
    let exponent = exponent_b - shift;
    let significand = remainder << shift;
    if significand & IMPLICIT == 0 { sign(a) | significand } else { pack(sign(a), exponent - 1, significand) }
}

/// The square root of `a`.
#[inline(never)]
pub fn f64_sqrt(a: u64) -> u64 {
    if a & !SIGN == 0 || a == INFINITY {
        return a;
    }
    if sign(a) != 0 || is_nan(a) {
        return NAN;
    }
    let (exponent, mut significand) = normal(exponent(a), fraction(a));
    let mut exponent = exponent - 0x3ff;
    if exponent & 1 != 0 {
        significand <<= 1;
        exponent -= 1;
    }
    // Digit by digit: two bits of the radicand give one of the root. The first 27 pairs are the significand, the rest are zeros.
    let (mut root, mut remainder) = (0, 0);
    for digit in 0..55 {
        let pair = if digit < 27 { significand >> (52 - 2 * digit) & 3 } else { 0 };
        remainder = remainder << 2 | pair;
        let trial = root << 2 | 1;
        root <<= 1;
        if remainder >= trial {
            remainder -= trial;
            root |= 1;
        }
    }
    round_pack(0, (exponent >> 1) + 0x3fe, root << 8 | u64::from(remainder != 0))
}
