//! Gives every value that needs one a variable. A block's parameter and the values that jumps pass for it share one if their live ranges
//! allow, so that the jump copies nothing. The copies that remain happen at once; this module puts them in an order.

use std::collections::BTreeMap;

use metal_oxide_ir::{BinaryOperator, BlockId, Constant, Function, InstructionId, Operation, Target, ValueId};

use super::fold::{Form, Forms, jump_operands};
use super::liveness::{Liveness, variables_of};
use super::{Flow, is_exit};

/// A variable of the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct VariableId(u32);

impl VariableId {
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

/// What a variable is for.
#[derive(Clone, Debug)]
pub(crate) enum VariableKind {
    /// Holds any of these values, one after the other.
    Values(Vec<ValueId>),
    /// Holds a value of another variable while that one is overwritten.
    Temporary(VariableId),
    /// The memory of a slot.
    Slot(InstructionId),
    /// Remembers that a jump is on its way out of nested statements.
    Flag,
}

/// The variables of a function.
#[derive(Debug)]
pub(crate) struct Variables {
    kinds: Vec<VariableKind>,
    of_value: Vec<Option<VariableId>>,
}

/// One assignment of those that a jump makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Move {
    pub(crate) to: VariableId,
    pub(crate) from: Source,
}

/// What a variable is set to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Source {
    Value(ValueId),
    Variable(VariableId),
}

impl Variables {
    pub(crate) fn new(function: &Function, flow: &Flow, forms: &Forms, liveness: &Liveness) -> Self {
        let mut classes = Classes::new(function, forms, liveness);
        let mut jumps: Vec<(bool, usize, BlockId)> = flow
            .control
            .reverse_postorder()
            .iter()
            .filter(|&&id| !is_exit(function, id))
            .flat_map(|&id| function.block(id).terminator.targets().map(move |target| (id, target.block)))
            .map(|(from, to)| (!flow.is_back_edge(from, to), usize::MAX - flow.loops.depth(from), from))
            .collect();
        // A copy that runs often should be the one that goes away.
        jumps.sort_by_key(|&(forward, depth, _)| (forward, depth));
        jumps.dedup();
        for (_, _, from) in jumps {
            for target in function.block(from).terminator.targets() {
                for (parameter, argument) in jump_operands(function, target) {
                    if let Some(parameter) = parameter.filter(|&value| forms.of(function, value) == Form::Variable)
                        && forms.of(function, argument) == Form::Variable
                    {
                        classes.unite(parameter, argument);
                    }
                }
            }
        }

        let mut variables = Variables { kinds: Vec::new(), of_value: vec![None; function.value_count()] };
        for &id in flow.control.reverse_postorder() {
            let block = function.block(id);
            let results = block.instructions.iter().filter_map(|&instruction| {
                let result = function.instruction(instruction).result?;
                Some((result, instruction))
            });
            let parameters = block.parameters.iter().map(|&value| (value, None));
            for (value, instruction) in parameters.chain(results.map(|(value, instruction)| (value, Some(instruction)))) {
                match (forms.of(function, value), instruction) {
                    (Form::Slot, Some(instruction)) => {
                        variables.of_value[value.index()] = Some(variables.add(VariableKind::Slot(instruction)));
                    }
                    (Form::Variable, _) => variables.assign(value, classes.find(value)),
                    _ => {}
                }
            }
        }
        variables
    }

    pub(crate) fn len(&self) -> usize {
        self.kinds.len()
    }

    pub(crate) fn ids(&self) -> impl Iterator<Item = VariableId> + use<> {
        (0..self.kinds.len() as u32).map(VariableId)
    }

    pub(crate) fn kind(&self, variable: VariableId) -> &VariableKind {
        &self.kinds[variable.index()]
    }

    /// The variable of a value, if it has one.
    pub(crate) fn of(&self, value: ValueId) -> Option<VariableId> {
        self.of_value[value.index()]
    }

    pub(crate) fn add(&mut self, kind: VariableKind) -> VariableId {
        self.kinds.push(kind);
        VariableId(self.kinds.len() as u32 - 1)
    }

