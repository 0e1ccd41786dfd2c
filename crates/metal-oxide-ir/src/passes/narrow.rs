//! Computes in 32 bits what is computed in 64 bits but is shown to fit: 64-bit arithmetic takes several instructions on Apple GPUs.
//! Values are narrowed where they are defined, with what is known there; those who need all bits get them back by extension with zeros.

use std::collections::HashMap;

use crate::analysis::ControlFlow;
use crate::analysis::ranges::unsigned_maximum;
use crate::analysis::relations::Relations;
use crate::passes::Pass;
use crate::{
    BinaryOperator, BlockId, CastOperator, Constant, Function, InstructionId, LocationId, Module, Operation, Terminator, Type, ValueId,
};

/// The pass.
pub struct Narrow {
    /// Elementary steps that the proofs about one function may take.
    pub budget: u64,
}

impl Default for Narrow {
    fn default() -> Self {
        Narrow { budget: 150_000 }
    }
}

/// The highest number of 32 bits.
const LIMIT: u128 = u32::MAX as u128;

impl Pass for Narrow {
    fn name(&self) -> &'static str {
        "narrow"
    }

    fn run(&self, function: &mut Function, module: &mut Module) -> bool {
        let flow = ControlFlow::new(function);
        let mut chosen = self.small_values(module, function, &flow);
        settle(function, &flow, &mut chosen);
        if !chosen.iter().any(|chosen| *chosen) {
            return false;
        }
        Rewriter { chosen, narrow: vec![None; function.value_count()], wide: HashMap::new(), function }.run(&flow);
        true
    }
}

impl Narrow {
    /// The values that could be computed in 32 bits as far as their own numbers go.
    fn small_values(&self, module: &Module, function: &Function, flow: &ControlFlow) -> Vec<bool> {
        let mut small = vec![false; function.value_count()];
        let wanted: Vec<BlockId> =
            flow.reverse_postorder().iter().copied().filter(|&block| has_candidates(function, block, block == function.entry())).collect();
        let mut relations = Relations::new(module, function, self.budget);
        relations.visit_values(&wanted, |point, value| {
            if is_candidate(function, value) && point.is_at_most(value, unsigned_maximum(32)) {
                small[value.index()] = true;
            }
        });
        for &parameter in function.parameters() {
            small[parameter.index()] = false;
        }
        small
    }
}

fn has_candidates(function: &Function, block: BlockId, is_entry: bool) -> bool {
    let parameters = function.block(block).parameters.iter().copied().filter(|_| !is_entry);
    let results = function.block(block).instructions.iter().filter_map(|&id| function.instruction(id).result);
    parameters.chain(results).any(|value| is_candidate(function, value))
}

/// Whether a value is computed in 64 bits by something that exists in 32 bits as well.
fn is_candidate(function: &Function, value: ValueId) -> bool {
    use BinaryOperator::*;
    if function.ty(value) != Type::I64 {
        return false;
    }
    match function.defining_operation(value) {
        None => true,
        Some(Operation::Select(..)) => true,
        Some(Operation::Binary(operator, ..)) => matches!(
            operator,
            Add | Sub
                | Mul
                | And
                | Or
                | Xor
                | ShiftLeft
                | ShiftRightUnsigned
                | DivUnsigned
                | RemUnsigned
                | MinUnsigned
                | MaxUnsigned
                | SubSaturatingUnsigned
        ),
        Some(_) => false,
    }
}

/// Drops the values whose operands are not at hand in 32 bits, until all that are left support one another.
fn settle(function: &Function, flow: &ControlFlow, chosen: &mut [bool]) {
    loop {
        let mut changed = false;
        for &block in flow.reverse_postorder() {
            for (index, &parameter) in function.block(block).parameters.iter().enumerate() {
                if chosen[parameter.index()] {
                    let keeps = flow.edges(block).iter().all(|edge| {
                        let target = function.block(edge.from).terminator.targets().nth(edge.index);
                        target.is_some_and(|target| is_narrow(function, chosen, target.arguments[index]))
                    });
                    chosen[parameter.index()] = keeps;
                    changed |= !keeps;
                }
            }
            for &id in &function.block(block).instructions {
                let instruction = function.instruction(id);
                if let Some(result) = instruction.result.filter(|result| chosen[result.index()]) {
                    let keeps = operands_allow(function, chosen, &instruction.operation);
                    chosen[result.index()] = keeps;
                    changed |= !keeps;
                }
            }
        }
        if !changed {
            return;
        }
    }
}

/// Whether the operands make the operation the same in 32 bits, given that its result fits.
fn operands_allow(function: &Function, chosen: &[bool], operation: &Operation) -> bool {
    use BinaryOperator::{And, Mul, ShiftLeft, ShiftRightUnsigned};
    let narrow = |value: &ValueId| is_narrow(function, chosen, *value);
    match operation {
        // The low half of the result only depends on the low halves.
        Operation::Binary(Mul | And, a, b) => narrow(a) || narrow(b),
        // A count of 32 or more would make a large number, or zero, which is not worth its own rule.
        Operation::Binary(ShiftLeft | ShiftRightUnsigned, a, count) => narrow(a) && is_count(function, *count),
        Operation::Binary(_, a, b) => narrow(a) && narrow(b),
        Operation::Select(_, a, b) => narrow(a) && narrow(b),
        _ => false,
    }
}

fn is_count(function: &Function, count: ValueId) -> bool {
    function.constant(count).and_then(Constant::as_unsigned).is_some_and(|count| count < 32)
}

/// Whether a 64-bit value is at hand in 32 bits without loss.
fn is_narrow(function: &Function, chosen: &[bool], value: ValueId) -> bool {
    if let Some(constant) = function.constant(value) {
        return constant.as_unsigned().is_some_and(|bits| bits <= LIMIT);
    }
    chosen[value.index()] || narrow_source(function, value).is_some()
}

