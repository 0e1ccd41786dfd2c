//! Kernels that call `num-traits`: operations on integers of every width through its traits, and on floats through `Float`.
#![no_std]

use metal_oxide_device::{DisjointBuffer, ReadBuffer, kernel, thread_index};
use num_traits::ops::bytes::ToBytes;
use num_traits::ops::euclid::{CheckedEuclid, Euclid};
use num_traits::ops::overflowing::{OverflowingAdd, OverflowingMul, OverflowingSub};
use num_traits::ops::saturating::{SaturatingAdd, SaturatingMul, SaturatingSub};
use num_traits::{
    AsPrimitive, Bounded, CheckedMul, CheckedNeg, CheckedRem, CheckedShl, CheckedShr, Float, FloatConst, FromPrimitive, MulAdd, NumCast,
    PrimInt, WrappingAdd, WrappingMul, WrappingNeg, WrappingShl, WrappingShr, WrappingSub, clamp, one, pow, zero,
};
use witness_support::{Bits, table};

/// What all integers can do.
pub trait Integer:
    PrimInt
    + AsPrimitive<u64>
    + AsPrimitive<u8>
    + AsPrimitive<f32>
    + Bits
    + CheckedEuclid
    + CheckedNeg
    + CheckedRem
    + CheckedShl
    + CheckedShr
    + FromPrimitive
    + MulAdd<Output = Self>
    + OverflowingAdd
    + OverflowingMul
    + OverflowingSub
    + SaturatingAdd
    + SaturatingMul
    + SaturatingSub
    + ToBytes<Bytes: AsRef<[u8]>>
    + WrappingAdd
    + WrappingMul
    + WrappingNeg
    + WrappingShl
    + WrappingShr
    + WrappingSub
{
}

impl<T> Integer for T where
    T: PrimInt
        + AsPrimitive<u64>
        + AsPrimitive<u8>
        + AsPrimitive<f32>
        + Bits
        + CheckedEuclid
        + CheckedNeg
        + CheckedRem
        + CheckedShl
        + CheckedShr
        + FromPrimitive
        + MulAdd<Output = Self>
        + OverflowingAdd
        + OverflowingMul
        + OverflowingSub
        + SaturatingAdd
        + SaturatingMul
        + SaturatingSub
        + ToBytes<Bytes: AsRef<[u8]>>
        + WrappingAdd
        + WrappingMul
        + WrappingNeg
        + WrappingShl
        + WrappingShr
        + WrappingSub
{
}

/// The greatest common divisor, by Stein's algorithm over any integer.
fn gcd<T: PrimInt>(a: T, b: T) -> T {
    let (mut a, mut b) = (a, b);
    if a.is_zero() || b.is_zero() {
        return a | b;
    }
    let shift = (a | b).trailing_zeros() as usize;
    a = a.unsigned_shr(a.trailing_zeros());
    while !b.is_zero() {
        b = b.unsigned_shr(b.trailing_zeros());
        if a > b {
            core::mem::swap(&mut a, &mut b);
        }
        b = b - a;
    }
    a << shift
}

/// A divisor that no division fails with.
fn divisor<T: Integer>(b: T) -> T {
    if b.is_zero() || b == !T::zero() { one() } else { b }
}

