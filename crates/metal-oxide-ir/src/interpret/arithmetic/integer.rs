//! Integer and `bool` arithmetic on values of a given number of bits.

use super::Undefined;
use crate::{BinaryOperator, CompareOperator, UnaryOperator};

/// The bits that a value of a width can have set.
pub(super) fn mask(bits: u32) -> u128 {
    u128::MAX >> (128 - bits)
}

/// A value as a signed number.
pub(super) fn signed(value: u128, bits: u32) -> i128 {
    let unused = 128 - bits;
    (value << unused) as i128 >> unused
}

pub(super) fn binary(operator: BinaryOperator, bits: u32, a: u128, b: u128) -> Result<u128, Undefined> {
    use BinaryOperator::*;
    let (sa, sb) = (signed(a, bits), signed(b, bits));
    let result = match operator {
        Add => a.wrapping_add(b),
        Sub => a.wrapping_sub(b),
        Mul => a.wrapping_mul(b),
        MulHighUnsigned => multiply_high(bits, a, b),
        // A negative operand is its unsigned value minus 2ⁿ, which takes the other operand away from the high half.
        MulHighSigned => {
            let correction = if sa < 0 { b } else { 0 }.wrapping_add(if sb < 0 { a } else { 0 });
            multiply_high(bits, a, b).wrapping_sub(correction)
        }
        DivUnsigned => a.checked_div(b).ok_or(Undefined::DivisionByZero)?,
        RemUnsigned => a.checked_rem(b).ok_or(Undefined::DivisionByZero)?,
        DivSigned => divisible(bits, sa, sb)?.0 as u128,
        RemSigned => divisible(bits, sa, sb)?.1 as u128,
        And => a & b,
        Or => a | b,
        Xor => a ^ b,
        ShiftLeft => a << count(bits, b)?,
        ShiftRightUnsigned => a >> count(bits, b)?,
        ShiftRightSigned => (sa >> count(bits, b)?) as u128,
        RotateLeft => match (b % u128::from(bits)) as u32 {
            0 => a,
            count => a << count | a >> (bits - count),
        },
        MinUnsigned => a.min(b),
        MaxUnsigned => a.max(b),
        MinSigned => sa.min(sb) as u128,
        MaxSigned => sa.max(sb) as u128,
        AddSaturatingUnsigned => a.saturating_add(b).min(mask(bits)),
        SubSaturatingUnsigned => a.saturating_sub(b),
        AddSaturatingSigned => clamp(bits, sa.saturating_add(sb)),
        SubSaturatingSigned => clamp(bits, sa.saturating_sub(sb)),
        FloatAdd | FloatSub | FloatMul | FloatDiv | FloatRem | FloatMin | FloatMax | CopySign => {
            unreachable!("{} takes floats", operator.keyword())
        }
    };
    Ok(result & mask(bits))
}

/// The high half of a product.
fn multiply_high(bits: u32, a: u128, b: u128) -> u128 {
    if bits <= 64 {
        return (a * b) >> bits;
    }
    let low = u128::from(u64::MAX);
    let (a1, a0, b1, b0) = (a >> 64, a & low, b >> 64, b & low);
    let middle = a1 * b0 + ((a0 * b0) >> 64);
    let other = a0 * b1 + (middle & low);
    a1 * b1 + (middle >> 64) + (other >> 64)
}

/// Quotient and remainder of a signed division.
fn divisible(bits: u32, a: i128, b: i128) -> Result<(i128, i128), Undefined> {
    if b == 0 {
        return Err(Undefined::DivisionByZero);
    }
    let lowest = i128::MIN >> (128 - bits);
    if a == lowest && b == -1 {
        return Err(Undefined::DivisionOverflow);
    }
    Ok((a / b, a % b))
}

fn count(bits: u32, count: u128) -> Result<u32, Undefined> {
    if count < u128::from(bits) { Ok(count as u32) } else { Err(Undefined::ShiftCount) }
}

/// The closest number that fits.
fn clamp(bits: u32, value: i128) -> u128 {
    value.clamp(i128::MIN >> (128 - bits), i128::MAX >> (128 - bits)) as u128
}

pub(super) fn unary(operator: UnaryOperator, bits: u32, a: u128) -> u128 {
    use UnaryOperator::*;
    let result = match operator {
        Not => !a,
        Neg => a.wrapping_neg(),
        ReverseBits => a.reverse_bits() >> (128 - bits),
        SwapBytes => a.swap_bytes() >> (128 - bits),
        CountOnes => a.count_ones().into(),
        LeadingZeros => (a.leading_zeros() - (128 - bits)).into(),
        TrailingZeros => a.trailing_zeros().min(bits).into(),
        FloatNeg | FloatAbs | Sqrt | Floor | Ceil | Truncate | Round | RoundEven => unreachable!("{} takes a float", operator.keyword()),
    };
    result & mask(bits)
}

pub(super) fn compare(operator: CompareOperator, bits: u32, a: u128, b: u128) -> bool {
    use CompareOperator::*;
    let (sa, sb) = (signed(a, bits), signed(b, bits));
    match operator {
        Equal => a == b,
        NotEqual => a != b,
        LessUnsigned => a < b,
        LessEqualUnsigned => a <= b,
        GreaterUnsigned => a > b,
        GreaterEqualUnsigned => a >= b,
        LessSigned => sa < sb,
        LessEqualSigned => sa <= sb,
        GreaterSigned => sa > sb,
        GreaterEqualSigned => sa >= sb,
        FloatEqual | FloatNotEqual | FloatLess | FloatLessEqual | FloatGreater | FloatGreaterEqual => {
            unreachable!("{} takes floats", operator.keyword())
        }
    }
}
