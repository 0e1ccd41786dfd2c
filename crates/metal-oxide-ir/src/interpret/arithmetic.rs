//! What operations compute, on the bits of their operands: the IR's semantics in one place, for running and for folding constants.
//! Bits above a type's width are zero on both sides. NaN results are always the same quiet NaN.

mod float;
mod integer;

use crate::{BinaryOperator, CastOperator, CompareOperator, MathFunction, Type, UnaryOperator};

/// Why an operation has no result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Undefined {
    /// A division or remainder by zero.
    #[error("division by zero")]
    DivisionByZero,
    /// A signed division or remainder whose quotient does not fit.
    #[error("division overflows")]
    DivisionOverflow,
    /// A shift by the width or more.
    #[error("shift by the width or more")]
    ShiftCount,
}

/// The result of a binary operator on values of a type that it accepts.
///
/// # Errors
/// If the operands have no result.
pub fn binary(operator: BinaryOperator, ty: Type, a: u128, b: u128) -> Result<u128, Undefined> {
    if ty.is_float() { Ok(float::binary(operator, ty, a, b)) } else { integer::binary(operator, ty.bits(), a, b) }
}

/// The result of a unary operator on a value of a type that it accepts.
pub fn unary(operator: UnaryOperator, ty: Type, a: u128) -> u128 {
    if ty.is_float() { float::unary(operator, ty, a) } else { integer::unary(operator, ty.bits(), a) }
}

/// The result of comparing two values of a type that the operator accepts.
pub fn compare(operator: CompareOperator, ty: Type, a: u128, b: u128) -> bool {
    if ty.is_float() { float::compare(operator, ty, a, b) } else { integer::compare(operator, ty.bits(), a, b) }
}

/// The result of a conversion between types that the operator accepts. Pointers are their addresses.
pub fn cast(operator: CastOperator, from: Type, to: Type, a: u128) -> u128 {
    match operator {
        CastOperator::Truncate => a & integer::mask(to.bits()),
        CastOperator::SignExtend => integer::signed(a, from.bits()) as u128 & integer::mask(to.bits()),
        CastOperator::ZeroExtend
        | CastOperator::Bitcast
        | CastOperator::PointerToInteger
        | CastOperator::IntegerToPointer
        | CastOperator::Space => a,
        CastOperator::FloatToUnsigned => float::to_unsigned(from, a, to.bits()),
        CastOperator::FloatToSigned => float::to_signed(from, a, to.bits()),
        CastOperator::UnsignedToFloat => float::from_integer(to, false, a),
        CastOperator::SignedToFloat => {
            let value = integer::signed(a, from.bits());
            float::from_integer(to, value < 0, value.unsigned_abs())
        }
        CastOperator::FloatToFloat => float::convert(from, to, a),
    }
}

/// The result of a function of MSL's standard library, computed as precisely as Rust's `std` does.
pub fn math(function: MathFunction, ty: Type, operands: &[u128]) -> u128 {
    float::math(function, ty, operands)
}

#[cfg(test)]
mod tests;
