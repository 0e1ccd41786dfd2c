//! The parts of a double, and how parts that do not fit are rounded into one.

/// The sign bit.
pub const SIGN: u64 = 1 << 63;
/// The bit above the fraction, which is not stored.
pub const IMPLICIT: u64 = 1 << 52;
/// The bits of the fraction.
pub const FRACTION: u64 = IMPLICIT - 1;
/// Infinity.
pub const INFINITY: u64 = 0x7ff << 52;
/// The NaN of all results.
pub const NAN: u64 = 0x7ff8 << 48;
/// The exponent of infinities and NaNs, and the first that no number has.
pub const SPECIAL: i32 = 0x7ff;

/// The stored exponent.
#[inline]
pub fn exponent(a: u64) -> i32 {
    (a >> 52) as i32 & SPECIAL
}

/// The stored fraction.
#[inline]
pub fn fraction(a: u64) -> u64 {
    a & FRACTION
}

/// The sign, in its place.
#[inline]
pub fn sign(a: u64) -> u64 {
    a & SIGN
}

/// Whether this is no number.
#[inline]
pub fn is_nan(a: u64) -> bool {
    a & !SIGN > INFINITY
}

/// Exponent and significand of a number that is neither zero nor special, with the bit that is not stored.
#[inline]
pub fn normal(exponent: i32, fraction: u64) -> (i32, u64) {
    if exponent != 0 {
        return (exponent, fraction | IMPLICIT);
    }
    let shift = fraction.leading_zeros() as i32 - 11;
    (1 - shift, fraction << shift)
}

/// Puts the parts together. A significand with its highest bit, which is not stored, adds one to the exponent.
#[inline]
pub fn pack(sign: u64, exponent: i32, significand: u64) -> u64 {
    sign.wrapping_add((exponent as u64) << 52).wrapping_add(significand)
}

/// Shifts right; bits that are lost leave a trace in the lowest one, which rounding looks at.
#[inline]
pub fn shift_right_sticky(a: u64, count: u32) -> u64 {
    if count > 63 { u64::from(a != 0) } else { a >> count | u64::from(a & ((1 << count) - 1) != 0) }
}

/// Rounds to nearest even. The significand has its highest bit at position 62, ten bits more than are kept, and the exponent is one less
/// than the stored one.
#[inline]
pub fn round_pack(sign: u64, exponent: i32, significand: u64) -> u64 {
    let (mut exponent, mut significand) = (exponent, significand);
    if exponent < 0 {
        significand = shift_right_sticky(significand, exponent.unsigned_abs());
        exponent = 0;
    } else if exponent > SPECIAL - 2 || (exponent == SPECIAL - 2 && significand + 0x200 >= SIGN) {
        return sign | INFINITY;
    }
    let is_half = significand & 0x3ff == 0x200;
    let rounded = (significand + 0x200) >> 10 & !u64::from(is_half);
    pack(sign, if rounded == 0 { 0 } else { exponent }, rounded)
}

/// Like [`round_pack`], for significands whose highest bit stands anywhere below bit 63.
#[inline]
pub fn normalize_round_pack(sign: u64, exponent: i32, significand: u64) -> u64 {
    let shift = significand.leading_zeros() as i32 - 1;
    round_pack(sign, exponent - shift, significand << shift)
}
