//! Evaluates operations whose operands are constants.
//! An undefined operand is taken to be the value that makes the result constant.

use crate::interpret::arithmetic;
use crate::{BinaryOperator, CastOperator, CompareOperator, Constant, Function, MathFunction, Operation, Type, UnaryOperator, ValueId};

/// The constant that an operation with a result of type `ty` computes, if that is known.
pub(super) fn fold(function: &Function, operation: &Operation, ty: Type) -> Option<Constant> {
    let constant = |value: ValueId| function.constant(value);
    match *operation {
        Operation::Binary(operator, a, b) => match (constant(a), constant(b)) {
            (Some(Constant::Bits { bits: a, .. }), Some(Constant::Bits { bits: b, .. })) => binary(operator, ty, a, b),
            (Some(Constant::Undef(_)), _) => undefined_binary(operator, ty, true),
            (_, Some(Constant::Undef(_))) => undefined_binary(operator, ty, false),
            _ => None,
        },
        Operation::Unary(operator, a) => unary(operator, ty, constant(a)?),
        Operation::Compare(operator, a, b) => match (constant(a), constant(b)) {
            (Some(a), Some(b)) => compare(operator, a, b).map(Constant::bool),
            (Some(Constant::Undef(_)), _) | (_, Some(Constant::Undef(_))) => Some(Constant::bool(undefined_compare(operator))),
            _ => None,
        },
        Operation::Cast(operator, a) => cast(operator, constant(a)?, ty),
        Operation::Select(condition, a, b) => match constant(condition)? {
            Constant::Bits { bits: 0, .. } => constant(b),
            _ => constant(a),
        },
        Operation::Math(MathFunction::Fma, ref operands) => {
            let bits: Option<Vec<u128>> = operands.iter().map(|&value| constant(value)?.as_unsigned()).collect();
            Some(Constant::Bits { ty, bits: arithmetic::math(MathFunction::Fma, ty, &bits?) })
        }
        _ => None,
    }
}

/// The result of a binary operator, if it has one.
pub(super) fn binary(operator: BinaryOperator, ty: Type, a: u128, b: u128) -> Option<Constant> {
    arithmetic::binary(operator, ty, a, b).ok().map(|bits| Constant::Bits { ty, bits })
}

fn undefined_binary(operator: BinaryOperator, ty: Type, left: bool) -> Option<Constant> {
    use BinaryOperator::*;
    Some(match operator {
        Add | Sub | Xor => Constant::Undef(ty),
        And | Mul => Constant::integer(ty, 0),
        Or => Constant::integer(ty, -1),
        ShiftLeft | ShiftRightUnsigned | ShiftRightSigned | DivUnsigned | DivSigned | RemUnsigned | RemSigned if left => {
            Constant::integer(ty, 0)
        }
        _ => return None,
    })
}

fn unary(operator: UnaryOperator, ty: Type, a: Constant) -> Option<Constant> {
    use UnaryOperator::*;
    match (operator, a) {
        (_, Constant::Bits { bits, .. }) => Some(Constant::Bits { ty, bits: arithmetic::unary(operator, ty, bits) }),
        (Not | Neg | FloatNeg | ReverseBits | SwapBytes, Constant::Undef(_)) => Some(Constant::Undef(ty)),
        _ => None,
    }
}

/// The result of comparing two constants.
pub(super) fn compare(operator: CompareOperator, a: Constant, b: Constant) -> Option<bool> {
    use CompareOperator::*;
    match (a, b) {
        (Constant::Bits { ty, bits: a }, Constant::Bits { bits: b, .. }) => Some(arithmetic::compare(operator, ty, a, b)),
        (Constant::Undef(_), _) | (_, Constant::Undef(_)) => Some(undefined_compare(operator)),
        (Constant::Global(a), Constant::Global(b)) if a == b => Some(matches!(operator, Equal | LessEqualUnsigned | GreaterEqualUnsigned)),
        // A table has an address.
        (Constant::Global(_), Constant::Bits { bits: 0, .. }) => match operator {
            Equal => Some(false),
            NotEqual => Some(true),
            _ => None,
        },
        _ => None,
    }
}

/// An undefined integer is taken to equal the other operand, an undefined float to be NaN.
fn undefined_compare(operator: CompareOperator) -> bool {
    use CompareOperator::*;
    matches!(operator, Equal | LessEqualUnsigned | GreaterEqualUnsigned | LessEqualSigned | GreaterEqualSigned | FloatNotEqual)
}

fn cast(operator: CastOperator, a: Constant, ty: Type) -> Option<Constant> {
    use CastOperator::*;
    match a {
        Constant::Bits { ty: from, bits } => Some(Constant::Bits { ty, bits: arithmetic::cast(operator, from, ty, bits) }),
        Constant::Undef(_) => Some(match operator {
            Truncate | Bitcast | PointerToInteger | IntegerToPointer | Space => Constant::Undef(ty),
            ZeroExtend | SignExtend | FloatToUnsigned | FloatToSigned | UnsignedToFloat | SignedToFloat | FloatToFloat => {
                Constant::Bits { ty, bits: 0 }
            }
        }),
        Constant::Global(_) => None,
    }
}
