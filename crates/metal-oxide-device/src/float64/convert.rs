//! Conversions from and to `f32`, whose bits travel as a `u32`, and 64-bit integers.

use super::pack::{
    INFINITY, NAN, SIGN, SPECIAL, exponent, fraction, is_nan, normal, normalize_round_pack, pack, round_pack, shift_right_sticky, sign,
};

/// The double with the value of an `f32`.
#[inline(never)]
pub fn f64_from_f32(a: u32) -> u64 {
    let sign = u64::from(a >> 31) << 63;
    let (exponent, fraction) = ((a >> 23 & 0xff) as i32, a & 0x7f_ffff);
    match (exponent, fraction) {
        (0xff, 0) => sign | INFINITY,
        (0xff, _) => NAN,
        (0, 0) => sign,
        (0, _) => {
            let shift = fraction.leading_zeros() as i32 - 8;
            let fraction = fraction << shift & 0x7f_ffff;
            pack(sign, 0x381 - shift, u64::from(fraction) << 29)
        }
        _ => pack(sign, exponent + 0x380, u64::from(fraction) << 29),
    }
}

/// The nearest `f32`.
#[inline(never)]
pub fn f64_to_f32(a: u64) -> u32 {
    let sign = (a >> 63 << 31) as u32;
    if exponent(a) == SPECIAL {
        return if is_nan(a) { 0x7fc0_0000 } else { sign | 0x7f80_0000 };
    }
    if a & !SIGN == 0 {
        return sign;
    }
    let (exponent, significand) = normal(exponent(a), fraction(a));
    // The highest bit goes to position 30, seven bits more than are kept.
    let mut significand = shift_right_sticky(significand, 22);
    let mut exponent = exponent - 0x381;
    if exponent < 0 {
        significand = shift_right_sticky(significand, exponent.unsigned_abs());
        exponent = 0;
    } else if exponent > 0xfd || (exponent == 0xfd && significand + 0x40 >= 1 << 31) {
        return sign | 0x7f80_0000;
    }
    let is_half = significand & 0x7f == 0x40;
    let rounded = ((significand + 0x40) >> 7) as u32 & !u32::from(is_half);
    let exponent = if rounded == 0 { 0 } else { exponent as u32 };
    sign + (exponent << 23) + rounded
}

/// The double nearest to an unsigned integer.
#[inline(never)]
pub fn f64_from_u64(a: u64) -> u64 {
    from_magnitude(0, a)
}

/// The double nearest to a signed integer.
#[inline(never)]
pub fn f64_from_i64(a: i64) -> u64 {
    from_magnitude(a as u64 & SIGN, a.unsigned_abs())
}

#[inline]
fn from_magnitude(sign: u64, a: u64) -> u64 {
    if a == 0 {
        0
    } else if a & SIGN != 0 {
        round_pack(sign, 0x43d, shift_right_sticky(a, 1))
    } else {
        normalize_round_pack(sign, 0x43c, a)
    }
}

/// The unsigned integer towards zero, saturating; zero for NaN.
#[inline(never)]
pub fn f64_to_u64(a: u64) -> u64 {
    if is_nan(a) || sign(a) != 0 { 0 } else { magnitude(a).unwrap_or(u64::MAX) }
}

/// The signed integer towards zero, saturating; zero for NaN.
#[inline(never)]
pub fn f64_to_i64(a: u64) -> i64 {
    if is_nan(a) {
        return 0;
    }
    let magnitude = magnitude(a).filter(|&magnitude| magnitude < SIGN);
    match (magnitude, sign(a) == 0) {
        (Some(magnitude), true) => magnitude as i64,
        (Some(magnitude), false) => -(magnitude as i64),
        (None, true) => i64::MAX,
        (None, false) => i64::MIN,
    }
}

/// The integer part of the magnitude, if it has at most 64 bits.
#[inline]
fn magnitude(a: u64) -> Option<u64> {
    let exponent = exponent(a) - 0x3ff;
    if exponent < 0 {
        return Some(0);
    }
    let significand = fraction(a) | 1 << 52;
    match exponent {
        0..52 => Some(significand >> (52 - exponent)),
        52..64 => Some(significand << (exponent - 52)),
        _ => None,
    }
}
