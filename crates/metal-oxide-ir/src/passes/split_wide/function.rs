//! Walks over a function and replaces what has 128 bits.

use std::collections::HashMap;

use super::arithmetic::{Halves, Splitter};
use super::{can_split, halves_type};
use crate::analysis::ControlFlow;
use crate::passes::builder::Sequence;
use crate::passes::link::Linker;
use crate::{
    BinaryOperator, BlockId, CastOperator, CompareOperator, Constant, Function, FunctionId, InstructionId, Module, Operation, Space,
    Target, Terminator, Type, ValueId,
};

pub(super) fn split(function: &mut Function, module: &mut Module, results: &HashMap<FunctionId, bool>, linker: &mut Linker<'_>) {
    let returns_wide = function.result == Some(Type::I128);
    let slot_type = halves_type(module);
    let splitter = Splitter { function, module, linker, sequence: Sequence::default(), slot_type, slots: Vec::new() };
    let mut walk = Walk { splitter, results, halves: HashMap::new(), replaced: HashMap::new(), place_of_result: None };
    let order = ControlFlow::new(walk.splitter.function).reverse_postorder().to_vec();
    for &block in &order {
        walk.parameters(block);
    }
    if returns_wide {
        let function = &mut *walk.splitter.function;
        walk.place_of_result = Some(function.add_parameter(function.entry(), Type::Pointer(Space::Generic)));
        function.result = None;
    }
    for &block in &order {
        walk.instructions(block);
    }
    for &block in &order {
        walk.terminator(block);
    }
    let Walk { splitter: Splitter { function, slots, .. }, replaced, .. } = walk;
    let entry = function.entry();
    function.block_mut(entry).instructions.splice(0..0, slots);
    function.rewrite_operands(|mut value| {
        while let Some(&other) = replaced.get(&value) {
            value = other;
        }
        value
    });
}

struct Walk<'a, 'b, 'c> {
    splitter: Splitter<'a, 'b>,
    /// Which functions of the module return 128 bits.
    results: &'c HashMap<FunctionId, bool>,
    halves: HashMap<ValueId, Halves>,
    /// Values in whose place others are used.
    replaced: HashMap<ValueId, ValueId>,
    /// Where the function puts its result.
    place_of_result: Option<ValueId>,
}

