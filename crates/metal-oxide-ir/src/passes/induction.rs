//! Finds counters that run alongside one another in a loop, and computes the others from one; a counter that is compared for equality
//! with its limit is compared by order, which bounds it.

use std::collections::HashMap;

use crate::analysis::{ControlFlow, Dominators, Edge, Loops};
use crate::passes::builder::Sequence;
use crate::passes::rewrite::{self, Replacements, as_sum};
use crate::passes::{Pass, facts};
use crate::{BinaryOperator, BlockId, CompareOperator, Constant, Function, InstructionId, Module, Operation, Terminator, ValueId};

/// The pass.
pub struct Induction;

impl Pass for Induction {
    fn name(&self) -> &'static str {
        "induction"
    }

    fn run(&self, function: &mut Function, _module: &mut Module) -> bool {
        let flow = ControlFlow::new(function);
        let dominators = Dominators::new(function, &flow);
        let loops = Loops::new(function, &flow, &dominators);
        let homes = rewrite::homes(function, &flow);
        let uses = rewrite::use_counts(function);
        let mut changed = false;
        let mut replacements = Replacements::default();
        for index in 0..loops.all().len() {
            let context = Context { flow: &flow, dominators: &dominators, loops: &loops, homes: &homes, index };
            let counters = context.counters(function);
            changed |= context.order_limits(function, &counters);
            context.express(function, &counters, &mut replacements);
        }
        // Comes last, because it exchanges the targets that edges are numbered by.
        for index in 0..loops.all().len() {
            let context = Context { flow: &flow, dominators: &dominators, loops: &loops, homes: &homes, index };
            changed |= context.ask_whether_to_go_on(function, &uses);
        }
        replacements.apply(function) || changed
    }
}

struct Context<'a> {
    flow: &'a ControlFlow,
    dominators: &'a Dominators,
    loops: &'a Loops,
    homes: &'a HashMap<InstructionId, BlockId>,
    /// The loop that is looked at.
    index: usize,
}

/// A parameter of a loop's header that changes by a constant each time around.
#[derive(Clone, Debug)]
struct Counter {
    parameter: ValueId,
    /// What it is on each way into the loop.
    starts: Vec<ValueId>,
    step: i128,
}

