//! Simplifies terminators: constant conditions, equal targets, targets that are never reached, and switches that are simple choices.

use crate::analysis::ControlFlow;
use crate::passes::builder::Sequence;
use crate::{
    BinaryOperator, BlockId, CastOperator, CompareOperator, Constant, Function, Operation, Target, Terminator, Type, UnaryOperator, ValueId,
};

/// Simplifies the terminator of every block. Returns whether any changed.
pub(super) fn simplify(function: &mut Function) -> bool {
    let mut changed = false;
    let flow = ControlFlow::new(function);
    // From the end, so that what is never reached is known when its predecessors are looked at.
    for &block in flow.reverse_postorder().iter().rev() {
        changed |= cut_unreachable(function, block);
        while let Some(terminator) = simplify_terminator(function, block) {
            function.block_mut(block).terminator = terminator;
            changed = true;
        }
    }
    changed
}

/// A block that contradicts what it assumes, or that ends in `unreachable`, is not reached as far back as nothing could have stopped it before.
fn cut_unreachable(function: &mut Function, block: BlockId) -> bool {
    let body = function.block(block);
    let contradiction = body.instructions.iter().position(|&id| match function.instruction(id).operation {
        Operation::Assume(condition) => function.constant(condition).and_then(Constant::as_unsigned) == Some(0),
        _ => false,
    });
    let end = match contradiction {
        Some(position) => position,
        None if body.terminator == Terminator::Unreachable => body.instructions.len(),
        None => return false,
    };
    // A call can fail or run forever, and so may not return.
    let stop = body.instructions[..end].iter().rposition(|&id| matches!(function.instruction(id).operation, Operation::Call(..)));
    let keep = stop.map_or(0, |position| position + 1);
    if contradiction.is_none() && keep == end {
        return false;
    }
    let body = function.block_mut(block);
    body.instructions.truncate(keep);
    body.terminator = Terminator::Unreachable;
    true
}

fn is_unreachable(function: &Function, block: BlockId) -> bool {
    let block = function.block(block);
    block.instructions.is_empty() && block.terminator == Terminator::Unreachable
}

fn bits(function: &Function, value: ValueId) -> Option<u128> {
    function.constant(value).and_then(Constant::as_unsigned)
}

/// A simpler terminator for a block, if there is one. May append instructions to the block.
fn simplify_terminator(function: &mut Function, block: BlockId) -> Option<Terminator> {
    match function.block(block).terminator.clone() {
        Terminator::Branch(target) if is_unreachable(function, target.block) => Some(Terminator::Unreachable),
        Terminator::CondBranch { condition, then, otherwise } => simplify_branch(function, block, condition, then, otherwise),
        Terminator::Switch { value, cases, default } => simplify_switch(function, block, value, cases, default),
        _ => None,
    }
}

fn simplify_branch(function: &mut Function, block: BlockId, condition: ValueId, then: Target, otherwise: Target) -> Option<Terminator> {
    if let Some(constant) = function.constant(condition) {
        let taken = if constant.as_unsigned() == Some(0) { otherwise } else { then };
        return Some(Terminator::Branch(taken));
    }
    if then == otherwise {
        return Some(Terminator::Branch(then));
    }
    if let Some(&Operation::Unary(UnaryOperator::Not, inner)) = function.defining_operation(condition) {
        return Some(Terminator::CondBranch { condition: inner, then: otherwise, otherwise: then });
    }
    if is_unreachable(function, then.block) {
        assume(function, block, condition, false);
        return Some(Terminator::Branch(otherwise));
    }
    if is_unreachable(function, otherwise.block) {
        assume(function, block, condition, true);
        return Some(Terminator::Branch(then));
    }
    None
}

/// Records at the end of a block what a condition is, since the other way is never taken.
fn assume(function: &mut Function, block: BlockId, condition: ValueId, holds: bool) {
    let mut sequence = Sequence { location: function.block(block).location, ..Sequence::default() };
    let fact = match (holds, function.defining_operation(condition)) {
        (true, _) => condition,
        (false, Some(&Operation::Compare(operator, a, b))) if operator.negated().is_some() => {
            let operator = operator.negated().unwrap_or(operator);
            sequence.compare(function, operator, a, b)
        }
        (false, _) => sequence.unary(function, UnaryOperator::Not, condition),
    };
    sequence.effect(function, Operation::Assume(fact));
    function.block_mut(block).instructions.append(&mut sequence.instructions);
}

fn simplify_switch(
    function: &mut Function,
    block: BlockId,
    value: ValueId,
    mut cases: Vec<(u128, Target)>,
    default: Target,
) -> Option<Terminator> {
    if let Some(constant) = function.constant(value) {
        let constant = constant.as_unsigned();
        let taken = cases.into_iter().find(|(case, _)| Some(*case) == constant).map_or(default, |(_, target)| target);
        return Some(Terminator::Branch(taken));
    }
    let count = cases.len();
    let impossible = |function: &Function, target: &Target| is_unreachable(function, target.block);
    // What is never taken may go anywhere.
    cases.retain(|(_, target)| *target != default && !impossible(function, target));
    if cases.is_empty() {
        return Some(Terminator::Branch(default));
    }
    if impossible(function, &default) {
        // The commonest target becomes the default.
        let uses = |target: &Target| cases.iter().filter(|(_, other)| other == target).count();
        let default = cases.iter().map(|(_, target)| target).rev().max_by_key(|target| uses(target))?.clone();
        return Some(Terminator::Switch { value, cases, default });
    }
    if let [(case, target)] = &cases[..] {
        return Some(choose(function, block, CompareOperator::Equal, value, *case, target.clone(), default));
    }
    let all_same = cases.iter().all(|(_, target)| *target == cases[0].1);
    if let Some(terminator) = switch_on(function, block, value, &cases, &default, all_same) {
        return Some(terminator);
    }
    (cases.len() != count).then_some(Terminator::Switch { value, cases, default })
}

