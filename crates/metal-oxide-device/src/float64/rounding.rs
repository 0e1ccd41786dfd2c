//! Rounding to integers that are still doubles.

use super::pack::{FRACTION, IMPLICIT, NAN, SIGN, exponent, is_nan, sign};

/// One.
const ONE: u64 = 0x3ff << 52;

/// How a double is made of an integer and a fraction.
enum Parts {
    /// It is an integer already, infinite, or NaN: the result.
    Whole(u64),
    /// Its magnitude is below one.
    Small {
        /// The magnitude is at least a half.
        at_least_half: bool,
    },
    /// Its bits below the binary point are those of the mask.
    Mixed { mask: u64 },
}

#[inline]
fn parts(a: u64) -> Parts {
    let exponent = exponent(a) - 0x3ff;
    if exponent >= 52 {
        Parts::Whole(if is_nan(a) { NAN } else { a })
    } else if a & !SIGN == 0 {
        Parts::Whole(a)
    } else if exponent < 0 {
        Parts::Small { at_least_half: exponent == -1 }
    } else {
        Parts::Mixed { mask: FRACTION >> exponent }
    }
}

/// Towards zero.
#[inline(never)]
pub fn f64_truncate(a: u64) -> u64 {
    match parts(a) {
        Parts::Whole(a) => a,
        Parts::Small { .. } => sign(a),
        Parts::Mixed { mask } => a & !mask,
    }
}

/// Towards negative infinity.
#[inline(never)]
pub fn f64_floor(a: u64) -> u64 {
    away_if(a, sign(a) != 0)
}

/// Towards positive infinity.
#[inline(never)]
pub fn f64_ceil(a: u64) -> u64 {
    away_if(a, sign(a) == 0)
}

/// Away from zero, or towards it.
#[inline]
fn away_if(a: u64, away: bool) -> u64 {
    match parts(a) {
        Parts::Whole(a) => a,
        Parts::Small { .. } => sign(a) | if away { ONE } else { 0 },
        // A carry out of the fraction goes into the exponent, which is as it should be.
        Parts::Mixed { mask } => (if away { a + mask } else { a }) & !mask,
    }
}

/// To the nearest, halves away from zero.
#[inline(never)]
pub fn f64_round(a: u64) -> u64 {
    match parts(a) {
        Parts::Whole(a) => a,
        Parts::Small { at_least_half } => sign(a) | if at_least_half { ONE } else { 0 },
        Parts::Mixed { mask } => (a + ((mask + 1) >> 1)) & !mask,
    }
}

/// To the nearest, halves to even.
#[inline(never)]
pub fn f64_round_even(a: u64) -> u64 {
    match parts(a) {
        Parts::Whole(a) => a,
        Parts::Small { at_least_half } => sign(a) | if at_least_half && a & FRACTION != 0 { ONE } else { 0 },
        Parts::Mixed { mask } => {
            let half = (mask + 1) >> 1;
            // Where the fraction takes all bits, the lowest bit of the integer is the one that is not stored. The lowest bit of the
            // exponent, which stands in its place, is set then.
            let is_even = a & (mask + 1) == 0;
            debug_assert!(mask != FRACTION || a & IMPLICIT != 0);
            if a & mask == half && is_even { a & !mask } else { (a + half) & !mask }
        }
    }
}