impl Context<'_> {
    fn header(&self) -> BlockId {
        self.loops.all()[self.index].header
    }

    fn is_inside(&self, edge: &Edge) -> bool {
        self.loops.contains(self.index, edge.from)
    }

    fn counters(&self, function: &Function) -> Vec<Counter> {
        let header = self.header();
        let edges = self.flow.edges(header);
        let counter = |(position, &parameter): (usize, &ValueId)| {
            if !function.ty(parameter).is_integer() {
                return None;
            }
            let (mut starts, mut step) = (Vec::new(), None);
            for edge in edges {
                let argument = rewrite::target(function, edge.from, edge.index).arguments[position];
                if !self.is_inside(edge) {
                    starts.push(argument);
                    continue;
                }
                let (base, distance) = as_sum(function, argument);
                if base != parameter || distance == 0 || step.is_some_and(|step| step != distance) {
                    return None;
                }
                step = Some(distance);
            }
            Some(Counter { parameter, starts, step: step? })
        };
        function.block(header).parameters.iter().enumerate().filter_map(counter).collect()
    }

    /// Whether a value is the same all through the loop.
    fn is_invariant(&self, function: &Function, value: ValueId) -> bool {
        match function.definition(value) {
            crate::ValueDefinition::Constant(_) => true,
            crate::ValueDefinition::Parameter { block, .. } => !self.loops.contains(self.index, block),
            crate::ValueDefinition::Instruction { instruction, .. } => {
                self.homes.get(&instruction).is_some_and(|&block| !self.loops.contains(self.index, block))
            }
        }
    }

    /// Computes counters from the first one that has the same or the opposite step.
    fn express(&self, function: &mut Function, counters: &[Counter], replacements: &mut Replacements) {
        let header = self.header();
        // The others are easiest to read in terms of one that starts at zero.
        let starts_at_zero = |counter: &&Counter| counter.starts.iter().all(|&start| as_constant(function, start) == Some(0));
        let Some(first) = counters.iter().find(starts_at_zero).or(counters.first()).cloned() else { return };
        let mut sequence = Sequence::default();
        for other in counters {
            if other.parameter == first.parameter || function.ty(other.parameter) != function.ty(first.parameter) {
                continue;
            }
            let value = if other.step == first.step {
                self.express_parallel(function, &first, other, &mut sequence)
            } else if other.step == -first.step {
                self.express_opposite(function, &first, other, &mut sequence)
            } else {
                None
            };
            if let Some(value) = value {
                replacements.replace(other.parameter, value);
            }
        }
        function.block_mut(header).instructions.splice(0..0, sequence.instructions);
    }

    /// `other = first + (start of other - start of first)`.
    fn express_parallel(&self, function: &mut Function, first: &Counter, other: &Counter, sequence: &mut Sequence) -> Option<ValueId> {
        if first.starts == other.starts {
            return Some(first.parameter);
        }
        let mut distance = None;
        for (&from, &to) in first.starts.iter().zip(&other.starts) {
            let this = as_constant(function, to)?.wrapping_sub(as_constant(function, from)?);
            if distance.is_some_and(|distance| distance != this) {
                return None;
            }
            distance = Some(this);
        }
        let distance = function.add_constant(Constant::integer(function.ty(first.parameter), distance?));
        Some(sequence.binary(function, BinaryOperator::Add, first.parameter, distance))
    }

    /// `other = (start of first + start of other) - first`.
    fn express_opposite(&self, function: &mut Function, first: &Counter, other: &Counter, sequence: &mut Sequence) -> Option<ValueId> {
        let (&[from], &[to]) = (&first.starts[..], &other.starts[..]) else { return None };
        let sum = match (as_constant(function, from)?, as_constant(function, to)) {
            (0, _) => to,
            (from, Some(to)) => function.add_constant(Constant::integer(function.ty(first.parameter), from.wrapping_add(to))),
            _ => return None,
        };
        Some(sequence.binary(function, BinaryOperator::Sub, sum, first.parameter))
    }

    /// Turns `i == limit`, on which the loop is left, into `i >= limit` where `i` cannot get past the limit.
    fn order_limits(&self, function: &mut Function, counters: &[Counter]) -> bool {
        let mut changed = false;
        for &block in &self.loops.all()[self.index].blocks {
            let Terminator::CondBranch { condition, then, otherwise } = &function.block(block).terminator else { continue };
            let (condition, then, otherwise) = (*condition, then.block, otherwise.block);
            let Some(&Operation::Compare(operator, a, b)) = function.defining_operation(condition) else { continue };
            let leaves = match operator {
                CompareOperator::Equal => !self.loops.contains(self.index, then) && self.loops.contains(self.index, otherwise),
                CompareOperator::NotEqual => !self.loops.contains(self.index, otherwise) && self.loops.contains(self.index, then),
                _ => false,
            };
            let always_asked = self.loops.all()[self.index].latches.iter().all(|&latch| self.dominators.dominates(block, latch));
            if !leaves || !always_asked {
                continue;
            }
            let ordered = [(a, b), (b, a)].into_iter().find(|&(value, limit)| {
                let (base, distance) = as_sum(function, value);
                let counter = counters.iter().find(|counter| counter.parameter == base && counter.step == 1);
                self.is_invariant(function, limit) && counter.is_some_and(|counter| self.stays_below(function, counter, distance, limit))
            });
            if let (Some((value, limit)), Some(id)) = (ordered, function.defining_instruction(condition)) {
                let operator = match operator {
                    CompareOperator::Equal => CompareOperator::GreaterEqualUnsigned,
                    _ => CompareOperator::LessUnsigned,
                };
                function.instruction_mut(id).operation = Operation::Compare(operator, value, limit);
                changed = true;
            }
        }
        changed
    }

    /// Lets the test at the start of a loop be true as long as the loop goes on.
    fn ask_whether_to_go_on(&self, function: &mut Function, uses: &[u32]) -> bool {
        let header = self.header();
        let Terminator::CondBranch { condition, then, otherwise } = function.block(header).terminator.clone() else { return false };
        let leaves = !self.loops.contains(self.index, then.block) && self.loops.contains(self.index, otherwise.block);
        let Some(&Operation::Compare(operator, a, b)) = function.defining_operation(condition) else { return false };
        let (Some(negated), Some(id)) = (operator.negated(), function.defining_instruction(condition)) else { return false };
        if !leaves || uses.get(condition.index()) != Some(&1) {
            return false;
        }
        function.instruction_mut(id).operation = Operation::Compare(negated, a, b);
        function.block_mut(header).terminator = Terminator::CondBranch { condition, then: otherwise, otherwise: then };
        true
    }

    /// Whether a counter plus a distance starts at or below a limit, as unsigned numbers, so that it meets the limit before it passes it.
    fn stays_below(&self, function: &Function, counter: &Counter, distance: i128, limit: ValueId) -> bool {
        let edges: Vec<&Edge> = self.flow.edges(self.header()).iter().filter(|edge| !self.is_inside(edge)).collect();
        counter.starts.iter().zip(edges).all(|(&start, edge)| {
            let Some(start) = as_constant(function, start) else { return false };
            let first = start.wrapping_add(distance);
            match (first, as_constant(function, limit)) {
                (0, _) => true,
                (_, Some(_)) if first < 0 => false,
                (_, Some(_)) => {
                    let bound = function.constant(limit).and_then(Constant::as_unsigned);
                    bound.is_some_and(|bound| first as u128 <= bound)
                }
                (1, None) => facts::is_not_zero(function, self.flow, limit, *edge),
                _ => false,
            }
        })
    }
}

fn as_constant(function: &Function, value: ValueId) -> Option<i128> {
    function.constant(value).and_then(Constant::as_signed)
}
