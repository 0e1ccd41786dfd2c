//! Joins blocks that follow one another, skips blocks that do nothing, and lets equal failures share a block.

use std::collections::HashMap;

use crate::analysis::{ControlFlow, Dominators};
use crate::passes::rewrite::{self, Replacements, use_counts};
use crate::{BlockId, Function, SiteId, Target, Terminator, ValueId};

/// Appends blocks to their only predecessor where nothing else follows that. Returns whether there were any.
pub(super) fn join_chains(function: &mut Function) -> bool {
    let flow = ControlFlow::new(function);
    let mut replacements = Replacements::default();
    let mut joined = vec![false; function.blocks.len()];
    let mut changed = false;
    for &block in flow.reverse_postorder() {
        if joined[block.index()] {
            continue;
        }
        while let Terminator::Branch(Target { block: next, arguments }) = function.block(block).terminator.clone() {
            if flow.edges(next).len() != 1 || next == block || next == function.entry() {
                break;
            }
            joined[next.index()] = true;
            changed = true;
            let tail = function.block_mut(next);
            let parameters = std::mem::take(&mut tail.parameters);
            let instructions = std::mem::take(&mut tail.instructions);
            let terminator = std::mem::replace(&mut tail.terminator, Terminator::Unreachable);
            let location = tail.location;
            for (parameter, argument) in parameters.into_iter().zip(arguments) {
                replacements.replace(parameter, argument);
            }
            function.block_mut(block).instructions.extend(instructions);
            function.terminate(block, terminator, location);
        }
    }
    replacements.apply(function);
    changed
}

/// Lets the predecessors of blocks that only jump on jump there themselves. Returns whether there were any.
pub(super) fn skip_empty(function: &mut Function) -> bool {
    let flow = ControlFlow::new(function);
    let dominators = Dominators::new(function, &flow);
    let uses = use_counts(function);
    let mut changed = false;
    // A block that others were led to, or that lost a way in, has other predecessors than the analysis says.
    let mut stale = vec![false; function.blocks.len()];
    for &block in flow.reverse_postorder().iter().rev() {
        let Terminator::Branch(target) = function.block(block).terminator.clone() else { continue };
        let skippable = block != function.entry() && target.block != block && function.block(block).instructions.is_empty();
        if !skippable || stale[block.index()] || !parameters_only_passed_on(function, &uses, block, &target) {
            continue;
        }
        // A loop keeps one jump back to its header, and one way into it.
        let edges = flow.edges(block);
        let is_header = flow.predecessors(target.block).any(|from| dominators.dominates(target.block, from));
        if edges.len() > 1 && is_header {
            continue;
        }
        for edge in edges {
            let arrival = rewrite::target(function, edge.from, edge.index).clone();
            if arrival.block != block {
                continue;
            }
            let through = pass_through(function, block, &arrival, &target);
            // Two ways from one block to another are told apart by the blocks between them.
            let twin = function.block(edge.from).terminator.targets().any(|other| other.block == through.block && *other != through);
            if twin {
                continue;
            }
            *rewrite::target_mut(function, edge.from, edge.index) = through;
            stale[edge.from.index()] = true;
            stale[target.block.index()] = true;
            changed = true;
        }
    }
    changed
}

/// Whether nothing but the jump at the end of a block uses its parameters.
fn parameters_only_passed_on(function: &Function, uses: &[u32], block: BlockId, target: &Target) -> bool {
    function.block(block).parameters.iter().all(|parameter| {
        let passed = target.arguments.iter().filter(|argument| *argument == parameter).count();
        uses.get(parameter.index()).is_some_and(|&count| count as usize == passed)
    })
}

/// The jump that arrives at `block` and is led on to `target`.
fn pass_through(function: &Function, block: BlockId, arrival: &Target, target: &Target) -> Target {
    let parameters = &function.block(block).parameters;
    let argument = |value: &ValueId| match parameters.iter().position(|parameter| parameter == value) {
        Some(index) => arrival.arguments[index],
        None => *value,
    };
    Target::new(target.block, target.arguments.iter().map(argument).collect())
}

/// Leads all jumps to blocks that only report a failure to one block for each site. Returns whether any changed.
pub(super) fn share_failures(function: &mut Function) -> bool {
    let flow = ControlFlow::new(function);
    let mut first: HashMap<SiteId, BlockId> = HashMap::new();
    let mut shared: HashMap<BlockId, BlockId> = HashMap::new();
    for &block in flow.reverse_postorder() {
        let body = function.block(block);
        if let Terminator::Fail(site) = body.terminator
            && body.instructions.is_empty()
            && body.parameters.is_empty()
            && block != function.entry()
        {
            let first = *first.entry(site).or_insert(block);
            if first != block {
                shared.insert(block, first);
            }
        }
    }
    for block in &mut function.blocks {
        for target in block.terminator.targets_mut() {
            if let Some(&first) = shared.get(&target.block) {
                target.block = first;
            }
        }
    }
    !shared.is_empty()
}
