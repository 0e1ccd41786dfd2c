//! Identities of float arithmetic that hold for every operand, infinities, zeros of either sign and NaN included.

use super::{Context, Simpler};
use crate::{BinaryOperator, Constant, Operation, Type, UnaryOperator, ValueId};

impl Context<'_> {
    pub(super) fn simplify_float(&mut self, operator: BinaryOperator, a: ValueId, b: ValueId) -> Option<Simpler> {
        use BinaryOperator::*;
        let ty = self.function.ty(a);
        let negated = |value: ValueId| match self.operation(value) {
            Some(&Operation::Unary(UnaryOperator::FloatNeg, inner)) => Some(inner),
            _ => None,
        };
        let (negative_a, negative_b) = (negated(a), negated(b));
        let known = self.bits(b);
        let sign = 1u128 << (ty.bits() - 1);
        let one = one(ty);
        match operator {
            // Adding -0 and subtracting +0 change nothing, not even a zero's sign.
            FloatAdd if known == Some(sign) => Some(Simpler::Value(a)),
            FloatSub if known == Some(0) => Some(Simpler::Value(a)),
            FloatSub if self.bits(a) == Some(sign) => Some(Simpler::Operation(Operation::Unary(UnaryOperator::FloatNeg, b))),
            FloatMul | FloatDiv if known == Some(one) => Some(Simpler::Value(a)),
            FloatMul | FloatDiv if known == Some(one | sign) => Some(Simpler::Operation(Operation::Unary(UnaryOperator::FloatNeg, a))),
            FloatAdd => match (negative_a, negative_b) {
                (_, Some(y)) => Some(Simpler::Operation(Operation::Binary(FloatSub, a, y))),
                (Some(x), None) => Some(Simpler::Operation(Operation::Binary(FloatSub, b, x))),
                _ => None,
            },
            FloatSub => negative_b.map(|y| Simpler::Operation(Operation::Binary(FloatAdd, a, y))),
            FloatMul | FloatDiv => match (negative_a, negative_b) {
                (Some(x), Some(y)) => Some(Simpler::Operation(Operation::Binary(operator, x, y))),
                _ => None,
            },
            FloatMin | FloatMax if a == b => Some(Simpler::Value(a)),
            CopySign => {
                let magnitude = match self.operation(a) {
                    Some(&Operation::Unary(UnaryOperator::FloatNeg | UnaryOperator::FloatAbs, inner)) => Some(inner),
                    _ => None,
                };
                if let Some(inner) = magnitude {
                    return Some(Simpler::Operation(Operation::Binary(CopySign, inner, b)));
                }
                match known? & sign {
                    0 => Some(Simpler::Operation(Operation::Unary(UnaryOperator::FloatAbs, a))),
                    _ => {
                        let magnitude = self.emit(Operation::Unary(UnaryOperator::FloatAbs, a), ty);
                        Some(Simpler::Operation(Operation::Unary(UnaryOperator::FloatNeg, magnitude)))
                    }
                }
            }
            _ => None,
        }
    }

    pub(super) fn simplify_float_unary(&mut self, operator: UnaryOperator, a: ValueId) -> Option<Simpler> {
        use UnaryOperator::*;
        let &Operation::Unary(inner, x) = self.operation(a)? else { return None };
        match (operator, inner) {
            (FloatNeg, FloatNeg) => Some(Simpler::Value(x)),
            (FloatAbs, FloatNeg | FloatAbs) => Some(Simpler::Operation(Operation::Unary(FloatAbs, x))),
            // What is rounded already has no fraction.
            (Floor | Ceil | Truncate | Round | RoundEven, Floor | Ceil | Truncate | Round | RoundEven) => Some(Simpler::Value(a)),
            _ => None,
        }
    }
}

/// The bits of 1.0.
fn one(ty: Type) -> u128 {
    match ty {
        Type::F16 => 0x3c00,
        Type::BF16 => 0x3f80,
        Type::F64 => 1f64.to_bits().into(),
        _ => match Constant::f32(1.0) {
            Constant::Bits { bits, .. } => bits,
            _ => 0,
        },
    }
}
