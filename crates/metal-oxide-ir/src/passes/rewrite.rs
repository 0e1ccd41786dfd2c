//! Bookkeeping that passes share: values that stand for others, and how often values are used.
//! Replacements are collected while a pass looks around and applied to the whole function at once.

use std::collections::HashMap;

use crate::analysis::ControlFlow;
use crate::{BinaryOperator, BlockId, CastOperator, Constant, Function, InstructionId, Operation, Target, Terminator, ValueId};

/// Values that are to be replaced by others.
#[derive(Clone, Debug, Default)]
pub(super) struct Replacements {
    /// What each value becomes; values past the end stay.
    targets: Vec<Option<ValueId>>,
    any: bool,
}

impl Replacements {
    /// Makes all uses of `old` use `new`. Chains are followed; `new` must not lead back to `old`.
    pub fn replace(&mut self, old: ValueId, new: ValueId) {
        let new = self.find(new);
        debug_assert_ne!(old, new, "a value cannot replace itself");
        if self.targets.len() <= old.index() {
            self.targets.resize(old.index() + 1, None);
        }
        self.targets[old.index()] = Some(new);
        self.any = true;
    }

    /// What a value becomes.
    pub fn find(&mut self, value: ValueId) -> ValueId {
        let mut end = value;
        while let Some(&Some(next)) = self.targets.get(end.index()) {
            end = next;
        }
        // Shortens the path for the next time.
        let mut current = value;
        while current != end {
            let next = &mut self.targets[current.index()];
            current = next.replace(end).unwrap_or(end);
        }
        end
    }

    /// Whether a value is going to be replaced.
    pub fn contains(&self, value: ValueId) -> bool {
        matches!(self.targets.get(value.index()), Some(Some(_)))
    }

    /// Rewrites all operands, and hands the names of replaced values on to nameless replacements. Returns whether anything was replaced.
    pub fn apply(mut self, function: &mut Function) -> bool {
        if !self.any {
            return false;
        }
        for old in (0..self.targets.len()).map(ValueId::new) {
            if self.contains(old) {
                let new = self.find(old);
                inherit_name(function, old, new);
            }
        }
        function.rewrite_operands(|value| self.find(value));
        true
    }
}

/// Gives `new` the name of `old` if it has none, or none that a reader of the source would know, and is computed by the function itself.
pub(super) fn inherit_name(function: &mut Function, old: ValueId, new: ValueId) {
    let Some(name) = function.name(old).map(str::to_owned) else { return };
    let wanted = function.name(new).is_none_or(|known| is_internal(known) && !is_internal(&name));
    if wanted && function.constant(new).is_none() && !function.parameters().contains(&new) {
        function.set_name(new, name);
    }
}

/// Whether a name is one that the library's code and `for` loops use.
fn is_internal(name: &str) -> bool {
    let stem = name.split('_').next().unwrap_or(name);
    matches!(stem, "iter" | "self" | "" | "val" | "residual")
}

/// How many operands of instructions and terminators in blocks each value is.
pub(super) fn use_counts(function: &Function) -> Vec<u32> {
    let mut counts = vec![0; function.value_count()];
    for block in &function.blocks {
        for &id in &block.instructions {
            function.instruction(id).operation.operands(|value| counts[value.index()] += 1);
        }
        block.terminator.operands(|value| counts[value.index()] += 1);
    }
    counts
}

/// The target with this index of a block's terminator.
///
/// # Panics
/// If the terminator has fewer targets.
pub(super) fn target(function: &Function, block: BlockId, index: usize) -> &Target {
    function.block(block).terminator.targets().nth(index).expect("the edge exists")
}

/// The target with this index of a block's terminator.
///
/// # Panics
/// If the terminator has fewer targets.
pub(super) fn target_mut(function: &mut Function, block: BlockId, index: usize) -> &mut Target {
    function.block_mut(block).terminator.targets_mut().nth(index).expect("the edge exists")
}

/// The operand that decides where a terminator goes or what it returns.
pub(super) fn decisive_operand(terminator: &Terminator) -> Option<ValueId> {
    match terminator {
        Terminator::CondBranch { condition: value, .. } | Terminator::Switch { value, .. } | Terminator::Return(Some(value)) => {
            Some(*value)
        }
        _ => None,
    }
}

/// The value that an address is computed from.
pub(super) fn root(function: &Function, pointer: ValueId) -> ValueId {
    let mut current = pointer;
    while let Some(
        Operation::Element { base, .. }
        | Operation::Field { base, .. }
        | Operation::Offset { base, .. }
        | Operation::Cast(CastOperator::Space, base),
    ) = function.defining_operation(current)
    {
        current = *base;
    }
    current
}

/// Empties the blocks that are never reached, so that they do not refer to values that a pass removes.
pub(super) fn clear_unreachable(function: &mut Function, flow: &ControlFlow) {
    for block in function.block_ids().filter(|&block| !flow.is_reachable(block)) {
        let block = function.block_mut(block);
        block.instructions.clear();
        block.parameters.clear();
        block.terminator = Terminator::Unreachable;
    }
}

/// The block of each instruction that can be reached.
pub(super) fn homes(function: &Function, flow: &ControlFlow) -> HashMap<InstructionId, BlockId> {
    let blocks = flow.reverse_postorder().iter();
    blocks.flat_map(|&block| function.block(block).instructions.iter().map(move |&id| (id, block))).collect()
}

/// An integer as another plus a constant.
pub(super) fn as_sum(function: &Function, value: ValueId) -> (ValueId, i128) {
    let constant = |value: ValueId| function.constant(value).and_then(Constant::as_signed);
    match function.defining_operation(value) {
        Some(&Operation::Binary(BinaryOperator::Add, base, term)) => constant(term).map_or((value, 0), |term| (base, term)),
        Some(&Operation::Binary(BinaryOperator::Sub, base, term)) => constant(term).map_or((value, 0), |term| (base, -term)),
        _ => (value, 0),
    }
}
