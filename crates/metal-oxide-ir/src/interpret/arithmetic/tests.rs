//! Compares the arithmetic with Rust's own where Rust has the type, and with slow exact definitions where it has not.

use super::{Undefined, binary, cast, compare, math, unary};
use crate::{BinaryOperator, CastOperator, CompareOperator, MathFunction, Type, UnaryOperator};

const I8: Type = Type::I8;

#[test]
fn all_pairs_of_bytes_compute_as_in_rust() {
    use BinaryOperator::*;
    for a in 0..=u8::MAX {
        for b in 0..=u8::MAX {
            let (sa, sb) = (a as i8, b as i8);
            let check =
                |operator, expected: u8| assert_eq!(binary(operator, I8, a.into(), b.into()), Ok(expected.into()), "{operator:?} {a} {b}");
            check(Add, a.wrapping_add(b));
            check(Sub, a.wrapping_sub(b));
            check(Mul, a.wrapping_mul(b));
            check(MulHighUnsigned, ((u16::from(a) * u16::from(b)) >> 8) as u8);
            check(MulHighSigned, ((i16::from(sa) * i16::from(sb)) >> 8) as u8);
            check(RotateLeft, a.rotate_left(b.into()));
            check(MinSigned, sa.min(sb) as u8);
            check(MaxSigned, sa.max(sb) as u8);
            check(MinUnsigned, a.min(b));
            check(MaxUnsigned, a.max(b));
            check(AddSaturatingUnsigned, a.saturating_add(b));
            check(SubSaturatingUnsigned, a.saturating_sub(b));
            check(AddSaturatingSigned, sa.saturating_add(sb) as u8);
            check(SubSaturatingSigned, sa.saturating_sub(sb) as u8);
            let partial =
                |operator, expected: Option<u8>| assert_eq!(binary(operator, I8, a.into(), b.into()).ok(), expected.map(u128::from));
            partial(DivUnsigned, a.checked_div(b));
            partial(RemUnsigned, a.checked_rem(b));
            partial(DivSigned, sa.checked_div(sb).map(|x| x as u8));
            partial(RemSigned, sa.checked_rem(sb).map(|x| x as u8));
            partial(ShiftLeft, a.checked_shl(b.into()));
            partial(ShiftRightUnsigned, a.checked_shr(b.into()));
            partial(ShiftRightSigned, sa.checked_shr(b.into()).map(|x| x as u8));
            assert_eq!(compare(CompareOperator::LessSigned, I8, a.into(), b.into()), sa < sb);
            assert_eq!(compare(CompareOperator::GreaterEqualUnsigned, I8, a.into(), b.into()), a >= b);
        }
        let check = |operator, expected: u32| assert_eq!(unary(operator, I8, a.into()), expected.into(), "{operator:?} {a}");
        check(UnaryOperator::Not, (!a).into());
        check(UnaryOperator::Neg, a.wrapping_neg().into());
        check(UnaryOperator::ReverseBits, a.reverse_bits().into());
        check(UnaryOperator::SwapBytes, a.into());
        check(UnaryOperator::CountOnes, a.count_ones());
        check(UnaryOperator::LeadingZeros, a.leading_zeros());
        check(UnaryOperator::TrailingZeros, a.trailing_zeros());
        assert_eq!(cast(CastOperator::SignExtend, I8, Type::I32, a.into()), u128::from(a as i8 as u32));
    }
    assert_eq!(binary(DivSigned, I8, 0x80, 0xff), Err(Undefined::DivisionOverflow));
}

#[test]
fn high_halves_of_wide_products() {
    use BinaryOperator::{MulHighSigned, MulHighUnsigned};
    for a in [0, 1, 3, u64::MAX, u64::MAX - 5, 1 << 63, 0x0123_4567_89ab_cdef] {
        for b in [0, 1, 7, u64::MAX, 1 << 63, 0xfedc_ba98_7654_3210] {
            let unsigned = ((u128::from(a) * u128::from(b)) >> 64) as u64;
            let signed = ((i128::from(a as i64) * i128::from(b as i64)) >> 64) as u64;
            assert_eq!(binary(MulHighUnsigned, Type::I64, a.into(), b.into()), Ok(unsigned.into()));
            assert_eq!(binary(MulHighSigned, Type::I64, a.into(), b.into()), Ok(signed.into()));
        }
    }
    assert_eq!(binary(MulHighUnsigned, Type::I128, u128::MAX, u128::MAX), Ok(u128::MAX - 1));
    assert_eq!(binary(MulHighUnsigned, Type::I128, 1 << 127, 6), Ok(3));
    assert_eq!(binary(MulHighSigned, Type::I128, u128::MAX, u128::MAX), Ok(0));
    assert_eq!(binary(MulHighSigned, Type::I128, u128::MAX, 1), Ok(u128::MAX));
}

/// Every finite value of a half-precision type, from below, with its bits.
fn values(ty: Type) -> Vec<(f64, u128)> {
    let positive = (0..0x8000u128).map(|bits| (f64::from_bits(cast(CastOperator::FloatToFloat, ty, Type::F64, bits) as u64), bits));
    positive.filter(|(value, _)| value.is_finite()).collect()
}