    /// The assignments that a jump makes, one after the other.
    pub(crate) fn moves(&mut self, function: &Function, forms: &Forms, target: &Target) -> Vec<Move> {
        struct Pending {
            to: VariableId,
            from: Source,
            reads: Vec<VariableId>,
        }
        let mut pending: Vec<Pending> = Vec::new();
        for (parameter, argument) in jump_operands(function, target) {
            let Some(to) = parameter.and_then(|parameter| self.of(parameter)) else { continue };
            let undefined = matches!(function.constant(argument), Some(Constant::Undef(_)));
            if undefined || self.of(argument) == Some(to) {
                continue;
            }
            let mut reads = Vec::new();
            variables_of(function, forms, argument, &mut |value| reads.extend(self.of(value)));
            pending.push(Pending { to, from: Source::Value(argument), reads });
        }

        let mut moves = Vec::new();
        while !pending.is_empty() {
            let free = |index: &usize| {
                let to = pending[*index].to;
                pending.iter().enumerate().all(|(other, copy)| other == *index || !copy.reads.contains(&to))
            };
            // What counts a variable up goes last: then it can become the step of a `for`.
            let steps = |index: &usize| match pending[*index].from {
                Source::Value(value) => pending[*index].reads == [pending[*index].to] && is_step(function, value),
                Source::Variable(_) => false,
            };
            let next = (0..pending.len()).filter(free).min_by_key(steps);
            match next {
                Some(index) => {
                    let copy = pending.remove(index);
                    moves.push(Move { to: copy.to, from: copy.from });
                }
                None => {
                    // All of them wait for each other: one reads early, into a variable of its own.
                    let temporary = self.add(VariableKind::Temporary(pending[0].to));
                    moves.push(Move { to: temporary, from: pending[0].from });
                    pending[0].from = Source::Variable(temporary);
                    pending[0].reads.clear();
                }
            }
        }
        moves
    }

    fn assign(&mut self, value: ValueId, representative: ValueId) {
        let variable = match self.of_value[representative.index()] {
            Some(variable) => variable,
            None => self.add(VariableKind::Values(Vec::new())),
        };
        self.of_value[representative.index()] = Some(variable);
        self.of_value[value.index()] = Some(variable);
        if let VariableKind::Values(values) = &mut self.kinds[variable.index()] {
            values.push(value);
        }
    }
}

/// Whether a value is another one and a constant.
fn is_step(function: &Function, value: ValueId) -> bool {
    match function.defining_operation(value) {
        Some(Operation::Binary(BinaryOperator::Add | BinaryOperator::Sub, a, b)) => {
            function.constant(*b).is_some() && function.constant(*a).is_none()
        }
        _ => false,
    }
}

/// Sets of values that share a variable, with the places where each set is live.
struct Classes {
    parents: Vec<ValueId>,
    /// The ends of a set's intervals, by their starts. They do not overlap.
    ranges: Vec<BTreeMap<u32, u32>>,
}

impl Classes {
    fn new(function: &Function, forms: &Forms, liveness: &Liveness) -> Self {
        let values = (0..function.value_count()).map(ValueId::new);
        let ranges = values
            .clone()
            .map(|value| {
                let range = if forms.of(function, value) == Form::Variable { liveness.range(value) } else { &[] };
                range.iter().map(|interval| (interval.start, interval.end)).collect()
            })
            .collect();
        Classes { parents: values.collect(), ranges }
    }

    fn find(&mut self, mut value: ValueId) -> ValueId {
        while self.parents[value.index()] != value {
            let next = self.parents[self.parents[value.index()].index()];
            self.parents[value.index()] = next;
            value = next;
        }
        value
    }

    /// Makes two sets one, unless both are live somewhere. Looks at each interval of the smaller one only.
    fn unite(&mut self, a: ValueId, b: ValueId) {
        let (mut large, mut small) = (self.find(a), self.find(b));
        if self.ranges[large.index()].len() < self.ranges[small.index()].len() {
            (large, small) = (small, large);
        }
        if large == small || overlap(&self.ranges[large.index()], &self.ranges[small.index()]) {
            return;
        }
        let moved = std::mem::take(&mut self.ranges[small.index()]);
        self.ranges[large.index()].extend(moved);
        self.parents[small.index()] = large;
    }
}

fn overlap(large: &BTreeMap<u32, u32>, small: &BTreeMap<u32, u32>) -> bool {
    small.iter().any(|(&start, &end)| large.range(..end).next_back().is_some_and(|(_, &other)| start < other))
}
