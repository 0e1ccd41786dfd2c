//! Simple facts about unsigned numbers: how large they can be, and whether they can be zero.
//! Enough to see that a loop with the grid's size as its step ends; what needs more is for the passes to prove.

use metal_oxide_ir::{BinaryOperator, CastOperator, Coordinate, Function, FunctionKind, KernelParameterKind, Module, Operation, ValueId};

/// Operands are followed this far.
const DEPTH: usize = 8;

/// A number that a value, taken as unsigned, does not exceed.
pub(crate) fn largest(module: &Module, function: &Function, value: ValueId) -> u128 {
    largest_within(module, function, value, DEPTH)
}

fn largest_within(module: &Module, function: &Function, value: ValueId, depth: usize) -> u128 {
    let all = u128::MAX >> (128 - function.ty(value).bits());
    if let Some(bits) = function.constant(value).and_then(|constant| constant.as_unsigned()) {
        return bits;
    }
    let Some(operation) = function.defining_operation(value).filter(|_| depth > 0) else {
        return longest_buffer(module, function, value).unwrap_or(all);
    };
    let of = |value: ValueId| largest_within(module, function, value, depth - 1);
    let known = match operation {
        Operation::Cast(CastOperator::ZeroExtend, from) => of(*from),
        Operation::Coordinate(Coordinate::BlockSize | Coordinate::ThreadInBlock, _) => 1024,
        Operation::Binary(operator, a, b) => match operator {
            // If the largest numbers do not wrap, no others do.
            BinaryOperator::Add => of(*a) + of(*b),
            BinaryOperator::Mul => of(*a).saturating_mul(of(*b)),
            BinaryOperator::And | BinaryOperator::MinUnsigned => of(*a).min(of(*b)),
            BinaryOperator::MaxUnsigned => of(*a).max(of(*b)),
            BinaryOperator::DivUnsigned | BinaryOperator::ShiftRightUnsigned => of(*a),
            BinaryOperator::RemUnsigned => of(*a).min(of(*b).saturating_sub(1)),
            _ => all,
        },
        _ => all,
    };
    if known <= all { known } else { all }
}

/// The most elements that a buffer has, for the length of one: no allocation is larger than `isize::MAX` bytes.
fn longest_buffer(module: &Module, function: &Function, value: ValueId) -> Option<u128> {
    let FunctionKind::Kernel { parameters } = &function.kind else { return None };
    let mut values = function.parameters().iter();
    for parameter in parameters {
        values.next();
        if let KernelParameterKind::Buffer { element, .. } = parameter.kind
            && values.next() == Some(&value)
        {
            return Some(i64::MAX as u128 / u128::from(module.ty(element).size.max(1)));
        }
    }
    None
}

/// Whether a value is certainly not zero.
pub(crate) fn is_positive(module: &Module, function: &Function, value: ValueId) -> bool {
    if let Some(bits) = function.constant(value).and_then(|constant| constant.as_unsigned()) {
        return bits != 0;
    }
    let all = u128::MAX >> (128 - function.ty(value).bits());
    match function.defining_operation(value) {
        Some(Operation::Coordinate(Coordinate::BlockSize | Coordinate::GridSize, _)) => true,
        Some(Operation::Cast(CastOperator::ZeroExtend, from)) => is_positive(module, function, *from),
        Some(Operation::Binary(BinaryOperator::Mul, a, b)) => {
            let product = largest(module, function, *a).saturating_mul(largest(module, function, *b));
            product <= all && is_positive(module, function, *a) && is_positive(module, function, *b)
        }
        Some(Operation::Binary(BinaryOperator::Or | BinaryOperator::MaxUnsigned, a, b)) => {
            is_positive(module, function, *a) || is_positive(module, function, *b)
        }
        _ => false,
    }
}
