//! The control flow of one function, in the shape that structuring starts from.
//! A function is copied and its graph made reducible with one back edge a loop; everything later looks at the copy.

mod bounds;
pub(crate) mod coalesce;
pub(crate) mod fold;
pub(crate) mod liveness;
pub(crate) mod memory;
mod prepare;
pub(crate) mod steady;
pub(crate) mod termination;

use metal_oxide_ir::analysis::{ControlFlow, Dominators, Loops};
use metal_oxide_ir::{BlockId, Function, Operation, Terminator};

pub(crate) use prepare::prepare;

/// A function's graph.
#[derive(Debug)]
pub(crate) struct Flow {
    pub(crate) control: ControlFlow,
    pub(crate) dominators: Dominators,
    pub(crate) loops: Loops,
}

impl Flow {
    pub(crate) fn new(function: &Function) -> Self {
        let control = ControlFlow::new(function);
        let dominators = Dominators::new(function, &control);
        let loops = Loops::new(function, &control, &dominators);
        Flow { control, dominators, loops }
    }

    /// Whether a jump from `from` to `to` closes a loop.
    pub(crate) fn is_back_edge(&self, from: BlockId, to: BlockId) -> bool {
        self.control.position(to) <= self.control.position(from)
    }

    /// Whether the loops around `outer` are all around `inner` too.
    pub(crate) fn is_as_deep(&self, inner: BlockId, outer: BlockId) -> bool {
        self.loops.innermost(outer).is_none_or(|index| self.loops.contains(index, inner))
    }
}

/// Whether a block does nothing but leave the function. Such a block is printed wherever something jumps to it.
pub(crate) fn is_exit(function: &Function, block: BlockId) -> bool {
    let block = function.block(block);
    block.instructions.iter().all(|&id| matches!(function.instruction(id).operation, Operation::Assume(_)))
        && !matches!(block.terminator, Terminator::Branch(_) | Terminator::CondBranch { .. } | Terminator::Switch { .. })
}
