//! Float arithmetic. `f32` and `f64` use Rust's own; half precision is computed in `f64`, which is wide enough that rounding twice
//! gives the same result as rounding once.

use crate::{BinaryOperator, CompareOperator, MathFunction, Type, UnaryOperator};

/// Bits of the exponent and of the mantissa without its leading one.
fn format(ty: Type) -> (u32, u32) {
    match ty {
        Type::F16 => (5, 10),
        Type::BF16 => (8, 7),
        Type::F32 => (8, 23),
        Type::F64 => (11, 52),
        _ => unreachable!("{ty} is not a float"),
    }
}

fn sign_bit(ty: Type) -> u128 {
    1 << (ty.bits() - 1)
}

/// The quiet NaN that every operation yields.
fn nan(ty: Type) -> u128 {
    let (exponent, mantissa) = format(ty);
    ((1 << (exponent + 1)) - 1) << (mantissa - 1)
}

/// The value, which an `f64` represents exactly.
fn decode(ty: Type, bits: u128) -> f64 {
    match ty {
        Type::F64 => f64::from_bits(bits as u64),
        Type::F32 => f32::from_bits(bits as u32).into(),
        Type::BF16 => f32::from_bits((bits as u32) << 16).into(),
        _ => {
            let sign = if bits & 0x8000 != 0 { -1.0 } else { 1.0 };
            let (exponent, mantissa) = (bits as i32 >> 10 & 31, f64::from(bits as u32 & 0x3ff));
            sign * match exponent {
                0 => mantissa * 2f64.powi(-24),
                31 if mantissa == 0.0 => f64::INFINITY,
                31 => f64::NAN,
                _ => (1024.0 + mantissa) * 2f64.powi(exponent - 25),
            }
        }
    }
}

/// The value of the type that is nearest, halves to even.
fn encode(ty: Type, value: f64) -> u128 {
    if value.is_nan() {
        return nan(ty);
    }
    match ty {
        Type::F64 => return value.to_bits().into(),
        Type::F32 => return (value as f32).to_bits().into(),
        _ => {}
    }
    let (exponent_bits, mantissa_bits) = format(ty);
    let sign = if value.is_sign_negative() { sign_bit(ty) } else { 0 };
    let bits = value.abs().to_bits();
    let bias = (1i64 << (exponent_bits - 1)) - 1;
    let infinity = ((1u128 << exponent_bits) - 1) << mantissa_bits;
    // The exponent in the type's own bias; a subnormal `f64` is far below every half-precision value.
    let exponent = (bits >> 52) as i64 - 1023 + bias;
    if exponent > 2 * bias {
        return sign | infinity;
    }
    let mantissa = bits & ((1 << 52) - 1) | 1 << 52;
    // Subnormal results lose further bits.
    let dropped = i64::from(52 - mantissa_bits) + (1 - exponent).max(0);
    if dropped > 53 {
        return sign;
    }
    let (kept, rest, half) = (mantissa >> dropped, mantissa & ((1 << dropped) - 1), 1u64 << (dropped - 1));
    let rounded = kept + u64::from(rest > half || rest == half && kept & 1 == 1);
    // The leading one of a normal number adds one to the exponent, and so does a carry out of the mantissa.
    let base = if exponent >= 1 { (exponent as u128 - 1) << mantissa_bits } else { 0 };
    sign | (base + u128::from(rounded)).min(infinity)
}

pub(super) fn binary(operator: BinaryOperator, ty: Type, a: u128, b: u128) -> u128 {
    use BinaryOperator::*;
    match operator {
        CopySign => return a & !sign_bit(ty) | b & sign_bit(ty),
        FloatMin | FloatMax => return extremum(operator == FloatMax, ty, a, b),
        _ => {}
    }
    if ty == Type::F32 {
        let (a, b) = (f32::from_bits(a as u32), f32::from_bits(b as u32));
        return encode(
            ty,
            f64::from(match operator {
                FloatAdd => a + b,
                FloatSub => a - b,
                FloatMul => a * b,
                FloatDiv => a / b,
                FloatRem => a % b,
                _ => unreachable!("{} takes integers", operator.keyword()),
            }),
        );
    }
    let (a, b) = (decode(ty, a), decode(ty, b));
    encode(
        ty,
        match operator {
            FloatAdd => a + b,
            FloatSub => a - b,
            FloatMul => a * b,
            FloatDiv => a / b,
            FloatRem => a % b,
            _ => unreachable!("{} takes integers", operator.keyword()),
        },
    )
}

/// Minimum or maximum; a NaN gives the other operand, and −0 is below +0.
fn extremum(larger: bool, ty: Type, a: u128, b: u128) -> u128 {
    let (x, y) = (decode(ty, a), decode(ty, b));
    if x.is_nan() {
        return if y.is_nan() { nan(ty) } else { b };
    }
    if y.is_nan() {
        return a;
    }
    if (x.total_cmp(&y) == std::cmp::Ordering::Greater) == larger { a } else { b }
}