impl Walk<'_, '_, '_> {
    fn is_wide(&self, value: ValueId) -> bool {
        self.splitter.function.ty(value) == Type::I128
    }

    fn parameters(&mut self, block: BlockId) {
        let parameters = std::mem::take(&mut self.splitter.function.block_mut(block).parameters);
        for parameter in parameters {
            if !self.is_wide(parameter) {
                self.splitter.function.block_mut(block).parameters.push(parameter);
                continue;
            }
            let name = self.splitter.function.name(parameter).map(str::to_owned);
            let [low, high] = ["low", "high"].map(|half| {
                let value = self.splitter.function.add_parameter(block, Type::I64);
                if let Some(name) = &name {
                    self.splitter.function.set_name(value, format!("{name}_{half}"));
                }
                value
            });
            self.halves.insert(parameter, Halves { low, high });
        }
    }

    fn instructions(&mut self, block: BlockId) {
        let instructions = std::mem::take(&mut self.splitter.function.block_mut(block).instructions);
        for id in instructions {
            self.splitter.sequence.location = self.splitter.function.instruction(id).location;
            self.instruction(id);
        }
        self.splitter.function.block_mut(block).instructions = std::mem::take(&mut self.splitter.sequence.instructions);
    }

    fn instruction(&mut self, id: InstructionId) {
        let instruction = self.splitter.function.instruction(id);
        let (operation, result) = (instruction.operation.clone(), instruction.result);
        let mut wide_operand = false;
        operation.operands(|value| wide_operand |= self.is_wide(value));
        let wide_result = result.filter(|&result| self.is_wide(result));
        let to = result.map(|result| self.splitter.function.ty(result));
        if !(wide_operand || wide_result.is_some()) || !can_split(self.splitter.function, &operation, to) {
            self.splitter.sequence.instructions.push(id);
            return;
        }
        if let Operation::Call(callee, arguments) = &operation {
            self.call(id, *callee, arguments, wide_result);
            return;
        }
        if let Some(result) = wide_result {
            let halves = self.wide(&operation);
            if let Some(name) = self.splitter.function.name(result).map(str::to_owned) {
                self.splitter.function.set_name(halves.low, format!("{name}_low"));
                self.splitter.function.set_name(halves.high, format!("{name}_high"));
            }
            self.halves.insert(result, halves);
            return;
        }
        match operation {
            Operation::Compare(operator, a, b) => {
                let (a, b) = (self.of(a), self.of(b));
                let answer = self.splitter.compare(operator, a, b);
                self.replace(result, answer);
            }
            Operation::Cast(operator, value) => {
                let value = self.of(value);
                let to = to.expect("a conversion has a result");
                let narrow = self.splitter.narrow(operator, value, to);
                self.replace(result, narrow);
            }
            Operation::Store { pointer, value } => {
                let value = self.of(value);
                self.splitter.store(pointer, value);
            }
            _ => unreachable!("no other operation takes an integer of 128 bits"),
        }
    }

    fn replace(&mut self, result: Option<ValueId>, by: ValueId) {
        if let Some(result) = result {
            if let Some(name) = self.splitter.function.name(result).map(str::to_owned) {
                self.splitter.function.set_name(by, name);
            }
            self.replaced.insert(result, by);
        }
    }

    /// The halves of a value that has been split already.
    fn of(&mut self, value: ValueId) -> Halves {
        if let Some(&halves) = self.halves.get(&value) {
            return halves;
        }
        let function = &mut *self.splitter.function;
        let [low, high] = match function.constant(value) {
            Some(Constant::Bits { bits, .. }) => {
                [bits as u64, (bits >> 64) as u64].map(|half| Constant::Bits { ty: Type::I64, bits: half.into() })
            }
            _ => [Constant::Undef(Type::I64); 2],
        };
        let halves = Halves { low: function.add_constant(low), high: function.add_constant(high) };
        self.halves.insert(value, halves);
        halves
    }

    fn wide(&mut self, operation: &Operation) -> Halves {
        match *operation {
            Operation::Binary(operator, a, b) => {
                let (a, b) = (self.of(a), self.of(b));
                self.splitter.binary(operator, a, b)
            }
            Operation::Unary(operator, a) => {
                let a = self.of(a);
                self.splitter.unary(operator, a)
            }
            Operation::Select(condition, then, otherwise) => {
                let (then, otherwise) = (self.of(then), self.of(otherwise));
                self.splitter.select(condition, then, otherwise)
            }
            Operation::Cast(operator, value) => self.splitter.widen(operator, value),
            Operation::Load(pointer) => self.splitter.load(pointer),
            _ => unreachable!("no other operation gives an integer of 128 bits"),
        }
    }

    fn call(&mut self, id: InstructionId, callee: FunctionId, arguments: &[ValueId], wide_result: Option<ValueId>) {
        let mut split = self.arguments(arguments);
        if !self.results.get(&callee).copied().unwrap_or(false) {
            self.splitter.function.instruction_mut(id).operation = Operation::Call(callee, split);
            self.splitter.sequence.instructions.push(id);
            return;
        }
        let place = self.splitter.slot();
        split.push(place);
        self.splitter.sequence.effect(self.splitter.function, Operation::Call(callee, split));
        if let Some(result) = wide_result {
            let halves = self.splitter.load(place);
            self.halves.insert(result, halves);
        }
    }

    fn arguments(&mut self, arguments: &[ValueId]) -> Vec<ValueId> {
        let mut split = Vec::with_capacity(arguments.len());
        for &argument in arguments {
            if self.is_wide(argument) {
                let Halves { low, high } = self.of(argument);
                split.extend([low, high]);
            } else {
                split.push(argument);
            }
        }
        split
    }

    fn terminator(&mut self, block: BlockId) {
        let mut terminator = self.splitter.function.block(block).terminator.clone();
        for target in terminator.targets_mut() {
            target.arguments = self.arguments(&target.arguments);
        }
        match terminator {
            Terminator::Return(Some(value)) if self.is_wide(value) => {
                let value = self.of(value);
                let place = self.place_of_result.expect("the function returns an integer of 128 bits");
                self.splitter.store(place, value);
                let stores = std::mem::take(&mut self.splitter.sequence.instructions);
                self.splitter.function.block_mut(block).instructions.extend(stores);
                terminator = Terminator::Return(None);
            }
            Terminator::Switch { value, cases, default } if self.is_wide(value) => {
                self.switch(block, value, cases, default);
                return;
            }
            _ => {}
        }
        self.splitter.function.block_mut(block).terminator = terminator;
    }

    /// A comparison for each case, one after another.
    fn switch(&mut self, block: BlockId, value: ValueId, cases: Vec<(u128, Target)>, default: Target) {
        let location = self.splitter.function.block(block).location;
        let value = self.of(value);
        let mut current = block;
        for (bits, target) in cases {
            let constant = self.splitter.constant(bits);
            let equal = self.splitter.compare(CompareOperator::Equal, value, constant);
            let comparison = std::mem::take(&mut self.splitter.sequence.instructions);
            let function = &mut *self.splitter.function;
            function.block_mut(current).instructions.extend(comparison);
            let next = function.add_block();
            let otherwise = Target::new(next, Vec::new());
            function.terminate(current, Terminator::CondBranch { condition: equal, then: target, otherwise }, location);
            current = next;
        }
        self.splitter.function.terminate(current, Terminator::Branch(default), location);
    }
}

/// Whether a conversion to fewer bits only drops some.
pub(super) fn drops_bits(operator: CastOperator) -> bool {
    operator == CastOperator::Truncate
}

/// The functions of the library for operators that take too long to write out.
pub(super) fn library_function(operator: BinaryOperator) -> Option<&'static str> {
    Some(match operator {
        BinaryOperator::DivUnsigned => "u128_div",
        BinaryOperator::RemUnsigned => "u128_rem",
        BinaryOperator::DivSigned => "i128_div",
        BinaryOperator::RemSigned => "i128_rem",
        _ => return None,
    })
}
