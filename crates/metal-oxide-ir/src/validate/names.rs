//! Names blocks and values as the text form does, so that problems can be found in printed modules.

use crate::analysis::ControlFlow;
use crate::{BlockId, Constant, Function, ValueId};

/// The numbers of blocks and values in the text form, which counts what is reachable.
#[derive(Default)]
pub(super) struct Names {
    blocks: Vec<Option<usize>>,
    values: Vec<Option<usize>>,
}

impl Names {
    pub(super) fn new(function: &Function, flow: &ControlFlow) -> Self {
        let mut names = Names { blocks: vec![None; function.blocks.len()], values: vec![None; function.value_count()] };
        let (mut blocks, mut values) = (0.., 0..);
        for id in function.block_ids().filter(|&id| flow.is_reachable(id)) {
            names.blocks[id.index()] = blocks.next();
            let block = function.block(id);
            let results = block.instructions.iter().filter_map(|&instruction| function.instruction(instruction).result);
            for value in block.parameters.iter().copied().chain(results) {
                names.values[value.index()] = values.next();
            }
        }
        names
    }

    /// The block as it is printed, or as it is if it is not printed.
    pub(super) fn block(&self, block: BlockId) -> BlockId {
        self.blocks.get(block.index()).copied().flatten().map_or(block, BlockId::new)
    }

    pub(super) fn value(&self, function: &Function, value: ValueId) -> String {
        match function.constant(value) {
            Some(Constant::Bits { bits, .. }) => format!("the constant {bits:#x}"),
            Some(Constant::Global(global)) => global.to_string(),
            Some(Constant::Undef(_)) => "undef".into(),
            None => match self.values.get(value.index()).copied().flatten() {
                Some(number) => format!("%{number}"),
                None => format!("a value that is defined nowhere ({value})"),
            },
        }
    }
}