table! {
    /// Functions of two integers of one type.
    INTEGERS, integers[T: Integer](a: T, b: T) =
    checked_add a.checked_add(&b);
    checked_sub a.checked_sub(&b);
    checked_mul CheckedMul::checked_mul(&a, &b);
    checked_div a.checked_div(&b);
    checked_rem a.checked_rem(&b);
    checked_neg a.checked_neg();
    checked_shl a.checked_shl(AsPrimitive::<u8>::as_(b) as u32 % 80);
    checked_shr a.checked_shr(AsPrimitive::<u8>::as_(b) as u32 % 80);
    checked_div_euclid a.checked_div_euclid(&b);
    checked_rem_euclid a.checked_rem_euclid(&b);
    div_euclid Euclid::div_euclid(&a, &divisor(b));
    rem_euclid Euclid::rem_euclid(&a, &divisor(b));
    div a / divisor(b);
    rem a % divisor(b);
    saturating_add SaturatingAdd::saturating_add(&a, &b);
    saturating_sub SaturatingSub::saturating_sub(&a, &b);
    saturating_mul a.saturating_mul(&b);
    saturating (num_traits::Saturating::saturating_add(a, b), num_traits::Saturating::saturating_sub(a, b));
    wrapping_add a.wrapping_add(&b);
    wrapping_sub a.wrapping_sub(&b);
    wrapping_mul a.wrapping_mul(&b);
    wrapping_neg a.wrapping_neg();
    wrapping_shl a.wrapping_shl(AsPrimitive::<u8>::as_(b) as u32);
    wrapping_shr a.wrapping_shr(AsPrimitive::<u8>::as_(b) as u32);
    overflowing_add a.overflowing_add(&b);
    overflowing_sub a.overflowing_sub(&b);
    overflowing_mul a.overflowing_mul(&b);
    pow PrimInt::pow(a & T::from(3).unwrap_or(one()), AsPrimitive::<u8>::as_(b) as u32 % 4);
    pow_generic pow(a & T::from(3).unwrap_or(one()), AsPrimitive::<u8>::as_(b) as usize % 4);
    checked_pow num_traits::checked_pow(a, AsPrimitive::<u8>::as_(b) as usize % 9);
    counts [a.count_ones(), a.count_zeros(), a.leading_zeros(), a.trailing_zeros(), a.leading_ones(), a.trailing_ones()];
    rotates (a.rotate_left(AsPrimitive::<u8>::as_(b) as u32 % 8), a.rotate_right(AsPrimitive::<u8>::as_(b) as u32 % 8));
    shifts (a.signed_shl(AsPrimitive::<u8>::as_(b) as u32 % 8), a.signed_shr(AsPrimitive::<u8>::as_(b) as u32 % 8));
    shifts_unsigned (a.unsigned_shl(AsPrimitive::<u8>::as_(b) as u32 % 8), a.unsigned_shr(AsPrimitive::<u8>::as_(b) as u32 % 8));
    swap_bytes a.swap_bytes();
    reverse_bits a.reverse_bits();
    to_be_and_back T::from_le(T::from_be(a.to_be().to_le()));
    bytes a.to_le_bytes().as_ref().iter().zip(b.to_be_bytes().as_ref()).fold(0_u64, |sum, (a, b)| sum * 31 + (a ^ b) as u64);
    gcd gcd(a.unsigned_shr(1), b.unsigned_shr(1));
    minimum (a.min(b), a.max(b), a.cmp(&b) as i8);
    clamp clamp(a, T::min_value().signed_shr(1), T::max_value().unsigned_shr(1));
    to_small (a.to_u8(), a.to_i8(), a.to_u16());
    to_large (a.to_i16(), a.to_u32(), a.to_i32());
    to_widest (a.to_u64(), a.to_i64(), a.to_usize());
    to_float (a.to_f32(), <T as AsPrimitive<f32>>::as_(a));
    cast (<i16 as NumCast>::from(a), <u32 as NumCast>::from(a), num_traits::cast::<T, u64>(a));
    from_float (T::from_f32(AsPrimitive::<f32>::as_(a) / 3.0), <T as NumCast>::from(AsPrimitive::<f32>::as_(b) * 3.0));
    from_integers (T::from_u64(AsPrimitive::<u64>::as_(a)), T::from_i32(-5), T::from_u8(AsPrimitive::<u8>::as_(b)));
    mul_add a.unsigned_shr(5).mul_add(one(), zero());
    bounds (<T as Bounded>::min_value(), <T as Bounded>::max_value());
}

/// Calls a function of `INTEGERS` on integers of the type with a number, which are the low bits of `a` and `b`.
pub fn integers_of_type(ty: u32, function: u32, a: u64, b: u64) -> u64 {
    match ty {
        0 => integers::<u8>(function, a as u8, b as u8),
        1 => integers::<i8>(function, a as i8, b as i8),
        2 => integers::<u16>(function, a as u16, b as u16),
        3 => integers::<i16>(function, a as i16, b as i16),
        4 => integers::<u32>(function, a as u32, b as u32),
        5 => integers::<i32>(function, a as i32, b as i32),
        6 => integers::<u64>(function, a, b),
        _ => integers::<i64>(function, a as i64, b as i64),
    }
}

/// How many types `integers_of_type` knows.
pub const INTEGER_TYPES: u32 = 8;

