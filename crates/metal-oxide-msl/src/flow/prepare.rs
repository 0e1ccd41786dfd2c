//! Gives a function's graph the shape that MSL's statements can express: every cycle has one entry and one back edge.
//! A cycle with several entries gets a dispatch block in front: its first parameter says which of the entries is meant.

use metal_oxide_ir::analysis::{ControlFlow, Dominators, Edge, Loops};
use metal_oxide_ir::{BlockId, Constant, Function, Target, Terminator, Type, ValueId};

use super::{Flow, is_exit};

/// A copy of a function with a graph that can be structured.
///
/// Behind a dispatch block, definitions no longer dominate their uses in the graph, though they still do on every path that is taken.
/// Variables are declared around everything that mentions them, so nothing depends on more.
pub(crate) fn prepare(function: &Function) -> Function {
    let mut function = function.clone();
    loop {
        let flow = ControlFlow::new(&function);
        let Some(entries) = cycle_with_several_entries(&function, &flow) else { break };
        add_dispatch(&mut function, &flow, &entries);
    }
    unite_back_edges(&mut function);
    part_exits(&mut function);
    function
}

/// The entries of a cycle that has more than one, outer cycles before inner ones.
fn cycle_with_several_entries(function: &Function, flow: &ControlFlow) -> Option<Vec<BlockId>> {
    // A cycle without its entry falls into the cycles inside it.
    let mut work = vec![flow.reverse_postorder().to_vec()];
    while let Some(blocks) = work.pop() {
        for mut component in cycles(function, &blocks) {
            component.sort_by_key(|&block| flow.position(block));
            let inside = membership(function, &component);
            let entries: Vec<BlockId> =
                component.iter().copied().filter(|&block| flow.predecessors(block).any(|from| !inside[from.index()])).collect();
            if entries.len() > 1 {
                return Some(entries);
            }
            component.retain(|block| !entries.contains(block));
            work.push(component);
        }
    }
    None
}

fn membership(function: &Function, blocks: &[BlockId]) -> Vec<bool> {
    let mut inside = vec![false; function.blocks.len()];
    blocks.iter().for_each(|block| inside[block.index()] = true);
    inside
}

/// The strongly connected components with a cycle in the graph that has only these blocks. Follows Tarjan, without recursion.
fn cycles(function: &Function, blocks: &[BlockId]) -> Vec<Vec<BlockId>> {
    struct Frame {
        block: BlockId,
        successors: Vec<BlockId>,
    }
    const UNSEEN: u32 = 0;
    const DONE: u32 = u32::MAX;
    let inside = membership(function, blocks);
    let successors = |block: BlockId| -> Vec<BlockId> {
        function.block(block).terminator.targets().map(|target| target.block).filter(|next| inside[next.index()]).collect()
    };
    let mut entered = vec![UNSEEN; function.blocks.len()];
    let mut lowest = vec![UNSEEN; function.blocks.len()];
    let mut clock = 0;
    let mut open: Vec<BlockId> = Vec::new();
    let mut found = Vec::new();
    for &root in blocks {
        if entered[root.index()] != UNSEEN {
            continue;
        }
        let mut frames = Vec::new();
        let mut next = Some(root);
        loop {
            if let Some(block) = next.take() {
                clock += 1;
                entered[block.index()] = clock;
                lowest[block.index()] = clock;
                open.push(block);
                frames.push(Frame { block, successors: successors(block) });
            }
            let Some(frame) = frames.last_mut() else { break };
            let block = frame.block;
            if let Some(successor) = frame.successors.pop() {
                match entered[successor.index()] {
                    UNSEEN => next = Some(successor),
                    DONE => {}
                    time => lowest[block.index()] = lowest[block.index()].min(time),
                }
                continue;
            }
            frames.pop();
            if lowest[block.index()] == entered[block.index()] {
                let start = open.iter().rposition(|&member| member == block).unwrap_or(0);
                let component = open.split_off(start);
                component.iter().for_each(|member| entered[member.index()] = DONE);
                if component.len() > 1 || successors(block).contains(&block) {
                    found.push(component);
                }
            } else if let Some(parent) = frames.last() {
                lowest[parent.block.index()] = lowest[parent.block.index()].min(lowest[block.index()]);
            }
        }
    }
    found
}

