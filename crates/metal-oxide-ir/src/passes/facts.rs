//! What must be true because a branch went one way.

use crate::analysis::{ControlFlow, Edge};
use crate::passes::outcomes::Outcomes;
use crate::{BinaryOperator, CompareOperator, Constant, Function, Operation, Terminator, UnaryOperator, ValueId};

/// What a branch decided about a value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Decided {
    /// A condition is true or false.
    Bool(bool),
    /// An integer is this constant.
    Case(Constant),
}

/// What the terminator at the start of an edge decided, if the edge is taken.
pub(super) fn on_edge(function: &Function, edge: Edge) -> Option<(ValueId, Decided)> {
    let terminator = &function.block(edge.from).terminator;
    let goal = terminator.targets().nth(edge.index)?.block;
    // A block that is the target twice says nothing.
    if terminator.targets().filter(|target| target.block == goal).count() > 1 {
        return None;
    }
    match terminator {
        Terminator::CondBranch { condition, .. } => Some((*condition, Decided::Bool(edge.index == 0))),
        Terminator::Switch { value, cases, .. } => {
            let (bits, _) = cases.get(edge.index)?;
            Some((*value, Decided::Case(Constant::Bits { ty: function.ty(*value), bits: *bits })))
        }
        _ => None,
    }
}

/// The values that are constants because a condition is true or false.
pub(super) fn implied(function: &Function, condition: ValueId, holds: bool) -> Vec<(ValueId, Constant)> {
    let mut facts = Vec::new();
    let mut work = vec![(condition, holds)];
    while let Some((condition, holds)) = work.pop() {
        if function.constant(condition).is_some() {
            continue;
        }
        facts.push((condition, Constant::bool(holds)));
        match function.defining_operation(condition) {
            Some(&Operation::Unary(UnaryOperator::Not, inner)) => work.push((inner, !holds)),
            Some(&Operation::Binary(BinaryOperator::And, a, b)) if holds => work.extend([(a, true), (b, true)]),
            Some(&Operation::Binary(BinaryOperator::Or, a, b)) if !holds => work.extend([(a, false), (b, false)]),
            Some(&Operation::Compare(operator, a, b)) => {
                let equal = matches!((operator, holds), (CompareOperator::Equal, true) | (CompareOperator::NotEqual, false));
                if let (true, None, Some(constant @ Constant::Bits { .. })) = (equal, function.constant(a), function.constant(b)) {
                    facts.push((a, constant));
                }
            }
            _ => {}
        }
    }
    facts
}

/// Other comparisons of the operands of a comparison, whose answers follow from its answer.
pub(super) fn related_comparisons(function: &Function, condition: ValueId, holds: bool) -> Vec<(Operation, bool)> {
    let mut related = Vec::new();
    for (value, constant) in implied(function, condition, holds) {
        let Some(&Operation::Compare(operator, a, b)) = function.defining_operation(value) else { continue };
        let holds = constant == Constant::bool(true);
        let known = Outcomes::of(operator);
        let possible = if holds { known.set } else { known.family.all() & !known.set };
        for &other in CompareOperator::ALL {
            let asked = Outcomes::of(other);
            if !known.family.answers(asked.family) {
                continue;
            }
            let answer = match possible & asked.set {
                0 => false,
                common if common == possible => true,
                _ => continue,
            };
            let operation = match b < a {
                true => Operation::Compare(other.swapped(), b, a),
                false => Operation::Compare(other, a, b),
            };
            related.push((operation, answer));
        }
    }
    related
}

/// Whether a branch on the way to an edge ruled out that an integer is zero.
pub(super) fn is_not_zero(function: &Function, flow: &ControlFlow, value: ValueId, edge: Edge) -> bool {
    let mut next = Some(edge);
    // Far enough for the tests around one expression.
    for _ in 0..8 {
        let Some(edge) = next else { return false };
        if let Some((condition, Decided::Bool(holds))) = on_edge(function, edge) {
            let rules_out = |(fact, answer): (ValueId, Constant)| match function.defining_operation(fact) {
                Some(&Operation::Compare(operator, a, b)) if a == value => {
                    let zero = function.constant(b).and_then(Constant::as_unsigned) == Some(0);
                    let when = match operator {
                        CompareOperator::Equal => Constant::bool(false),
                        CompareOperator::NotEqual => Constant::bool(true),
                        _ => return false,
                    };
                    zero && answer == when
                }
                _ => false,
            };
            if implied(function, condition, holds).into_iter().any(rules_out) {
                return true;
            }
        }
        next = flow.only_edge(edge.from);
    }
    false
}
