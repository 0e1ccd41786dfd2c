//! Removes what is assumed, once nothing more is to be concluded from it.

use crate::passes::Pass;
use crate::{Function, Module, Operation};

/// The pass.
pub struct DropAssumes;

impl Pass for DropAssumes {
    fn name(&self) -> &'static str {
        "drop_assumes"
    }

    fn run(&self, function: &mut Function, _module: &mut Module) -> bool {
        let mut changed = false;
        for block in function.block_ids() {
            let mut instructions = std::mem::take(&mut function.block_mut(block).instructions);
            let before = instructions.len();
            instructions.retain(|&id| !matches!(function.instruction(id).operation, Operation::Assume(_)));
            changed |= instructions.len() != before;
            function.block_mut(block).instructions = instructions;
        }
        changed
    }
}