pub(super) fn unary(operator: UnaryOperator, ty: Type, a: u128) -> u128 {
    use UnaryOperator::*;
    let value = decode(ty, a);
    let result = match operator {
        FloatNeg => return a ^ sign_bit(ty),
        FloatAbs => return a & !sign_bit(ty),
        Sqrt if ty == Type::F32 => f32::from_bits(a as u32).sqrt().into(),
        Sqrt => value.sqrt(),
        Floor => value.floor(),
        Ceil => value.ceil(),
        Truncate => value.trunc(),
        Round => value.round(),
        RoundEven => value.round_ties_even(),
        _ => unreachable!("{} takes an integer", operator.keyword()),
    };
    encode(ty, result)
}

pub(super) fn compare(operator: CompareOperator, ty: Type, a: u128, b: u128) -> bool {
    use CompareOperator::*;
    let (a, b) = (decode(ty, a), decode(ty, b));
    match operator {
        FloatEqual => a == b,
        FloatNotEqual => a != b,
        FloatLess => a < b,
        FloatLessEqual => a <= b,
        FloatGreater => a > b,
        FloatGreaterEqual => a >= b,
        _ => unreachable!("{} takes integers", operator.keyword()),
    }
}

pub(super) fn to_unsigned(from: Type, a: u128, bits: u32) -> u128 {
    (decode(from, a) as u128).min(u128::MAX >> (128 - bits))
}

pub(super) fn to_signed(from: Type, a: u128, bits: u32) -> u128 {
    let value = (decode(from, a) as i128).clamp(i128::MIN >> (128 - bits), i128::MAX >> (128 - bits));
    value as u128 & u128::MAX >> (128 - bits)
}

/// The float nearest to an integer, given by sign and magnitude.
pub(super) fn from_integer(ty: Type, negative: bool, magnitude: u128) -> u128 {
    let sign = if negative { sign_bit(ty) } else { 0 };
    sign | match ty {
        Type::F32 => u128::from((magnitude as f32).to_bits()),
        Type::F64 => u128::from((magnitude as f64).to_bits()),
        _ => {
            // Bits that an `f64` cannot hold are merged into its lowest one, so that rounding it further sees whether there were any.
            let excess = (128 - magnitude.leading_zeros()).saturating_sub(53);
            let lost = magnitude & ((1u128 << excess) - 1) != 0;
            encode(ty, (magnitude >> excess | u128::from(lost)) as f64 * 2f64.powi(excess as i32))
        }
    }
}

pub(super) fn convert(from: Type, to: Type, a: u128) -> u128 {
    encode(to, decode(from, a))
}

pub(super) fn math(function: MathFunction, ty: Type, operands: &[u128]) -> u128 {
    use MathFunction::*;
    let operand = |index: usize| decode(ty, operands[index]);
    let x = operand(0);
    if function == Fma {
        let (y, z) = (operand(1), operand(2));
        return encode(
            ty,
            match ty {
                Type::F32 => (x as f32).mul_add(y as f32, z as f32).into(),
                Type::F64 => x.mul_add(y, z),
                _ => add_to_odd(x * y, z),
            },
        );
    }
    let result = match function {
        Fma => unreachable!("computed above"),
        Sin => x.sin(),
        Cos => x.cos(),
        Tan => x.tan(),
        Asin => x.asin(),
        Acos => x.acos(),
        Atan => x.atan(),
        Atan2 => x.atan2(operand(1)),
        Sinh => x.sinh(),
        Cosh => x.cosh(),
        Tanh => x.tanh(),
        Asinh => x.asinh(),
        Acosh => x.acosh(),
        Atanh => x.atanh(),
        Exp => x.exp(),
        Exp2 => x.exp2(),
        Exp10 => 10f64.powf(x),
        Log => x.ln(),
        Log2 => x.log2(),
        Log10 => x.log10(),
        Pow => x.powf(operand(1)),
        Rsqrt => 1.0 / x.sqrt(),
    };
    encode(ty, result)
}

/// A sum rounded to odd, so that rounding it to half the precision gives the nearest value of the exact sum.
fn add_to_odd(a: f64, b: f64) -> f64 {
    let sum = a + b;
    if !sum.is_finite() {
        return sum;
    }
    // Knuth's two-sum: the error of the addition, exactly.
    let part = sum - a;
    let error = (a - (sum - part)) + (b - part);
    if error == 0.0 || sum.to_bits() & 1 == 1 {
        return sum;
    }
    if (error > 0.0) == (sum > 0.0) { f64::from_bits(sum.to_bits() + 1) } else { f64::from_bits(sum.to_bits() - 1) }
}
