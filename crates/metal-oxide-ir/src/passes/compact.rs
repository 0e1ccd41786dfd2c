//! Throws away what is no longer in a function: unreachable blocks, instructions that stand in no block, unused values.
//! Numbers the rest in the order in which control reaches it.

use crate::analysis::ControlFlow;
use crate::passes::Pass;
use crate::{BlockId, Function, Module, Type, ValueDefinition, ValueId};

/// The pass.
pub struct Compact;

impl Pass for Compact {
    fn name(&self) -> &'static str {
        "compact"
    }

    fn run(&self, function: &mut Function, _module: &mut Module) -> bool {
        *function = compacted(function);
        true
    }
}

fn compacted(old: &Function) -> Function {
    let parameters: Vec<Type> = old.parameters().iter().map(|&value| old.ty(value)).collect();
    let mut new = Function::new(old.name.clone(), old.kind.clone(), &parameters, old.result);
    let flow = ControlFlow::new(old);
    let mut values: Vec<Option<ValueId>> = vec![None; old.value_count()];
    let mut blocks: Vec<Option<BlockId>> = vec![None; old.blocks.len()];
    for &block in flow.reverse_postorder() {
        let copy = if block == old.entry() { new.entry() } else { new.add_block() };
        blocks[block.index()] = Some(copy);
        for (index, &parameter) in old.block(block).parameters.iter().enumerate() {
            let value = match block == old.entry() {
                true => new.parameters()[index],
                false => new.add_parameter(copy, old.ty(parameter)),
            };
            define(old, &mut new, &mut values, parameter, value);
        }
    }
    for &block in flow.reverse_postorder() {
        let copy = blocks[block.index()].expect("the block was just made");
        for &id in &old.block(block).instructions {
            let instruction = old.instruction(id);
            let mut operation = instruction.operation.clone();
            operation.operands_mut(|value| *value = operand(old, &mut new, &values, *value));
            let ty = instruction.result.map(|result| old.ty(result));
            let id = new.create_instruction(operation, ty, instruction.location);
            new.block_mut(copy).instructions.push(id);
            if let (Some(result), Some(value)) = (instruction.result, new.instruction(id).result) {
                define(old, &mut new, &mut values, result, value);
            }
        }
        let mut terminator = old.block(block).terminator.clone();
        terminator.operands_mut(|value| *value = operand(old, &mut new, &values, *value));
        for target in terminator.targets_mut() {
            target.block = blocks[target.block.index()].expect("a reachable block jumps to reachable blocks");
        }
        new.terminate(copy, terminator, old.block(block).location);
    }
    new
}

fn define(old: &Function, new: &mut Function, values: &mut [Option<ValueId>], value: ValueId, copy: ValueId) {
    values[value.index()] = Some(copy);
    if let Some(name) = old.name(value) {
        new.set_name(copy, name);
    }
}

fn operand(old: &Function, new: &mut Function, values: &[Option<ValueId>], value: ValueId) -> ValueId {
    match old.definition(value) {
        ValueDefinition::Constant(constant) => new.add_constant(constant),
        _ => values[value.index()].expect("definitions come before uses in reverse postorder"),
    }
}