table! {
    /// Functions of floats whose results are exact, so that it does not matter who computes them.
    EXACT, exact[F: Float + FloatConst + Bits + MulAdd<Output = F>](x: F, y: F) =
    classes (Float::is_nan(x), Float::is_infinite(x), Float::is_normal(x));
    signs (Float::is_sign_negative(x), Float::signum(x), Float::is_finite(x));
    category Float::classify(x) as u32;
    floor Float::floor(x);
    ceil Float::ceil(x);
    round Float::round(x);
    trunc Float::trunc(x);
    fract Float::fract(x);
    abs Float::abs(x);
    recip Float::recip(x);
    sqrt Float::sqrt(x);
    minimum if x.is_nan() || y.is_nan() { x + y } else { Float::min(x, y) + F::zero() };
    maximum if x.is_nan() || y.is_nan() { x + y } else { Float::max(x, y) + F::zero() };
    integer_decode Float::integer_decode(x);
    copysign Float::copysign(x, y);
    mul_add Float::mul_add(x, y, F::PI());
    constants (F::PI(), F::E(), F::LN_2());
    remainder x % y;
    converted (x.to_i32(), x.to_u8(), x.to_i64());
    clamped Float::clamp(x, F::zero(), F::one());
    epsilon (F::epsilon(), F::min_positive_value(), F::max_value());
}

table! {
    /// Functions of floats that `libm` computes if there is no standard library.
    ROUNDED, rounded[F: Float + Bits](x: F, y: F) =
    sin Float::sin(x);
    cos Float::cos(x);
    tan Float::tan(x);
    asin Float::asin(x);
    acos Float::acos(x);
    atan Float::atan(x);
    atan2 Float::atan2(x, y);
    exp Float::exp(x);
    exp2 Float::exp2(x);
    exp_m1 Float::exp_m1(x);
    ln Float::ln(x);
    log2 Float::log2(x);
    log10 Float::log10(x);
    ln_1p Float::ln_1p(x);
    powf Float::powf(x, y);
    cbrt Float::cbrt(x);
    hypot Float::hypot(x, y);
    sinh Float::sinh(x);
    cosh Float::cosh(x);
    tanh Float::tanh(x);
    asinh Float::asinh(x);
    acosh Float::acosh(x);
    atanh Float::atanh(x);
    sin_cos Float::sin_cos(x);
    abs_sub Float::abs_sub(x, y);
}

table! {
    /// What `ROUNDED` is without the standard library.
    REFERENCE, reference(x: f32, y: f32) =
    sin libm::sinf(x);
    cos libm::cosf(x);
    tan libm::tanf(x);
    asin libm::asinf(x);
    acos libm::acosf(x);
    atan libm::atanf(x);
    atan2 libm::atan2f(x, y);
    exp libm::expf(x);
    exp2 libm::exp2f(x);
    exp_m1 libm::expm1f(x);
    ln libm::logf(x);
    log2 libm::log2f(x);
    log10 libm::log10f(x);
    ln_1p libm::log1pf(x);
    powf libm::powf(x, y);
    cbrt libm::cbrtf(x);
    hypot libm::hypotf(x, y);
    sinh libm::sinhf(x);
    cosh libm::coshf(x);
    tanh libm::tanhf(x);
    asinh libm::asinhf(x);
    acosh libm::acoshf(x);
    atanh libm::atanhf(x);
    sin_cos libm::sincosf(x);
    abs_sub libm::fdimf(x, y);
}

/// Writes what a function of integers makes of each pair.
#[kernel(requires(a.len() == out.len(), b.len() == out.len()))]
pub fn run_integers(a: ReadBuffer<u64>, b: ReadBuffer<u64>, ty: u32, function: u32, mut out: DisjointBuffer<u64>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        *out = integers_of_type(ty, function, a.as_slice()[index.get()], b.as_slice()[index.get()]);
    }
}

/// Writes what a function of `EXACT` makes of each pair.
#[kernel(requires(x.len() == out.len(), y.len() == out.len()))]
pub fn run_exact(x: ReadBuffer<f32>, y: ReadBuffer<f32>, function: u32, mut out: DisjointBuffer<u64>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        *out = exact(function, x.as_slice()[index.get()], y.as_slice()[index.get()]);
    }
}

/// Writes what a function of `ROUNDED` makes of each pair.
#[kernel(requires(x.len() == out.len(), y.len() == out.len()))]
pub fn run_rounded(x: ReadBuffer<f32>, y: ReadBuffer<f32>, function: u32, mut out: DisjointBuffer<u64>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        *out = rounded(function, x.as_slice()[index.get()], y.as_slice()[index.get()]);
    }
}
