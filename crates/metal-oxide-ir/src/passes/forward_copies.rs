//! Finds slots that only hold a copy of memory that nobody writes, such as a table or a read-only buffer, and reads the original instead.

use std::collections::HashMap;

use crate::analysis::{ControlFlow, Dominators};
use crate::passes::Pass;
use crate::passes::alias::Aliases;
use crate::passes::rewrite::{Replacements, root};
use crate::passes::slots::Slots;
use crate::{BlockId, Function, InstructionId, Module, Operation, ValueId};

/// The pass.
pub struct ForwardCopies;

impl Pass for ForwardCopies {
    fn name(&self) -> &'static str {
        "forward_copies"
    }

    fn run(&self, function: &mut Function, module: &mut Module) -> bool {
        let flow = ControlFlow::new(function);
        let aliases = Aliases::new(function);
        let slots = Slots::new(function, module, &flow, &aliases);
        if slots.all.is_empty() {
            return false;
        }
        // The only write of each slot; `None` if there are several.
        let mut writes: HashMap<usize, Option<(InstructionId, BlockId)>> = HashMap::new();
        for &block in flow.reverse_postorder() {
            for &id in &function.block(block).instructions {
                if let (_, Some(write)) = slots.accesses(function, module, id) {
                    let only = slots.is_whole(write).then_some((id, block));
                    writes.entry(write.slot).and_modify(|known| *known = None).or_insert(only);
                }
            }
        }

        let dominators = Dominators::new(function, &flow);
        let mut replacements = Replacements::default();
        let mut forwarded = Vec::new();
        for slot in 0..slots.all.len() {
            let Some(&Some((id, block))) = writes.get(&slot) else { continue };
            let Operation::Copy { to, from, .. } = function.instruction(id).operation else { continue };
            let fits = function.ty(from) == function.ty(slots.all[slot]) && to == slots.all[slot];
            if fits && aliases.is_read_only(function, from) && comes_first(function, &flow, &dominators, slots.all[slot], id, block) {
                replacements.replace(slots.all[slot], from);
                forwarded.push((id, block));
            }
        }
        for &(id, block) in &forwarded {
            function.block_mut(block).instructions.retain(|&other| other != id);
        }
        replacements.apply(function)
    }
}

/// Whether all uses of a slot's address stand behind the copy that fills it.
fn comes_first(
    function: &Function,
    flow: &ControlFlow,
    dominators: &Dominators,
    slot: ValueId,
    copy: InstructionId,
    home: BlockId,
) -> bool {
    for &block in flow.reverse_postorder() {
        let mut before = block == home;
        for &id in &function.block(block).instructions {
            if id == copy {
                before = false;
                continue;
            }
            let mut uses = false;
            function.instruction(id).operation.operands(|operand| uses |= operand == slot);
            if uses && (before || !dominators.dominates(home, block)) {
                return false;
            }
        }
    }
    debug_assert_eq!(root(function, slot), slot);
    true
}
