//! Finds block parameters whose arguments are computed alike on every way into the block, and computes them once in the block instead.
//! What matters are addresses: one that meets itself can be followed again.

use std::collections::HashMap;

use crate::analysis::{ControlFlow, Dominators};
use crate::passes::Pass;
use crate::passes::builder::Sequence;
use crate::passes::dce::drop_parameters;
use crate::passes::rewrite::{self, Replacements};
use crate::{BlockId, Function, InstructionId, Module, Operation, ValueDefinition, ValueId};

/// The pass.
pub struct JoinComputations;

/// How many operations behind one another are compared.
const MAX_DEPTH: u32 = 4;

impl Pass for JoinComputations {
    fn name(&self) -> &'static str {
        "join_computations"
    }

    fn run(&self, function: &mut Function, _module: &mut Module) -> bool {
        let flow = ControlFlow::new(function);
        let dominators = Dominators::new(function, &flow);
        let homes = rewrite::homes(function, &flow);
        let mut replacements = Replacements::default();
        for &block in flow.reverse_postorder() {
            if block == function.entry() || flow.edges(block).len() < 2 {
                continue;
            }
            let mut sequence = Sequence { location: function.block(block).location, ..Sequence::default() };
            let mut joined = Vec::new();
            for (index, parameter) in function.block(block).parameters.clone().into_iter().enumerate() {
                let arguments: Vec<ValueId> =
                    flow.edges(block).iter().map(|edge| rewrite::target(function, edge.from, edge.index).arguments[index]).collect();
                let first = arguments[0];
                let place = Place { function, dominators: &dominators, homes: &homes, block };
                if arguments[1..].iter().all(|&other| other != first && place.same(first, other, MAX_DEPTH)) {
                    let value = compute(function, &mut sequence, &dominators, &homes, block, first);
                    replacements.replace(parameter, value);
                    joined.push(parameter);
                }
            }
            if !joined.is_empty() {
                drop_parameters(function, &flow, block, |parameter| !joined.contains(&parameter));
                function.block_mut(block).instructions.splice(0..0, sequence.instructions);
            }
        }
        replacements.apply(function)
    }
}

/// Where values are to be computed.
struct Place<'a> {
    function: &'a Function,
    dominators: &'a Dominators,
    homes: &'a HashMap<InstructionId, BlockId>,
    block: BlockId,
}

impl Place<'_> {
    /// Whether two values are computed alike from values that are known here.
    fn same(&self, a: ValueId, b: ValueId, depth: u32) -> bool {
        if a == b {
            return is_known(self.function, self.dominators, self.homes, self.block, a);
        }
        let (Some(first), Some(second)) = (self.function.defining_operation(a), self.function.defining_operation(b)) else { return false };
        if depth == 0 || !is_cheap(first) || self.function.ty(a) != self.function.ty(b) {
            return false;
        }
        let (mut left, mut right) = (Vec::new(), Vec::new());
        let shape = |operation: &Operation, operands: &mut Vec<ValueId>| {
            let mut shape = operation.clone();
            shape.operands_mut(|value| operands.push(std::mem::replace(value, ValueId::new(0))));
            shape
        };
        shape(first, &mut left) == shape(second, &mut right)
            && left.iter().zip(&right).all(|(&left, &right)| self.same(left, right, depth - 1))
    }
}

/// Whether an operation is no worse for being done later.
fn is_cheap(operation: &Operation) -> bool {
    matches!(operation, Operation::Element { .. } | Operation::Field { .. } | Operation::Offset { .. } | Operation::Cast(..))
}

/// Whether a value is computed before a block on every path, and the same each time.
fn is_known(function: &Function, dominators: &Dominators, homes: &HashMap<InstructionId, BlockId>, block: BlockId, value: ValueId) -> bool {
    let home = match function.definition(value) {
        ValueDefinition::Constant(_) => return true,
        ValueDefinition::Parameter { block, .. } => Some(block),
        ValueDefinition::Instruction { instruction, .. } => homes.get(&instruction).copied(),
    };
    home.is_some_and(|home| home != block && dominators.dominates(home, block))
}

/// Appends the computation of a value; what is known stays as it is.
fn compute(
    function: &mut Function,
    sequence: &mut Sequence,
    dominators: &Dominators,
    homes: &HashMap<InstructionId, BlockId>,
    block: BlockId,
    value: ValueId,
) -> ValueId {
    if is_known(function, dominators, homes, block, value) {
        return value;
    }
    let id = function.defining_instruction(value).expect("what is not known is computed");
    let mut operation = function.instruction(id).operation.clone();
    operation.operands_mut(|operand| *operand = compute(function, sequence, dominators, homes, block, *operand));
    let ty = function.ty(value);
    let copy = sequence.value(function, operation, ty);
    rewrite::inherit_name(function, value, copy);
    copy
}
