//! Removes instructions whose results nobody needs, block parameters that only feed themselves, and stores to slots that nobody reads.
//! Marks what has effects and what decides control flow, then everything that those need.

use std::collections::HashMap;

use crate::analysis::ControlFlow;
use crate::passes::Pass;
use crate::passes::rewrite::{self, root};
use crate::{BlockId, Function, InstructionId, Module, Operation, ValueDefinition, ValueId};

/// The pass.
pub struct Dce;

impl Pass for Dce {
    fn name(&self) -> &'static str {
        "dce"
    }

    fn run(&self, function: &mut Function, _module: &mut Module) -> bool {
        let flow = ControlFlow::new(function);
        let live = mark(function, &flow);
        let mut changed = false;
        for &block in flow.reverse_postorder() {
            let mut instructions = std::mem::take(&mut function.block_mut(block).instructions);
            let before = instructions.len();
            instructions.retain(|&id| {
                let instruction = function.instruction(id);
                match written_slot(function, &instruction.operation) {
                    Some(slot) => live[slot.index()],
                    None => instruction.operation.has_effect() || instruction.result.is_some_and(|result| live[result.index()]),
                }
            });
            changed |= instructions.len() != before;
            function.block_mut(block).instructions = instructions;
            if block != function.entry() {
                changed |= drop_parameters(function, &flow, block, |value| live[value.index()]);
            }
        }
        changed
    }
}

/// Removes the parameters of a block that are not wanted, with the arguments for them. Returns whether there were any.
pub(super) fn drop_parameters(function: &mut Function, flow: &ControlFlow, block: BlockId, wanted: impl Fn(ValueId) -> bool) -> bool {
    let keep: Vec<bool> = function.block(block).parameters.iter().map(|&parameter| wanted(parameter)).collect();
    if keep.iter().all(|&keep| keep) {
        return false;
    }
    let retain = |values: &mut Vec<ValueId>| {
        let mut kept = keep.iter();
        values.retain(|_| kept.next() == Some(&true));
    };
    retain(&mut function.block_mut(block).parameters);
    for edge in flow.edges(block) {
        retain(&mut rewrite::target_mut(function, edge.from, edge.index).arguments);
    }
    true
}

/// The slot that an operation writes into, if it does nothing else.
fn written_slot(function: &Function, operation: &Operation) -> Option<ValueId> {
    let pointer = match *operation {
        Operation::Store { pointer, .. } => pointer,
        Operation::Copy { to, .. } => to,
        _ => return None,
    };
    let slot = root(function, pointer);
    matches!(function.defining_operation(slot), Some(Operation::Slot(_))).then_some(slot)
}

/// The values that something needs.
fn mark(function: &Function, flow: &ControlFlow) -> Vec<bool> {
    let mut live = vec![false; function.value_count()];
    let mut work: Vec<ValueId> = Vec::new();
    let mut writes: HashMap<ValueId, Vec<InstructionId>> = HashMap::new();
    for &block in flow.reverse_postorder() {
        for &id in &function.block(block).instructions {
            let operation = &function.instruction(id).operation;
            match written_slot(function, operation) {
                Some(slot) => writes.entry(slot).or_default().push(id),
                None if operation.has_effect() => operation.operands(|value| work.push(value)),
                None => {}
            }
        }
        let terminator = &function.block(block).terminator;
        work.extend(rewrite::decisive_operand(terminator));
        // The entry's parameters are the function's and stay.
        work.extend(terminator.targets().filter(|target| target.block == function.entry()).flat_map(|target| &target.arguments));
    }
    while let Some(value) = work.pop() {
        if std::mem::replace(&mut live[value.index()], true) {
            continue;
        }
        match function.definition(value) {
            ValueDefinition::Constant(_) => {}
            ValueDefinition::Instruction { instruction, .. } => {
                function.instruction(instruction).operation.operands(|operand| work.push(operand));
                for &write in writes.get(&value).into_iter().flatten() {
                    function.instruction(write).operation.operands(|operand| work.push(operand));
                }
            }
            ValueDefinition::Parameter { block, .. } if block == function.entry() => {}
            ValueDefinition::Parameter { block, .. } => {
                let index = function.block(block).parameters.iter().position(|&parameter| parameter == value);
                let index = index.expect("a parameter is in its block's list");
                work.extend(flow.edges(block).iter().map(|edge| rewrite::target(function, edge.from, edge.index).arguments[index]));
            }
        }
    }
    live
}
