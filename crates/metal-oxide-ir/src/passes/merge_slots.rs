//! Finds slots that are copied whole into one another and never needed at the same time with different contents, and makes them one.
//! Moves of arrays and records in Rust become copies; this removes them where the original is not used any more.

use std::collections::HashSet;

use crate::analysis::ControlFlow;
use crate::passes::Pass;
use crate::passes::alias::Aliases;
use crate::passes::rewrite::Replacements;
use crate::passes::slots::{Access, Liveness, Slots};
use crate::{Function, Module, Operation, TypeId};

/// The pass.
pub struct MergeSlots;

impl Pass for MergeSlots {
    fn name(&self) -> &'static str {
        "merge_slots"
    }

    fn run(&self, function: &mut Function, module: &mut Module) -> bool {
        let flow = ControlFlow::new(function);
        let aliases = Aliases::new(function);
        let slots = Slots::new(function, module, &flow, &aliases);
        let pairs = copied_pairs(function, module, &flow, &slots);
        if pairs.is_empty() {
            return false;
        }
        let conflicts = conflicts(function, module, &flow, &slots);
        let mut classes: Vec<usize> = (0..slots.all.len()).collect();
        let mut changed = false;
        for (to, from) in pairs {
            let (to, from) = (classes[to], classes[from]);
            let fits = function.ty(slots.all[to]) == function.ty(slots.all[from]);
            let apart = conflicts.iter().any(|&(a, b)| {
                let pair = (classes[a], classes[b]);
                pair == (to, from) || pair == (from, to)
            });
            if to == from || !fits || apart {
                continue;
            }
            for class in &mut classes {
                if *class == from {
                    *class = to;
                }
            }
            changed = true;
        }
        if changed {
            // What is copied within a class stands there already.
            for &block in flow.reverse_postorder() {
                let mut instructions = std::mem::take(&mut function.block_mut(block).instructions);
                instructions.retain(|&id| copied_pair(function, module, &slots, id).is_none_or(|(to, from)| classes[to] != classes[from]));
                function.block_mut(block).instructions = instructions;
            }
            merge(function, module, &slots, &classes);
        }
        changed
    }
}

/// Copies of whole slots into whole slots, as destination and source.
fn copied_pairs(function: &Function, module: &Module, flow: &ControlFlow, slots: &Slots) -> Vec<(usize, usize)> {
    let mut pairs = Vec::new();
    for &id in flow.reverse_postorder().iter().flat_map(|&block| &function.block(block).instructions) {
        if let Some(pair) = copied_pair(function, module, slots, id) {
            pairs.push(pair);
        }
    }
    pairs
}

fn copied_pair(function: &Function, module: &Module, slots: &Slots, id: crate::InstructionId) -> Option<(usize, usize)> {
    match (&function.instruction(id).operation, slots.accesses(function, module, id)) {
        (Operation::Copy { .. }, (Some(from), Some(to))) => {
            let whole = slots.is_whole(from) && slots.is_whole(to) && slots.sizes[from.slot] == slots.sizes[to.slot];
            (whole && from.slot != to.slot).then_some((to.slot, from.slot))
        }
        _ => None,
    }
}

/// The pairs of slots, smaller index first, of which one is written while the contents of the other matter.
fn conflicts(function: &Function, module: &Module, flow: &ControlFlow, slots: &Slots) -> HashSet<(usize, usize)> {
    let liveness = Liveness::new(function, module, flow, slots);
    let mut conflicts = HashSet::new();
    for &block in flow.reverse_postorder() {
        let mut live: HashSet<usize> = (0..slots.all.len()).filter(|&slot| liveness.live_out[block.index()][slot]).collect();
        let instructions = &function.block(block).instructions;
        // Where each slot is written first in this block: before that it is live only if it is live on entry.
        let mut first_writes: HashSet<(usize, usize)> = HashSet::new();
        let mut seen = HashSet::new();
        for (position, &id) in instructions.iter().enumerate() {
            if let (_, Some(write)) = slots.accesses(function, module, id)
                && seen.insert(write.slot)
            {
                first_writes.insert((position, write.slot));
            }
        }
        for (position, &id) in instructions.iter().enumerate().rev() {
            let (read, write) = slots.accesses(function, module, id);
            if let Some(Access { slot, .. }) = write {
                let copied = copied_pair(function, module, slots, id).map(|(_, from)| from);
                let others = live.iter().copied().filter(|&other| other != slot && Some(other) != copied);
                conflicts.extend(others.map(|other| (slot.min(other), slot.max(other))));
                let begins = first_writes.contains(&(position, slot)) && !liveness.live_in[block.index()][slot];
                if begins || write.is_some_and(|write| slots.is_whole(write)) {
                    live.remove(&slot);
                }
            }
            if let Some(read) = read {
                live.insert(read.slot);
            }
        }
    }
    conflicts
}

/// Lets all slots of a class be the first one.
fn merge(function: &mut Function, module: &Module, slots: &Slots, classes: &[usize]) {
    let mut replacements = Replacements::default();
    for class in 0..classes.len() {
        let members: Vec<usize> = (0..classes.len()).filter(|&slot| classes[slot] == class).collect();
        let [first, rest @ ..] = &members[..] else { continue };
        if rest.is_empty() {
            continue;
        }
        let types: Vec<TypeId> = members.iter().filter_map(|&slot| slot_type(function, slots, slot)).collect();
        // The type must be aligned for all, and should say what is inside.
        let best = types.iter().copied().max_by_key(|&ty| (module.ty(ty).align, !matches!(module.ty(ty).kind, crate::MemoryKind::Opaque)));
        let first = slots.all[*first];
        if let (Some(id), Some(best)) = (function.defining_instruction(first), best) {
            function.instruction_mut(id).operation = Operation::Slot(best);
            // Where the others are used, the first one has to be known.
            for block in &mut function.blocks {
                block.instructions.retain(|&other| other != id);
            }
            let entry = function.entry();
            function.block_mut(entry).instructions.insert(0, id);
        }
        for &slot in rest {
            replacements.replace(slots.all[slot], first);
        }
    }
    replacements.apply(function);
}

fn slot_type(function: &Function, slots: &Slots, slot: usize) -> Option<TypeId> {
    match function.defining_operation(slots.all[slot]) {
        Some(&Operation::Slot(ty)) => Some(ty),
        _ => None,
    }
}
