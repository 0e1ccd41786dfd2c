//! Sums that certainly do not wrap although their type has a sign: counting up below a limit, counting down above one.
//! They can be computed as C++ computes with signed numbers, so that an ordinary signed loop counter needs no casts.

use std::collections::{HashMap, HashSet};

use metal_oxide_ir::{BinaryOperator, BlockId, CompareOperator, Function, Operation, Terminator, ValueId};

use super::Flow;

/// The results of `x + 1` where `x` is less than something, and of `x - 1` where it is greater, as signed numbers.
pub(crate) fn steady(function: &Function, flow: &Flow) -> HashSet<ValueId> {
    // For each value, the blocks behind a test that leaves it room upwards or downwards.
    let mut room: HashMap<(ValueId, bool), Vec<BlockId>> = HashMap::new();
    for &id in flow.control.reverse_postorder() {
        let Terminator::CondBranch { condition, then, otherwise } = &function.block(id).terminator else { continue };
        let Some(Operation::Compare(operator, a, b)) = function.defining_operation(*condition) else { continue };
        for (operator, target) in [(Some(*operator), then), (operator.negated(), otherwise)] {
            if flow.control.edges(target.block).len() != 1 {
                continue;
            }
            let (low, high) = match operator {
                Some(CompareOperator::LessSigned) => (*a, *b),
                Some(CompareOperator::GreaterSigned) => (*b, *a),
                _ => continue,
            };
            room.entry((low, true)).or_default().push(target.block);
            room.entry((high, false)).or_default().push(target.block);
        }
    }

    let mut found = HashSet::new();
    for &id in flow.control.reverse_postorder() {
        for &instruction in &function.block(id).instructions {
            let instruction = function.instruction(instruction);
            let (Some(result), Operation::Binary(operator, a, b)) = (instruction.result, &instruction.operation) else { continue };
            let step = function.constant(*b).and_then(|constant| constant.as_signed());
            let upwards = match (operator, step) {
                (BinaryOperator::Add, Some(1)) | (BinaryOperator::Sub, Some(-1)) => true,
                (BinaryOperator::Add, Some(-1)) | (BinaryOperator::Sub, Some(1)) => false,
                _ => continue,
            };
            let tested = room.get(&(*a, upwards)).is_some_and(|blocks| blocks.iter().any(|&block| flow.dominators.dominates(block, id)));
            if tested {
                found.insert(result);
            }
        }
    }
    found
}
