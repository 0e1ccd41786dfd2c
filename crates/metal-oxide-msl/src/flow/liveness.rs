//! Where the variables of a function hold a value that is still read: lists of intervals over a numbering of all places.
//! Expressions that are folded read their variables where they stand in the text, not where the IR computes them.

use std::collections::HashMap;

use metal_oxide_ir::{BlockId, Function, Operation, Terminator, ValueId};

use super::fold::{Form, Forms, jump_operands};
use super::{Flow, is_exit};

/// The live ranges of all values that are variables.
#[derive(Debug)]
pub(crate) struct Liveness {
    ranges: Vec<Vec<Interval>>,
    /// For each block, the variables that hold a value when it is entered, its own parameters among them.
    entering: Vec<Vec<ValueId>>,
}

/// From a definition or a block's start up to, not including, the last use or the block's end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Interval {
    pub(crate) start: u32,
    pub(crate) end: u32,
}

impl Liveness {
    pub(crate) fn new(function: &Function, flow: &Flow, forms: &Forms) -> Self {
        let mut pass = Pass::new(function, flow, forms);
        for &id in flow.control.reverse_postorder() {
            pass.block(id);
        }
        let mut liveness = Liveness { ranges: pass.ranges, entering: vec![Vec::new(); function.blocks.len()] };
        for range in &mut liveness.ranges {
            range.sort_unstable();
        }
        for &id in flow.control.reverse_postorder() {
            let parameters = function.block(id).parameters.iter().filter(|&&value| forms.of(function, value) == Form::Variable);
            liveness.entering[id.index()] = parameters.copied().chain(std::mem::take(&mut pass.entering[id.index()])).collect();
        }
        liveness
    }

    /// The intervals of a variable, in order.
    pub(crate) fn range(&self, value: ValueId) -> &[Interval] {
        &self.ranges[value.index()]
    }

    /// The variables that hold a value when a block is entered.
    pub(crate) fn entering(&self, block: BlockId) -> &[ValueId] {
        &self.entering[block.index()]
    }
}

/// Calls `visit` with each variable that the text of a value reads.
pub(crate) fn variables_of(function: &Function, forms: &Forms, value: ValueId, visit: &mut dyn FnMut(ValueId)) {
    match forms.of(function, value) {
        Form::Variable | Form::Slot => visit(value),
        Form::Folded => {
            let Some(operation) = function.defining_operation(value) else { return };
            operation.operands(|operand| variables_of(function, forms, operand, visit));
        }
        Form::Absent | Form::Leaf => {}
    }
}

struct Pass<'a> {
    function: &'a Function,
    flow: &'a Flow,
    forms: &'a Forms,
    /// The number of the place where each block starts. Instructions count from one above it.
    starts: Vec<u32>,
    /// The block of each variable and the number of the place where it gets its value.
    definitions: Vec<Option<(BlockId, u32)>>,
    ranges: Vec<Vec<Interval>>,
    /// The index of the interval of a variable that starts at a place.
    starting: HashMap<(ValueId, u32), usize>,
    entering: Vec<Vec<ValueId>>,
    /// For each block, the variable for which it was last seen as live at its end, to walk it once for each.
    seen: Vec<Option<ValueId>>,
}

impl<'a> Pass<'a> {
    fn new(function: &'a Function, flow: &'a Flow, forms: &'a Forms) -> Self {
        let mut starts = vec![0; function.blocks.len()];
        let mut definitions = vec![None; function.value_count()];
        let mut next = 0;
        for &id in flow.control.reverse_postorder() {
            let block = function.block(id);
            starts[id.index()] = next;
            block.parameters.iter().for_each(|value| definitions[value.index()] = Some((id, next)));
            for (position, &instruction) in block.instructions.iter().enumerate() {
                if let Some(value) = function.instruction(instruction).result {
                    definitions[value.index()] = Some((id, next + 1 + position as u32));
                }
            }
            next += block.instructions.len() as u32 + 2;
        }
        Pass {
            function,
            flow,
            forms,
            starts,
            definitions,
            ranges: vec![Vec::new(); function.value_count()],
            starting: HashMap::new(),
            entering: vec![Vec::new(); function.blocks.len()],
            seen: vec![None; function.blocks.len()],
        }
    }

    fn block(&mut self, id: BlockId) {
        let function = self.function;
        let block = function.block(id);
        if is_exit(function, id) && !self.flow.control.edges(id).is_empty() {
            return;
        }
        for (position, &instruction) in block.instructions.iter().enumerate() {
            let place = self.starts[id.index()] + 1 + position as u32;
            let instruction = function.instruction(instruction);
            if is_statement(function, self.forms, &instruction.operation, instruction.result) {
                instruction.operation.operands(|operand| self.used(operand, id, place));
            }
        }
        let end = self.starts[id.index()] + 1 + block.instructions.len() as u32;
        match &block.terminator {
            Terminator::CondBranch { condition: value, .. } | Terminator::Switch { value, .. } | Terminator::Return(Some(value)) => {
                self.used(*value, id, end)
            }
            _ => {}
        }
        for target in block.terminator.targets() {
            for (parameter, argument) in jump_operands(function, target) {
                if parameter.is_none_or(|parameter| self.forms.of(function, parameter) == Form::Variable) {
                    self.used(argument, id, end);
                }
            }
        }
    }

    fn used(&mut self, value: ValueId, block: BlockId, place: u32) {
        let (function, forms) = (self.function, self.forms);
        variables_of(function, forms, value, &mut |variable| {
            if forms.of(function, variable) == Form::Variable {
                self.variable_used(variable, block, place);
            }
        });
    }

    fn variable_used(&mut self, variable: ValueId, block: BlockId, place: u32) {
        let Some((home, defined)) = self.definitions[variable.index()] else { return };
        if !self.extend(variable, block, home, defined, place) {
            return;
        }
        let mut work = vec![block];
        while let Some(block) = work.pop() {
            for from in self.flow.control.predecessors(block) {
                if self.seen[from.index()] == Some(variable) {
                    continue;
                }
                self.seen[from.index()] = Some(variable);
                let end = self.starts[from.index()] + self.function.block(from).instructions.len() as u32 + 2;
                if self.extend(variable, from, home, defined, end) {
                    work.push(from);
                }
            }
        }
    }

    /// Makes a variable live in a block up to a place. Whether it must be live when the block is entered, and was not known to be.
    fn extend(&mut self, variable: ValueId, block: BlockId, home: BlockId, defined: u32, place: u32) -> bool {
        let at_home = block == home && defined < place;
        let start = if at_home { defined } else { self.starts[block.index()] };
        let range = &mut self.ranges[variable.index()];
        if let Some(&index) = self.starting.get(&(variable, start)) {
            range[index].end = range[index].end.max(place);
            return false;
        }
        self.starting.insert((variable, start), range.len());
        range.push(Interval { start, end: place });
        if !at_home {
            self.entering[block.index()].push(variable);
        }
        !at_home
    }
}

/// Whether an instruction is a statement of its own: it has an effect, or its result is a variable.
pub(crate) fn is_statement(function: &Function, forms: &Forms, operation: &Operation, result: Option<ValueId>) -> bool {
    match result {
        Some(result) => match forms.of(function, result) {
            Form::Variable => true,
            Form::Folded | Form::Slot => false,
            Form::Absent | Form::Leaf => matches!(operation, Operation::Call(..)),
        },
        None => operation.has_effect() && !matches!(operation, Operation::Assume(_)),
    }
}