/// A branch on a comparison with a constant.
fn choose(
    function: &mut Function,
    block: BlockId,
    operator: CompareOperator,
    value: ValueId,
    case: u128,
    then: Target,
    otherwise: Target,
) -> Terminator {
    let ty = function.ty(value);
    let constant = function.add_constant(Constant::Bits { ty, bits: case });
    let location = function.block(block).location;
    let condition = function.append(block, Operation::Compare(operator, value, constant), Type::Bool, location);
    Terminator::CondBranch { condition, then, otherwise }
}

/// A switch on a value whose computation says more about it.
fn switch_on(
    function: &mut Function,
    block: BlockId,
    value: ValueId,
    cases: &[(u128, Target)],
    default: &Target,
    all_same: bool,
) -> Option<Terminator> {
    let target_of = |bits: u128| cases.iter().find(|(case, _)| *case == bits).map_or(default, |(_, target)| target).clone();
    let ty = function.ty(value);
    let mask = u128::MAX >> (128 - ty.bits());
    match *function.defining_operation(value)? {
        Operation::Cast(CastOperator::ZeroExtend, narrow) => {
            if function.ty(narrow) == Type::Bool {
                return Some(Terminator::CondBranch { condition: narrow, then: target_of(1), otherwise: target_of(0) });
            }
            let bits = function.ty(narrow).bits();
            let cases = cases.iter().filter(|(case, _)| case >> bits == 0).cloned().collect();
            Some(Terminator::Switch { value: narrow, cases, default: default.clone() })
        }
        Operation::Cast(CastOperator::SignExtend, narrow) => {
            let bits = function.ty(narrow).bits();
            let low = u128::MAX >> (128 - bits);
            let fits = |case: u128| {
                let high = (case & mask) >> (bits - 1);
                high == 0 || high == mask >> (bits - 1)
            };
            let cases = cases.iter().filter(|(case, _)| fits(*case)).map(|(case, target)| (case & low, target.clone())).collect();
            Some(Terminator::Switch { value: narrow, cases, default: default.clone() })
        }
        Operation::Select(condition, a, b) => {
            let (a, b) = (bits(function, a)?, bits(function, b)?);
            Some(Terminator::CondBranch { condition, then: target_of(a), otherwise: target_of(b) })
        }
        Operation::Binary(operator @ (BinaryOperator::Add | BinaryOperator::Sub), base, constant) => {
            if let Some(constant) = bits(function, constant) {
                let shift = |case: u128| match operator {
                    BinaryOperator::Add => case.wrapping_sub(constant) & mask,
                    _ => case.wrapping_add(constant) & mask,
                };
                let cases = cases.iter().map(|(case, target)| (shift(*case), target.clone())).collect();
                return Some(Terminator::Switch { value: base, cases, default: default.clone() });
            }
            three_way(function, block, operator, base, constant, [target_of(mask), target_of(0), target_of(1)])
        }
        // Two cases with one target are a comparison if they are neighbours at the end of the range.
        _ if all_same && cases.len() == 2 => {
            let (low, high) = (cases[0].0.min(cases[1].0), cases[0].0.max(cases[1].0));
            (low == 0 && high == 1)
                .then(|| choose(function, block, CompareOperator::LessUnsigned, value, 2, cases[0].1.clone(), default.clone()))
        }
        _ => None,
    }
}

/// A switch on `(x > y) - (x < y)`, with the targets for -1, 0 and 1.
fn three_way(
    function: &mut Function,
    block: BlockId,
    operator: BinaryOperator,
    greater: ValueId,
    less: ValueId,
    [on_less, on_equal, on_greater]: [Target; 3],
) -> Option<Terminator> {
    let flag = |value: ValueId| match function.defining_operation(value) {
        Some(&Operation::Cast(CastOperator::ZeroExtend, flag)) => Some(flag),
        _ => None,
    };
    let (greater, less) = (flag(greater)?, flag(less)?);
    let (&Operation::Compare(first, x, y), &Operation::Compare(second, p, q)) =
        (function.defining_operation(greater)?, function.defining_operation(less)?)
    else {
        return None;
    };
    use CompareOperator::{GreaterSigned, GreaterUnsigned, LessSigned, LessUnsigned};
    let ordered = matches!((first, second), (GreaterUnsigned, LessUnsigned) | (GreaterSigned, LessSigned));
    if operator != BinaryOperator::Sub || !ordered || (x, y) != (p, q) {
        return None;
    }
    if on_equal == on_greater {
        return Some(Terminator::CondBranch { condition: less, then: on_less, otherwise: on_greater });
    }
    if on_equal == on_less {
        return Some(Terminator::CondBranch { condition: greater, then: on_greater, otherwise: on_less });
    }
    let rest = function.add_block();
    let location = function.block(block).location;
    let terminator = match on_less == on_greater {
        true => Terminator::Branch(on_less.clone()),
        false => Terminator::CondBranch { condition: less, then: on_less, otherwise: on_greater },
    };
    function.terminate(rest, terminator, location);
    let equal = function.append(block, Operation::Compare(CompareOperator::Equal, x, y), Type::Bool, location);
    Some(Terminator::CondBranch { condition: equal, then: on_equal, otherwise: Target::new(rest, Vec::new()) })
}
