//! Decides which values are written where they are used, and which get a variable.
//! A value with one use moves there if nothing on the way changes what it reads; cheap ones are repeated at each use.

use std::collections::HashSet;

use metal_oxide_ir::{
    BinaryOperator, BlockId, CastOperator, Function, Instruction, InstructionId, Operation, Target, Terminator, Type, ValueDefinition,
    ValueId,
};

use super::memory::{Memory, WritesAhead, is_function_parameter};
use super::{Flow, is_exit};

/// Expressions with more operators than this are hard to read; a part of them gets a variable.
const LARGEST_EXPRESSION: u32 = 10;

/// How a value appears in the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// Not at all.
    Absent,
    /// As itself: a constant, or a parameter of the function.
    Leaf,
    /// As memory of its own: the result of a `slot`.
    Slot,
    /// As an expression where it is used.
    Folded,
    /// As a variable.
    Variable,
}

/// The form of every value of a function.
#[derive(Debug)]
pub(crate) struct Forms {
    forms: Vec<Form>,
}

/// A place at which a value is used: an instruction of a block, or the terminator behind the last one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Place {
    block: BlockId,
    position: usize,
}

/// The uses of a value that the text will contain.
#[derive(Clone, Copy, Debug, Default)]
struct Uses {
    count: u32,
    /// The statement, if there is one use.
    only: Option<Place>,
}

impl Forms {
    /// Decides for every value. `can_fail` tells which calls must be statements because a check follows them.
    pub(crate) fn new(function: &Function, flow: &Flow, memory: &Memory, can_fail: &dyn Fn(InstructionId) -> bool) -> Self {
        let needed = needed(function, flow);
        let sizes = sizes(function, flow, &needed);
        let mut pass = Pass {
            function,
            flow,
            memory,
            can_fail,
            needed: &needed,
            sizes: &sizes,
            renamed: renamed(function),
            uses: vec![Uses::default(); function.value_count()],
            forms: vec![Form::Absent; function.value_count()],
        };
        for &block in flow.control.reverse_postorder().iter().rev() {
            pass.block(block);
        }
        for &parameter in function.parameters() {
            pass.forms[parameter.index()] = if needed[parameter.index()] { Form::Leaf } else { Form::Absent };
        }
        Forms { forms: pass.forms }
    }

    pub(crate) fn of(&self, function: &Function, value: ValueId) -> Form {
        if function.constant(value).is_some() { Form::Leaf } else { self.forms[value.index()] }
    }
}

/// The values that a jump's copies or an exit's `return` read, with the parameter that receives each.
pub(crate) fn jump_operands<'a>(function: &'a Function, target: &'a Target) -> impl Iterator<Item = (Option<ValueId>, ValueId)> + 'a {
    let exit = is_exit(function, target.block);
    let returned = exit.then(|| exit_value(function, target)).flatten().map(|value| (None, value));
    let parameters = function.block(target.block).parameters.iter().zip(&target.arguments);
    returned.into_iter().chain(parameters.filter(move |_| !exit).map(|(&parameter, &argument)| (Some(parameter), argument)))
}

/// What a jump to an exit returns.
pub(crate) fn exit_value(function: &Function, target: &Target) -> Option<ValueId> {
    let block = function.block(target.block);
    let Terminator::Return(Some(value)) = block.terminator else { return None };
    let own = block.parameters.iter().position(|&parameter| parameter == value);
    Some(own.map_or(value, |index| target.arguments[index]))
}

/// The values that the text cannot do without.
fn needed(function: &Function, flow: &Flow) -> Vec<bool> {
    let mut needed = vec![false; function.value_count()];
    let mut work: Vec<ValueId> = Vec::new();
    for &id in flow.control.reverse_postorder() {
        let block = function.block(id);
        for &instruction in &block.instructions {
            let operation = &function.instruction(instruction).operation;
            if operation.has_effect() && !matches!(operation, Operation::Assume(_)) {
                operation.operands(|value| work.push(value));
            }
        }
        match block.terminator {
            Terminator::CondBranch { condition: value, .. } | Terminator::Switch { value, .. } | Terminator::Return(Some(value)) => {
                work.push(value)
            }
            _ => {}
        }
    }
    while let Some(value) = work.pop() {
        if std::mem::replace(&mut needed[value.index()], true) {
            continue;
        }
        match function.definition(value) {
            ValueDefinition::Constant(_) => {}
            ValueDefinition::Instruction { instruction, .. } => {
                function.instruction(instruction).operation.operands(|operand| work.push(operand))
            }
            ValueDefinition::Parameter { block, .. } => {
                let Some(index) = function.block(block).parameters.iter().position(|&parameter| parameter == value) else { continue };
                for edge in flow.control.edges(block) {
                    let target = function.block(edge.from).terminator.targets().nth(edge.index);
                    work.extend(target.map(|target| target.arguments[index]));
                }
            }
        }
    }
    needed
}

