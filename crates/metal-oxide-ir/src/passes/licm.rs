//! Finds operations in loops that compute the same each time around, and computes them in front of the loop if they take some time.
//! Cheap operations stay where they are read.

use std::collections::HashSet;

use crate::analysis::{ControlFlow, Dominators, Edge, Loops};
use crate::passes::Pass;
use crate::passes::speculation::can_speculate;
use crate::{BinaryOperator, BlockId, CastOperator, Function, InstructionId, Module, Operation, ValueDefinition, ValueId};

/// The pass.
pub struct Licm;

impl Pass for Licm {
    fn name(&self) -> &'static str {
        "licm"
    }

    fn run(&self, function: &mut Function, _module: &mut Module) -> bool {
        let flow = ControlFlow::new(function);
        let dominators = Dominators::new(function, &flow);
        let loops = Loops::new(function, &flow, &dominators);
        let mut changed = false;
        // Inner loops come first, so that what leaves one can leave the next.
        for (index, body) in loops.all().iter().enumerate() {
            let entries: Vec<Edge> = flow.edges(body.header).iter().copied().filter(|edge| !loops.contains(index, edge.from)).collect();
            let &[entry] = &entries[..] else { continue };
            changed |= hoist(function, &body.blocks, entry.from);
        }
        changed
    }
}

/// Moves what is worth it out of the blocks of a loop to the end of the block in front of it. Returns whether there was anything.
fn hoist(function: &mut Function, blocks: &[BlockId], front: BlockId) -> bool {
    let mut inside: HashSet<ValueId> = HashSet::new();
    for &block in blocks {
        inside.extend(&function.block(block).parameters);
        inside.extend(function.block(block).instructions.iter().filter_map(|&id| function.instruction(id).result));
    }
    // In reverse postorder operands come first, so one walk finds all that does not change.
    let mut unchanging: Vec<(InstructionId, ValueId)> = Vec::new();
    for &id in blocks.iter().flat_map(|&block| &function.block(block).instructions) {
        let instruction = function.instruction(id);
        let Some(result) = instruction.result.filter(|_| can_speculate(function, &instruction.operation)) else { continue };
        let mut varies = false;
        instruction.operation.operands(|operand| varies |= inside.contains(&operand));
        if !varies {
            inside.remove(&result);
            unchanging.push((id, result));
        }
    }

    // What is slow moves, and what it is computed from.
    let mut moved: HashSet<InstructionId> = HashSet::new();
    let candidates: HashSet<InstructionId> = unchanging.iter().map(|&(id, _)| id).collect();
    let mut work: Vec<InstructionId> = unchanging.iter().map(|&(id, _)| id).filter(|&id| is_slow(function, id)).collect();
    while let Some(id) = work.pop() {
        if !moved.insert(id) {
            continue;
        }
        function.instruction(id).operation.operands(|operand| {
            if let ValueDefinition::Instruction { instruction, .. } = function.definition(operand)
                && candidates.contains(&instruction)
            {
                work.push(instruction);
            }
        });
    }
    if moved.is_empty() {
        return false;
    }
    for &block in blocks {
        function.block_mut(block).instructions.retain(|id| !moved.contains(id));
    }
    let order = unchanging.into_iter().map(|(id, _)| id).filter(|id| moved.contains(id));
    function.block_mut(front).instructions.extend(order);
    true
}

/// Whether an operation takes longer than keeping its result does.
fn is_slow(function: &Function, id: InstructionId) -> bool {
    use BinaryOperator::*;
    match function.instruction(id).operation {
        Operation::Binary(operator, ..) => {
            let float = matches!(operator, FloatAdd | FloatSub | FloatMul | FloatDiv | FloatRem);
            float || matches!(operator, Mul | MulHighUnsigned | MulHighSigned | DivUnsigned | DivSigned | RemUnsigned | RemSigned)
        }
        Operation::Unary(operator, _) => operator == crate::UnaryOperator::Sqrt,
        Operation::Math(..) => true,
        Operation::Cast(operator, _) => {
            use CastOperator::{FloatToSigned, FloatToUnsigned, SignedToFloat, UnsignedToFloat};
            matches!(operator, FloatToUnsigned | FloatToSigned | UnsignedToFloat | SignedToFloat)
        }
        _ => false,
    }
}
