//! Comparisons, which are false for NaN, and what follows from them.

use super::pack::{NAN, SIGN, is_nan};

/// `a == b`.
#[inline(never)]
pub fn f64_equal(a: u64, b: u64) -> bool {
    !is_nan(a) && !is_nan(b) && (a == b || (a | b) & !SIGN == 0)
}

/// `a < b`.
#[inline(never)]
pub fn f64_less(a: u64, b: u64) -> bool {
    !is_nan(a) && !is_nan(b) && (a | b) & !SIGN != 0 && order(a) < order(b)
}

/// `a <= b`.
#[inline(never)]
pub fn f64_less_equal(a: u64, b: u64) -> bool {
    !is_nan(a) && !is_nan(b) && ((a | b) & !SIGN == 0 || order(a) <= order(b))
}

/// The smaller; if one is NaN, the other.
#[inline(never)]
pub fn f64_min(a: u64, b: u64) -> u64 {
    choose(a, b, order(a) < order(b))
}

/// The larger; if one is NaN, the other.
#[inline(never)]
pub fn f64_max(a: u64, b: u64) -> u64 {
    choose(a, b, order(a) > order(b))
}

#[inline]
fn choose(a: u64, b: u64, first: bool) -> u64 {
    match (is_nan(a), is_nan(b)) {
        (true, true) => NAN,
        (true, false) => b,
        (false, true) => a,
        (false, false) => {
            if first {
                a
            } else {
                b
            }
        }
    }
}

/// A number that is ordered as the double is, except that the negative zero comes before the other one.
#[inline]
fn order(a: u64) -> i64 {
    let a = a as i64;
    a ^ (a >> 63) & i64::MAX
}