/// How large expressions become if everything with one use is folded.
struct Sizes {
    /// The values that must be variables.
    heavy: Vec<bool>,
    /// The operators in the expression of a value.
    weights: Vec<u32>,
}

/// Finds the values at which an expression that folds everything with one use would become too large, and those that must not be folded at all.
fn sizes(function: &Function, flow: &Flow, needed: &[bool]) -> Sizes {
    let mut heavy = vec![false; function.value_count()];
    let mut users = vec![0u32; function.value_count()];
    let mut homes: Vec<Option<BlockId>> = vec![None; function.value_count()];
    for &id in flow.control.reverse_postorder() {
        for &instruction in &function.block(id).instructions {
            function.instruction(instruction).result.inspect(|value| homes[value.index()] = Some(id));
        }
    }
    for &id in flow.control.reverse_postorder() {
        let block = function.block(id);
        let mut user = |value: ValueId| {
            users[value.index()] += 1;
            // Only behind a dispatch block; there the order of the blocks says nothing about what comes first.
            heavy[value.index()] |= homes[value.index()].is_some_and(|home| !flow.dominators.dominates(home, id));
        };
        for &instruction in &block.instructions {
            let instruction = function.instruction(instruction);
            if !matches!(instruction.operation, Operation::Assume(_)) && instruction.result.is_none_or(|value| needed[value.index()]) {
                instruction.operation.operands(&mut user);
            }
        }
        block.terminator.operands(&mut user);
    }
    let mut weights = vec![0u32; function.value_count()];
    let mut folded = vec![0u32; function.value_count()];
    for &id in flow.control.reverse_postorder() {
        for &instruction in &function.block(id).instructions {
            let instruction = function.instruction(instruction);
            let Some(result) = instruction.result else { continue };
            // Addresses print as short subscripts and conversions often as nothing.
            let mut weight = match instruction.operation {
                Operation::Element { .. } | Operation::Field { .. } | Operation::Load(_) => 0,
                Operation::Cast(CastOperator::ZeroExtend | CastOperator::SignExtend | CastOperator::Space, _) => 0,
                _ => 1,
            };
            instruction.operation.operands(|value| weight += folded[value.index()]);
            weights[result.index()] = weight;
            heavy[result.index()] |= weight > LARGEST_EXPRESSION;
            folded[result.index()] = if users[result.index()] == 1 && !heavy[result.index()] { weight } else { 0 };
        }
    }
    Sizes { heavy, weights }
}

fn renamed(function: &Function) -> HashSet<ValueId> {
    let operand = |instruction: &Instruction| match (&instruction.operation, instruction.result) {
        (Operation::Cast(CastOperator::ZeroExtend | CastOperator::SignExtend, from), Some(result)) => function.name(result).map(|_| *from),
        _ => None,
    };
    function.instructions.iter().filter_map(operand).collect()
}

struct Pass<'a> {
    function: &'a Function,
    flow: &'a Flow,
    memory: &'a Memory,
    can_fail: &'a dyn Fn(InstructionId) -> bool,
    needed: &'a [bool],
    sizes: &'a Sizes,
    /// Values whose conversions have names.
    renamed: HashSet<ValueId>,
    uses: Vec<Uses>,
    forms: Vec<Form>,
}

