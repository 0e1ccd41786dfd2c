//! Which operations may be executed where their results are not needed.
//! A division may not, unless its divisor is known, nor may a shift whose count could be too large.

use crate::{BinaryOperator, Constant, Function, Operation, ValueId};

/// Whether an operation does no harm wherever its operands are known.
pub(super) fn can_speculate(function: &Function, operation: &Operation) -> bool {
    use BinaryOperator::*;
    match *operation {
        Operation::Binary(operator, _, b) => match operator {
            DivUnsigned | DivSigned | RemUnsigned | RemSigned => is_safe_divisor(function, b),
            ShiftLeft | ShiftRightUnsigned | ShiftRightSigned => is_shift_count(function, b),
            _ => true,
        },
        _ => operation.is_pure(),
    }
}

/// Whether dividing by a value always has a result: it is a constant, and neither zero nor minus one.
fn is_safe_divisor(function: &Function, divisor: ValueId) -> bool {
    function.constant(divisor).and_then(Constant::as_signed).is_some_and(|divisor| divisor != 0 && divisor != -1)
}

/// Whether a value is certainly below the width of its type.
fn is_shift_count(function: &Function, count: ValueId) -> bool {
    let width = u128::from(function.ty(count).bits());
    let below = |value: ValueId| function.constant(value).and_then(Constant::as_unsigned).is_some_and(|bits| bits < width);
    match function.defining_operation(count) {
        Some(&Operation::Binary(BinaryOperator::And, _, mask)) => below(mask) || below(count),
        _ => below(count),
    }
}