#[test]
fn half_precision_rounds_to_the_nearest_value() {
    for ty in [Type::F16, Type::BF16] {
        let values = values(ty);
        assert!(values.windows(2).all(|pair| pair[0].0 < pair[1].0));
        let round = |value: f64| cast(CastOperator::FloatToFloat, Type::F64, ty, value.to_bits().into());
        for pair in values.windows(2) {
            let ((low, low_bits), (high, high_bits)) = (pair[0], pair[1]);
            let middle = low / 2.0 + high / 2.0;
            assert_eq!(round(low), low_bits);
            assert_eq!(round(middle), if low_bits & 1 == 0 { low_bits } else { high_bits });
            assert_eq!(round(middle.next_down()), low_bits);
            assert_eq!(round(middle.next_up()), high_bits);
            assert_eq!(round(-middle.next_up()), high_bits | 0x8000);
        }
        let (largest, bits) = *values.last().unwrap();
        let limit = largest + (largest - values[values.len() - 2].0) / 2.0;
        assert_eq!(round(limit.next_down()), bits);
        assert_eq!(round(limit), bits + 1);
        assert_eq!(round(f64::INFINITY), bits + 1);
        assert_eq!(round(f64::MIN_POSITIVE / 4.0), 0);
    }
}

#[test]
fn single_precision_computes_as_in_rust() {
    let values = [0.0, -0.0, 1.0, -1.5, 3.3, 1e-40, -1e-45, 1e38, f32::MAX, f32::INFINITY, f32::NEG_INFINITY, f32::NAN, 0.1, 16_777_217.0];
    let same = |found: u128, expected: f32| {
        let found = f32::from_bits(found as u32);
        assert!(found.to_bits() == expected.to_bits() || found.is_nan() && expected.is_nan(), "{found} {expected}");
    };
    for a in values {
        for b in values {
            let run = |operator| binary(operator, Type::F32, a.to_bits().into(), b.to_bits().into()).unwrap();
            same(run(BinaryOperator::FloatAdd), a + b);
            same(run(BinaryOperator::FloatSub), a - b);
            same(run(BinaryOperator::FloatMul), a * b);
            same(run(BinaryOperator::FloatDiv), a / b);
            same(run(BinaryOperator::FloatRem), a % b);
            same(run(BinaryOperator::CopySign), a.copysign(b));
            if a != b {
                same(run(BinaryOperator::FloatMin), a.min(b));
                same(run(BinaryOperator::FloatMax), a.max(b));
            }
            let operands = [a, b, 0.25].map(|x| u128::from(x.to_bits()));
            same(math(MathFunction::Fma, Type::F32, &operands), a.mul_add(b, 0.25));
            assert_eq!(compare(CompareOperator::FloatNotEqual, Type::F32, operands[0], operands[1]), a != b);
            assert_eq!(compare(CompareOperator::FloatLessEqual, Type::F32, operands[0], operands[1]), a <= b);
        }
        let bits = u128::from(a.to_bits());
        same(unary(UnaryOperator::Sqrt, Type::F32, bits), a.sqrt());
        same(unary(UnaryOperator::Round, Type::F32, bits), a.round());
        assert_eq!(cast(CastOperator::FloatToSigned, Type::F32, I8, bits), u128::from(a as i8 as u8));
        assert_eq!(cast(CastOperator::FloatToUnsigned, Type::F32, Type::I64, bits), u128::from(a as u64));
    }
}

#[test]
fn large_integers_round_once_to_bfloat() {
    let round = |value: u128| cast(CastOperator::UnsignedToFloat, Type::I128, Type::BF16, value);
    let halfway = 0x1_0100u128 << 100;
    assert_eq!(round(halfway), round(1 << 116));
    assert_eq!(round(halfway + 1), round(1 << 116) + 1);
    assert_eq!(cast(CastOperator::SignedToFloat, Type::I64, Type::BF16, (-2i64) as u64 as u128), 0xc000);
    assert_eq!(cast(CastOperator::UnsignedToFloat, Type::I32, Type::F16, 65_519), 0x7bff);
    assert_eq!(cast(CastOperator::UnsignedToFloat, Type::I32, Type::F16, 65_520), 0x7c00);
    assert_eq!(round(0), 0);
}

#[test]
fn half_precision_fused_multiply_add_rounds_once() {
    // 1 + 2⁻¹⁰ squared is 1 + 2⁻⁹ + 2⁻²⁰: adding a tiny number decides a tie that two roundings would miss.
    let run = |a: u128, b: u128, c: u128| math(MathFunction::Fma, Type::F16, &[a, b, c]);
    assert_eq!(run(0x3c01, 0x3c00, 0x1000), 0x3c02, "1 + 2⁻¹⁰ + 2⁻¹¹ ties to even");
    assert_eq!(run(0x3c00, 0x3c00, 0x1000), 0x3c00, "1 + 2⁻¹¹ ties to even");
    assert_eq!(run(0x3c01, 0x3c01, 0x1001), 0x3c03, "above the tie");
}