impl Pass<'_> {
    /// Decides the values of a block, from its end to its start: users are decided before what they use.
    fn block(&mut self, id: BlockId) {
        let function = self.function;
        let block = function.block(id);
        if is_exit(function, id) && !self.flow.control.edges(id).is_empty() {
            return;
        }
        let end = Place { block: id, position: block.instructions.len() };
        match &block.terminator {
            Terminator::CondBranch { condition: value, .. } | Terminator::Switch { value, .. } | Terminator::Return(Some(value)) => {
                self.used(*value, end)
            }
            _ => {}
        }
        for target in block.terminator.targets() {
            for (parameter, argument) in jump_operands(function, target) {
                if parameter.is_none_or(|parameter| self.needed[parameter.index()]) {
                    self.used(argument, end);
                }
            }
        }

        let mut ahead = WritesAhead::default();
        for (position, &instruction) in block.instructions.iter().enumerate().rev() {
            let here = Place { block: id, position };
            let operation = &function.instruction(instruction).operation;
            let Some(result) = function.instruction(instruction).result.filter(|value| self.needed[value.index()]) else {
                if operation.has_effect() && !matches!(operation, Operation::Assume(_)) {
                    operation.operands(|value| self.used(value, here));
                    ahead.note(function, self.memory, operation, position);
                }
                continue;
            };
            let form = self.decide(instruction, result, here, &ahead);
            self.forms[result.index()] = form;
            let uses = self.uses[result.index()];
            match form {
                Form::Folded => {
                    let operation = &function.instruction(instruction).operation;
                    operation.operands(|operand| self.used_by(operand, uses));
                }
                _ => operation.operands(|operand| self.used(operand, here)),
            }
            ahead.note(function, self.memory, operation, position);
        }
        for &parameter in &block.parameters {
            if self.needed[parameter.index()] {
                self.forms[parameter.index()] = Form::Variable;
            }
        }
    }

    fn used(&mut self, value: ValueId, place: Place) {
        self.used_by(value, Uses { count: 1, only: Some(place) });
    }

    fn used_by(&mut self, value: ValueId, by: Uses) {
        let uses = &mut self.uses[value.index()];
        uses.only = if uses.count == 0 { by.only } else { None };
        // Behind a dispatch block a user can come before its value. Its own uses are not known yet, so there may be several.
        uses.count = uses.count.saturating_add(if by.count == 0 { 2 } else { by.count });
    }

    fn decide(&self, instruction: InstructionId, result: ValueId, here: Place, ahead: &WritesAhead) -> Form {
        let function = self.function;
        let uses = self.uses[result.index()];
        let operation = &function.instruction(instruction).operation;
        match operation {
            Operation::Slot(_) => return Form::Slot,
            Operation::Element { .. } | Operation::Field { .. } | Operation::Offset { .. } => return Form::Folded,
            Operation::Cast(operator, operand) if self.repeats(*operator, *operand, result) => return Form::Folded,
            // A parameter needs no other name, unless the source has one for it, be it behind a conversion.
            Operation::Coordinate(..) if function.name(result).is_none() && !self.renamed.contains(&result) => return Form::Folded,
            _ => {}
        }
        let Some(place) = uses.only.filter(|_| uses.count == 1) else { return Form::Variable };
        if self.sizes.heavy[result.index()] || self.is_worth_a_name(operation, result, place) {
            return Form::Variable;
        }
        let folds = match operation {
            Operation::Load(pointer) => place.block == here.block && ahead.can_read_at(function, self.memory, *pointer, place.position),
            Operation::Call(..) => place.block == here.block && ahead.is_quiet_until(place.position) && !(self.can_fail)(instruction),
            // Into a loop it would be computed again in each round.
            _ => self.flow.is_as_deep(here.block, place.block),
        };
        if folds { Form::Folded } else { Form::Variable }
    }

    /// Whether a conversion costs so little, in text and on the device, that it is repeated at each use.
    fn repeats(&self, operator: CastOperator, operand: ValueId, result: ValueId) -> bool {
        let widens = matches!(operator, CastOperator::ZeroExtend | CastOperator::SignExtend) && self.function.ty(operand) != Type::Bool;
        match operator {
            CastOperator::Space => true,
            _ if !widens => false,
            // A name must not get lost: it moves to the operand if that has none.
            _ => {
                self.function.name(result).is_none()
                    || self.function.name(operand).is_none()
                    || is_function_parameter(self.function, operand)
            }
        }
    }

    /// Whether an expression with a name of the user's is long enough for the name to help.
    fn is_worth_a_name(&self, operation: &Operation, result: ValueId, place: Place) -> bool {
        let Some(name) = self.function.name(result) else { return false };
        let computes = match operation {
            Operation::Binary(BinaryOperator::And | BinaryOperator::Or, ..) if self.function.ty(result) == Type::Bool => false,
            Operation::Binary(..) | Operation::Unary(..) | Operation::Math(..) | Operation::Select(..) => {
                self.sizes.weights[result.index()] > 1
            }
            Operation::Call(..) => true,
            _ => false,
        };
        if !computes {
            return false;
        }
        // What it becomes a part of may have the same name, or a variable that it is passed on to has one.
        let block = self.function.block(place.block);
        match block.instructions.get(place.position) {
            Some(&user) => self.function.instruction(user).result.and_then(|user| self.function.name(user)) != Some(name),
            None => {
                let mut jumps = block.terminator.targets().flat_map(|target| jump_operands(self.function, target));
                !jumps.any(|(parameter, argument)| argument == result && parameter.is_some())
            }
        }
    }
}
