//! Kernels that call `fixed`: fixed-point numbers of up to 32 bits, and conversions.
#![no_std]

use fixed::traits::{Fixed, FixedSigned, LossyFrom, LossyInto};
use fixed::types::{I4F12, I8F24, I16F16, I24F8, U0F8, U4F4, U8F8, U16F16, U24F8};
use metal_oxide_device::{DisjointBuffer, ReadBuffer, kernel, thread_index};
use witness_support::{Bits, table};

/// A fixed-point number as bits.
struct Of<T>(T);

impl<T: Fixed<Bits: Bits>> Bits for Of<T> {
    fn bits(self) -> u64 {
        self.0.to_bits().bits()
    }
}

/// A divisor that no division fails with.
fn divisor<T: Fixed>(b: T) -> T {
    if b.is_zero() || b.checked_add(T::DELTA).is_some_and(|next| next.is_zero()) { T::DELTA } else { b }
}

table! {
    /// Functions of two numbers of one type.
    NUMBERS, numbers[T: Fixed<Bits: Bits>](a: T, b: T) =
    checked_add a.checked_add(b).map(Of);
    checked_sub a.checked_sub(b).map(Of);
    checked_mul a.checked_mul(b).map(Of);
    checked_div a.checked_div(b).map(Of);
    checked_neg a.checked_neg().map(Of);
    wrapping_add Of(a.wrapping_add(b));
    wrapping_sub Of(a.wrapping_sub(b));
    wrapping_mul Of(a.wrapping_mul(b));
    wrapping_div Of(a.wrapping_div(divisor(b)));
    saturating_add Of(a.saturating_add(b));
    saturating_sub Of(a.saturating_sub(b));
    saturating_mul Of(a.saturating_mul(b));
    saturating_div Of(a.saturating_div(divisor(b)));
    overflowing (Of(a.overflowing_add(b).0), a.overflowing_mul(b).1, Of(a.overflowing_sub(b).0));
    rem Of(a % divisor(b));
    rem_euclid Of(a.rem_euclid(divisor(b)));
    mean Of(a.mean(b));
    rounding (a.checked_floor().map(Of), a.checked_ceil().map(Of), a.checked_round().map(Of));
    rounding_more (Of(a.round_to_zero()), a.checked_round_ties_even().map(Of), Of(a.frac()));
    integer Of(a.int());
    shifts (Of(a << (a.to_bits().bits() as u32 % 8)), Of(a >> (b.to_bits().bits() as u32 % 8)));
    bits (Of(a & b), Of(a | b), Of(a ^ !b));
    counts (a.leading_zeros(), a.trailing_zeros(), a.count_ones());
    rotated (Of(a.rotate_left(3)), Of(a.reverse_bits()));
    compare (a < b, a == b, a.cmp(&b) as i8);
    next_power (a.checked_next_multiple_of(divisor(b)).map(Of), Of(a.abs_diff_of(b)));
    logarithm (a.checked_int_log2(), a.checked_int_log10());
    mul_add (a.checked_mul_add(b, a).map(Of), a.checked_mul_acc_of(b).map(Of));
    lerp a.checked_lerp(T::ZERO, b).map(Of);
    to_float a.to_num::<f32>();
    to_integer (a.checked_to_num::<i16>(), a.saturating_to_num::<u8>(), a.wrapping_to_num::<u32>());
    to_fixed (a.checked_to_num::<I4F12>().map(Of), Of(a.saturating_to_num::<U0F8>()), Of(a.wrapping_to_num::<I24F8>()));
    from_float (T::checked_from_num(b.to_num::<f32>() * 1.5).map(Of), Of(T::saturating_from_num(a.to_num::<f32>() * 100.0)));
    from_integer (T::checked_from_num(b.wrapping_to_num::<i8>()).map(Of), Of(T::wrapping_from_num(77_u32)));
}

/// What the tables use and the traits do not have under one name.
trait More: Fixed {
    fn abs_diff_of(self, other: Self) -> Self {
        if self > other { self.wrapping_sub(other) } else { other.wrapping_sub(self) }
    }

    fn checked_mul_acc_of(self, other: Self) -> Option<Self> {
        let mut sum = self;
        sum.checked_mul_acc(other, other).map(|()| sum)
    }
}

