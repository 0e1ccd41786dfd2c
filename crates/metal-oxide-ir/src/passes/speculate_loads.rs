//! Loads from one of several slots, chosen before: loads from each of them and chooses among the values, so that the slots can become values.
//! Slots may be read at any time; other memory only where it would be read anyway.

use crate::analysis::{ControlFlow, Edge};
use crate::passes::Pass;
use crate::passes::builder::Sequence;
use crate::passes::dce::drop_parameters;
use crate::passes::rewrite::{self, Replacements};
use crate::passes::slots;
use crate::{BlockId, Function, InstructionId, Module, Operation, Terminator, Type, ValueId};

/// The pass.
pub struct SpeculateLoads;

impl Pass for SpeculateLoads {
    fn name(&self) -> &'static str {
        "speculate_loads"
    }

    fn run(&self, function: &mut Function, module: &mut Module) -> bool {
        let flow = ControlFlow::new(function);
        let mut changed = false;
        for &block in flow.reverse_postorder() {
            changed |= split_selected(function, module, block);
        }
        join_loaded(function, module, &flow) || changed
    }
}

/// Whether reading this many bytes at an address is always possible, because they are in a slot.
fn is_in_slot(function: &Function, module: &Module, pointer: ValueId, bytes: u64) -> bool {
    let (root, offset) = slots::trace(function, module, pointer);
    match (function.defining_operation(root), offset.and_then(|offset| u64::try_from(offset).ok())) {
        (Some(&Operation::Slot(ty)), Some(offset)) => offset + bytes <= module.ty(ty).size,
        _ => false,
    }
}

/// Loads through a selected address become selections of loaded values.
fn split_selected(function: &mut Function, module: &Module, block: BlockId) -> bool {
    let mut changed = false;
    let mut sequence = Sequence::default();
    for id in std::mem::take(&mut function.block_mut(block).instructions) {
        let instruction = function.instruction(id).clone();
        sequence.location = instruction.location;
        if let (Operation::Load(pointer), Some(result)) = (&instruction.operation, instruction.result)
            && let Some(&Operation::Select(condition, a, b)) = function.defining_operation(*pointer)
        {
            let ty = function.ty(result);
            if is_in_slot(function, module, a, ty.size()) && is_in_slot(function, module, b, ty.size()) {
                let a = sequence.value(function, Operation::Load(a), ty);
                let b = sequence.value(function, Operation::Load(b), ty);
                function.instruction_mut(id).operation = Operation::Select(condition, a, b);
                changed = true;
            }
        }
        sequence.instructions.push(id);
    }
    function.block_mut(block).instructions = sequence.instructions;
    changed
}

/// Loads through an address that a block gets as a parameter become loads at the ends of the blocks before it.
fn join_loaded(function: &mut Function, module: &Module, flow: &ControlFlow) -> bool {
    let uses = rewrite::use_counts(function);
    let mut replacements = Replacements::default();
    let mut joined: Vec<(BlockId, ValueId)> = Vec::new();
    for &block in flow.reverse_postorder() {
        if block == function.entry() || flow.edges(block).iter().any(|edge| edge.from == block) {
            continue;
        }
        for (position, parameter) in function.block(block).parameters.clone().into_iter().enumerate() {
            let Some((loads, ty)) = early_loads(function, &uses, block, parameter) else { continue };
            let edges = flow.edges(block).to_vec();
            if !edges.iter().all(|edge| can_load_before(function, module, edge, position, ty))
                || !edges.iter().any(|edge| is_slot_argument(function, module, edge, position, ty))
            {
                continue;
            }
            let value = function.add_parameter(block, ty);
            for edge in edges {
                let pointer = rewrite::target(function, edge.from, edge.index).arguments[position];
                let location = function.block(edge.from).location;
                let loaded = function.append(edge.from, Operation::Load(pointer), ty, location);
                rewrite::target_mut(function, edge.from, edge.index).arguments.push(loaded);
            }
            for id in loads {
                if let Some(result) = function.instruction(id).result {
                    rewrite::inherit_name(function, result, value);
                    replacements.replace(result, value);
                }
                function.block_mut(block).instructions.retain(|&other| other != id);
            }
            joined.push((block, parameter));
        }
    }
    for &(block, parameter) in &joined {
        drop_parameters(function, flow, block, |other| other != parameter);
    }
    replacements.apply(function);
    !joined.is_empty()
}

/// The loads through a parameter, if nothing else uses it and they stand in its block before anything that could change memory.
fn early_loads(function: &Function, uses: &[u32], block: BlockId, parameter: ValueId) -> Option<(Vec<InstructionId>, Type)> {
    let mut loads = Vec::new();
    let mut ty = None;
    if !function.ty(parameter).is_pointer() {
        return None;
    }
    for &id in &function.block(block).instructions {
        let instruction = function.instruction(id);
        match instruction.operation {
            Operation::Load(pointer) if pointer == parameter => {
                let this = function.ty(instruction.result?);
                if ty.is_some_and(|ty| ty != this) {
                    return None;
                }
                ty = Some(this);
                loads.push(id);
            }
            ref operation if operation.has_effect() && !matches!(operation, Operation::Assume(_)) => break,
            _ => {}
        }
    }
    let all = uses.get(parameter.index()).copied()? as usize == loads.len();
    ty.filter(|_| all).map(|ty| (loads, ty))
}

fn is_slot_argument(function: &Function, module: &Module, edge: &Edge, position: usize, ty: Type) -> bool {
    let pointer = rewrite::target(function, edge.from, edge.index).arguments[position];
    is_in_slot(function, module, pointer, ty.size())
}

/// Whether the load can be done before a jump: always from a slot, else only if the jump is certain.
fn can_load_before(function: &Function, module: &Module, edge: &Edge, position: usize, ty: Type) -> bool {
    is_slot_argument(function, module, edge, position, ty) || matches!(function.block(edge.from).terminator, Terminator::Branch(_))
}