/// Sends every jump to one of the entries through a new block that tells them apart by its first parameter.
fn add_dispatch(function: &mut Function, flow: &ControlFlow, entries: &[BlockId]) {
    let dispatch = function.add_block();
    let selector = function.add_parameter(dispatch, Type::I32);
    function.set_name(selector, "next_state");
    let mut cases: Vec<(u128, Target)> = Vec::new();
    for (number, &entry) in entries.iter().enumerate() {
        let arguments: Vec<ValueId> = function
            .block(entry)
            .parameters
            .clone()
            .into_iter()
            .map(|parameter| {
                let passed = function.add_parameter(dispatch, function.ty(parameter));
                if let Some(name) = function.name(parameter).map(str::to_owned) {
                    function.set_name(passed, name);
                }
                passed
            })
            .collect();
        cases.push((number as u128, Target::new(entry, arguments)));
    }

    let parameters = function.block(dispatch).parameters.clone();
    let nothing: Vec<ValueId> = parameters.iter().map(|&value| function.add_constant(Constant::Undef(function.ty(value)))).collect();
    for (number, (entry, (_, case))) in entries.iter().zip(&cases).enumerate() {
        let chosen = function.add_constant(Constant::integer(Type::I32, number as i128));
        for edge in flow.edges(*entry) {
            let target = edge_target(function, *edge);
            let mut arguments = nothing.clone();
            arguments[0] = chosen;
            if let Some(first) = case.arguments.first() {
                let start = parameters.iter().position(|parameter| parameter == first).unwrap_or(1);
                arguments[start..start + target.arguments.len()].copy_from_slice(&target.arguments);
            }
            *target = Target::new(dispatch, arguments);
        }
    }
    let (_, default) = cases.pop().expect("a dispatch has at least two entries");
    function.block_mut(dispatch).terminator = Terminator::Switch { value: selector, cases, default };
}

/// Gives each loop one back edge, from a new block if there were several.
fn unite_back_edges(function: &mut Function) {
    let flow = ControlFlow::new(function);
    let dominators = Dominators::new(function, &flow);
    let loops = Loops::new(function, &flow, &dominators);
    for each in loops.all() {
        let back: Vec<Edge> = flow.edges(each.header).iter().copied().filter(|edge| dominators.dominates(each.header, edge.from)).collect();
        if back.len() < 2 {
            continue;
        }
        let arguments: Vec<Vec<ValueId>> = back.iter().map(|&edge| edge_target(function, edge).arguments.clone()).collect();
        let latch = function.add_block();
        let mut passed = Vec::new();
        let mut differs = Vec::new();
        for (index, parameter) in function.block(each.header).parameters.clone().into_iter().enumerate() {
            let first = arguments[0][index];
            let same = arguments.iter().all(|list| list[index] == first);
            differs.push(!same);
            passed.push(if same {
                first
            } else {
                let united = function.add_parameter(latch, function.ty(parameter));
                if let Some(name) = function.name(parameter).map(str::to_owned) {
                    function.set_name(united, name);
                }
                united
            });
        }
        function.block_mut(latch).terminator = Terminator::Branch(Target::new(each.header, passed));
        for (edge, arguments) in back.into_iter().zip(arguments) {
            let arguments = arguments.into_iter().zip(&differs).filter(|(_, differs)| **differs).map(|(argument, _)| argument).collect();
            *edge_target(function, edge) = Target::new(latch, arguments);
        }
    }
}

/// Gives jumps that leave a loop and pass values a block of their own, so that what they pass is computed outside of the loop.
fn part_exits(function: &mut Function) {
    let flow = Flow::new(function);
    for &from in flow.control.reverse_postorder() {
        let leaving: Vec<usize> = function
            .block(from)
            .terminator
            .targets()
            .enumerate()
            .filter(|(_, target)| !target.arguments.is_empty() && !flow.is_as_deep(target.block, from) && !is_exit(function, target.block))
            .map(|(index, _)| index)
            .collect();
        for index in leaving {
            let block = function.add_block();
            let target = edge_target(function, Edge { from, index });
            let onwards = std::mem::replace(target, Target::new(block, Vec::new()));
            function.block_mut(block).terminator = Terminator::Branch(onwards);
        }
    }
}

fn edge_target(function: &mut Function, edge: Edge) -> &mut Target {
    function.block_mut(edge.from).terminator.targets_mut().nth(edge.index).expect("the graph describes this function")
}