impl<T: Fixed> More for T {}

table! {
    /// Functions of two signed numbers.
    SIGNED, signed[T: FixedSigned<Bits: Bits>](a: T, b: T) =
    absolute (a.checked_abs().map(Of), Of(a.wrapping_abs()), Of(a.saturating_abs()));
    sign (a.checked_signum().map(Of), a.is_positive(), b.is_negative());
    neg (Of(a.wrapping_neg()), Of(a.saturating_neg()));
    add_unsigned a.checked_sub(b).map(Of);
}

table! {
    /// Conversions between types.
    CONVERSIONS, conversions(a: u32, b: u32) =
    widened (Of(I16F16::from(I4F12::from_bits(a as i16))), Of(U16F16::from(U8F8::from_bits(b as u16))));
    shortened (Of(Short::lossy_from(I16F16::from_bits(a as i32))), Of(shortened(I16F16::from_bits(b as i32))));
    mixed (I16F16::from_bits(a as i32) < I8F24::from_bits(b as i32), U16F16::from_bits(a) == U24F8::from_bits(b));
    mixed_integers (I16F16::from_bits(a as i32) > (b as i16), U4F4::from_bits(a as u8) == 3_u8);
    mixed_floats (I16F16::from_bits(a as i32) < (b as f32 / 65536.0), 1.5_f32 == U8F8::from_bits(a as u16));
    wide_mul Of(U8F8::from_bits(a as u16).wide_mul(U8F8::from_bits(b as u16)));
    wide_mul_signed Of(I4F12::from_bits(a as i16).wide_mul(I4F12::from_bits(b as i16)));
    square_root (Of(U16F16::from_bits(a).sqrt()), I16F16::from_bits(b as i32).checked_sqrt().map(Of));
    sum Of([I16F16::from_bits(a as i32 >> 4), I16F16::from_bits(b as i32 >> 4)].into_iter().sum::<I16F16>());
}

/// A number with few bits after the point.
type Short = fixed::FixedI32<fixed::types::extra::U4>;

fn shortened(number: I16F16) -> Short {
    number.lossy_into()
}

/// How many types `numbers_of_type` knows.
pub const TYPES: u32 = 8;

/// Calls a function of `NUMBERS` on numbers of the type with a number, whose bits are the low ones of `a` and `b`.
pub fn numbers_of_type(ty: u32, function: u32, a: u32, b: u32) -> u64 {
    match ty {
        0 => numbers(function, I16F16::from_bits(a as i32), I16F16::from_bits(b as i32)),
        1 => numbers(function, U16F16::from_bits(a), U16F16::from_bits(b)),
        2 => numbers(function, I8F24::from_bits(a as i32), I8F24::from_bits(b as i32)),
        3 => numbers(function, U8F8::from_bits(a as u16), U8F8::from_bits(b as u16)),
        4 => numbers(function, I4F12::from_bits(a as i16), I4F12::from_bits(b as i16)),
        5 => numbers(function, U4F4::from_bits(a as u8), U4F4::from_bits(b as u8)),
        6 => numbers(function, I24F8::from_bits(a as i32), I24F8::from_bits(b as i32)),
        _ => signed(function % SIGNED.len() as u32, I16F16::from_bits(a as i32), I16F16::from_bits(b as i32)),
    }
}

/// Writes what a function of `NUMBERS` makes of each pair.
#[kernel(requires(a.len() == out.len(), b.len() == out.len()))]
pub fn run_numbers(a: ReadBuffer<u32>, b: ReadBuffer<u32>, ty: u32, function: u32, mut out: DisjointBuffer<u64>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        *out = numbers_of_type(ty, function, a.as_slice()[index.get()], b.as_slice()[index.get()]);
    }
}

/// Writes what a function of `CONVERSIONS` makes of each pair.
#[kernel(requires(a.len() == out.len(), b.len() == out.len()))]
pub fn run_conversions(a: ReadBuffer<u32>, b: ReadBuffer<u32>, function: u32, mut out: DisjointBuffer<u64>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        *out = conversions(function, a.as_slice()[index.get()], b.as_slice()[index.get()]);
    }
}
