//! Finds block parameters that are the same value whichever way the block is reached, and replaces them by it.
//! Assumes at first that all parameters are and takes back what a contradiction shows, so that values carried around loops are found too.

use std::collections::{HashMap, VecDeque};

use crate::analysis::{ControlFlow, Dominators};
use crate::passes::Pass;
use crate::passes::dce::drop_parameters;
use crate::passes::rewrite::{self, Replacements};
use crate::{BlockId, Constant, Function, InstructionId, Module, ValueDefinition, ValueId};

/// The pass.
pub struct Parameters;

impl Pass for Parameters {
    fn name(&self) -> &'static str {
        "parameters"
    }

    fn run(&self, function: &mut Function, _module: &mut Module) -> bool {
        let flow = ControlFlow::new(function);
        let dominators = Dominators::new(function, &flow);
        let changed = replace_same(function, &flow, &dominators);
        merge_equal(function, &flow) || changed
    }
}

/// What a parameter is known to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Known {
    /// No way into the block has been looked at.
    Anything,
    /// Undefined whichever way the block is reached.
    Undefined,
    /// Always this value.
    Value(ValueId),
    /// Different values; the parameter stands for itself.
    Itself,
}

struct Solver<'a> {
    function: &'a Function,
    known: Vec<Known>,
    /// The blocks of instructions.
    blocks: HashMap<InstructionId, BlockId>,
}

impl Solver<'_> {
    /// What an argument is: a parameter that is the same as something else stands for that.
    fn value(&self, argument: ValueId) -> Known {
        match self.known[argument.index()] {
            Known::Itself if matches!(self.function.constant(argument), Some(Constant::Undef(_))) => Known::Undefined,
            Known::Itself => Known::Value(argument),
            other => other,
        }
    }

    /// Whether a value is computed before a block on every path, and not once more on the way back to it.
    fn is_available(&self, dominators: &Dominators, value: ValueId, block: BlockId) -> bool {
        let home = match self.function.definition(value) {
            ValueDefinition::Constant(_) => return true,
            ValueDefinition::Parameter { block, .. } => Some(block),
            ValueDefinition::Instruction { instruction, .. } => self.blocks.get(&instruction).copied(),
        };
        // Another parameter of the block is not: the argument of a loop's jump back is what it was before.
        home.is_some_and(|home| home != block && dominators.dominates(home, block))
    }
}

fn replace_same(function: &mut Function, flow: &ControlFlow, dominators: &Dominators) -> bool {
    let mut solver = Solver { function, known: vec![Known::Itself; function.value_count()], blocks: HashMap::new() };
    for &block in flow.reverse_postorder() {
        solver.blocks.extend(function.block(block).instructions.iter().map(|&id| (id, block)));
    }
    // The parameters that an argument is passed for.
    let mut passed: HashMap<ValueId, Vec<(BlockId, usize)>> = HashMap::new();
    let mut queue: VecDeque<(BlockId, usize)> = VecDeque::new();
    for &block in flow.reverse_postorder() {
        if block == function.entry() {
            continue;
        }
        for (index, &parameter) in function.block(block).parameters.iter().enumerate() {
            solver.known[parameter.index()] = Known::Anything;
            queue.push_back((block, index));
            for edge in flow.edges(block) {
                let argument = rewrite::target(function, edge.from, edge.index).arguments[index];
                passed.entry(argument).or_default().push((block, index));
            }
        }
    }
    if queue.is_empty() {
        return false;
    }

    while let Some((block, index)) = queue.pop_front() {
        let parameter = function.block(block).parameters[index];
        if solver.known[parameter.index()] == Known::Itself {
            continue;
        }
        let found = meet(&solver, flow, dominators, block, index);
        if found != solver.known[parameter.index()] {
            solver.known[parameter.index()] = found;
            queue.extend(passed.get(&parameter).into_iter().flatten().copied());
        }
    }

    let mut replacements = Replacements::default();
    let known = solver.known;
    let mut same = Vec::new();
    for &block in flow.reverse_postorder() {
        if block == function.entry() {
            continue;
        }
        for parameter in function.block(block).parameters.clone() {
            match known[parameter.index()] {
                Known::Itself => {}
                Known::Value(value) => {
                    replacements.replace(parameter, value);
                    same.push(block);
                }
                Known::Anything | Known::Undefined => {
                    let undefined = function.add_constant(Constant::Undef(function.ty(parameter)));
                    replacements.replace(parameter, undefined);
                    same.push(block);
                }
            }
        }
    }
    same.dedup();
    for &block in &same {
        drop_parameters(function, flow, block, |parameter| known.get(parameter.index()) == Some(&Known::Itself));
    }
    replacements.apply(function)
}

/// What all ways into a block agree on. A value must be known in the block even where some way gives an undefined one.
fn meet(solver: &Solver<'_>, flow: &ControlFlow, dominators: &Dominators, block: BlockId, index: usize) -> Known {
    let mut found = Known::Anything;
    let mut undefined = false;
    for edge in flow.edges(block) {
        let argument = rewrite::target(solver.function, edge.from, edge.index).arguments[index];
        match solver.value(argument) {
            Known::Anything => {}
            Known::Undefined => undefined = true,
            Known::Value(value) if found == Known::Anything || found == Known::Value(value) => found = Known::Value(value),
            _ => return Known::Itself,
        }
    }
    match found {
        Known::Value(value) if value == solver.function.block(block).parameters[index] => Known::Itself,
        Known::Value(value) if undefined && !solver.is_available(dominators, value, block) => Known::Itself,
        Known::Anything if undefined => Known::Undefined,
        _ => found,
    }
}

/// Replaces a parameter by another of the same block that always gets the same argument.
fn merge_equal(function: &mut Function, flow: &ControlFlow) -> bool {
    let mut replacements = Replacements::default();
    let mut changed = false;
    for &block in flow.reverse_postorder() {
        let parameters = function.block(block).parameters.clone();
        if block == function.entry() || parameters.len() < 2 {
            continue;
        }
        let mut seen: HashMap<Vec<ValueId>, ValueId> = HashMap::new();
        let mut duplicates = Vec::new();
        for (index, &parameter) in parameters.iter().enumerate() {
            let arguments: Vec<ValueId> = flow
                .edges(block)
                .iter()
                .map(|edge| replacements.find(rewrite::target(function, edge.from, edge.index).arguments[index]))
                .collect();
            match seen.get(&arguments) {
                Some(&first) if function.ty(first) == function.ty(parameter) => {
                    replacements.replace(parameter, first);
                    duplicates.push(parameter);
                }
                _ => {
                    seen.insert(arguments, parameter);
                }
            }
        }
        if !duplicates.is_empty() {
            drop_parameters(function, flow, block, |parameter| !duplicates.contains(&parameter));
            changed = true;
        }
    }
    replacements.apply(function) || changed
}