/// The value of at most 32 bits that a value extends.
fn narrow_source(function: &Function, value: ValueId) -> Option<ValueId> {
    match function.defining_operation(value) {
        Some(Operation::Cast(CastOperator::ZeroExtend, source)) if function.ty(*source).bits() <= 32 => Some(*source),
        _ => None,
    }
}

struct Rewriter<'a> {
    function: &'a mut Function,
    chosen: Vec<bool>,
    /// What a chosen value is in 32 bits. A parameter is narrowed itself.
    narrow: Vec<Option<ValueId>>,
    /// The 64-bit extension of a narrowed parameter.
    wide: HashMap<ValueId, ValueId>,
}

impl Rewriter<'_> {
    fn run(mut self, flow: &ControlFlow) {
        // Parameters first: loops use them before the jumps that pass them are reached.
        for &block in flow.reverse_postorder() {
            self.parameters(block);
        }
        for &block in flow.reverse_postorder() {
            self.instructions(block);
        }
        for &block in flow.reverse_postorder() {
            self.terminator(block);
        }
    }

    /// Makes chosen parameters 32 bits wide, and extends each for its other users at the start of the block.
    fn parameters(&mut self, block: BlockId) {
        let mut extensions = Vec::new();
        for parameter in self.function.block(block).parameters.clone() {
            if self.chosen[parameter.index()] {
                self.function.set_type(parameter, Type::I32);
                let (extension, wide) = self.extension(parameter, None);
                self.narrow[parameter.index()] = Some(parameter);
                self.wide.insert(parameter, wide);
                extensions.push(extension);
            }
        }
        self.function.block_mut(block).instructions.splice(0..0, extensions);
    }

    /// Computes chosen results in 32 bits, and extends them for the users that need all bits.
    fn instructions(&mut self, block: BlockId) {
        let mut kept = Vec::new();
        for id in self.function.block(block).instructions.clone() {
            let instruction = self.function.instruction(id).clone();
            let mut operation = instruction.operation;
            match instruction.result {
                Some(result) if self.chosen.get(result.index()) == Some(&true) => {
                    operation.operands_mut(|value| {
                        if self.function.ty(*value) != Type::Bool {
                            *value = self.narrowed(*value, &mut kept, instruction.location);
                        }
                    });
                    let narrow = self.function.create_instruction(operation, Some(Type::I32), instruction.location);
                    let new = self.function.instruction(narrow).result.expect("the instruction was made with a result");
                    if let Some(name) = self.function.name(result).map(str::to_owned) {
                        self.function.set_name(new, name);
                    }
                    self.narrow[result.index()] = Some(new);
                    self.function.instruction_mut(id).operation = Operation::Cast(CastOperator::ZeroExtend, new);
                    kept.extend([narrow, id]);
                }
                // The extensions of parameters are the only new instructions so far.
                Some(result) if result.index() >= self.chosen.len() => kept.push(id),
                _ => {
                    operation.operands_mut(|value| *value = self.widened(*value));
                    self.function.instruction_mut(id).operation = operation;
                    kept.push(id);
                }
            }
        }
        self.function.block_mut(block).instructions = kept;
    }

    /// Passes narrowed parameters in 32 bits, and everything else as before.
    fn terminator(&mut self, block: BlockId) {
        let mut terminator = std::mem::replace(&mut self.function.block_mut(block).terminator, Terminator::Unreachable);
        let location = self.function.block(block).location;
        let mut casts = Vec::new();
        if let Terminator::Switch { value, .. } | Terminator::Return(Some(value)) = &mut terminator {
            *value = self.widened(*value);
        }
        for target in terminator.targets_mut() {
            let parameters = self.function.block(target.block).parameters.clone();
            for (argument, parameter) in target.arguments.iter_mut().zip(parameters) {
                *argument = if self.wide.contains_key(&parameter) {
                    self.narrowed(*argument, &mut casts, location)
                } else {
                    self.widened(*argument)
                };
            }
        }
        let block = self.function.block_mut(block);
        block.terminator = terminator;
        block.instructions.extend(casts);
    }

    fn widened(&self, value: ValueId) -> ValueId {
        self.wide.get(&value).copied().unwrap_or(value)
    }

    /// The low 32 bits of a value; what must be computed for them goes to `before`.
    fn narrowed(&mut self, value: ValueId, before: &mut Vec<InstructionId>, location: Option<LocationId>) -> ValueId {
        if let Some(constant) = self.function.constant(value) {
            let bits = constant.as_unsigned().unwrap_or_default();
            return self.function.add_constant(Constant::Bits { ty: Type::I32, bits: bits & LIMIT });
        }
        if let Some(Some(narrow)) = self.narrow.get(value.index()) {
            return *narrow;
        }
        let cast = match narrow_source(self.function, value) {
            Some(source) if self.function.ty(source) == Type::I32 => return source,
            Some(source) => Operation::Cast(CastOperator::ZeroExtend, source),
            None => Operation::Cast(CastOperator::Truncate, value),
        };
        let id = self.function.create_instruction(cast, Some(Type::I32), location);
        before.push(id);
        self.function.instruction(id).result.expect("a cast has a result")
    }

    /// An instruction that extends a value to 64 bits, and its result.
    fn extension(&mut self, narrow: ValueId, location: Option<LocationId>) -> (InstructionId, ValueId) {
        let id = self.function.create_instruction(Operation::Cast(CastOperator::ZeroExtend, narrow), Some(Type::I64), location);
        (id, self.function.instruction(id).result.expect("a cast has a result"))
    }
}
