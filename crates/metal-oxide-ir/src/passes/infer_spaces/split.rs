//! Splits pointers that may point into several spaces, as `x.get(i).unwrap_or(&0.0)` makes them: one pointer for each space, and a tag that
//! says which of them counts. Accesses branch on the tag, which later passes mostly decide.
//!
//! Only pointers that stay in values are split; those that are stored, passed to functions or returned remain what they are.

use std::collections::HashMap;

use crate::analysis::ControlFlow;
use crate::{
    BlockId, CastOperator, CompareOperator, Constant, Function, InstructionId, LocationId, Operation, Space, Target, Terminator, Type,
    ValueId,
};

const SPACES: [Space; 4] = [Space::Device, Space::Constant, Space::Threadgroup, Space::Thread];

/// The spaces that a pointer may point into, as bits in the order of `SPACES`.
type Set = u8;

/// Splits the pointers of a function that may point into several spaces. Returns whether there were any that could be split.
pub(super) fn split(function: &mut Function) -> bool {
    let flow = ControlFlow::new(function);
    let sets = sets(function, &flow);
    let mixed = |value: ValueId| sets[value.index()].count_ones() > 1;
    if !(0..function.value_count()).any(|index| mixed(ValueId::new(index))) || !splittable(function, &flow, &mixed) {
        return false;
    }
    Splitter { function, sets, parts: HashMap::new(), tags: HashMap::new(), block: BlockId::new(0) }.run(&flow);
    true
}

/// Where the pointers of a function come from, as far as the function itself says.
fn sets(function: &Function, flow: &ControlFlow) -> Vec<Set> {
    let mut sets: Vec<Set> = vec![0; function.value_count()];
    let bit = |space: Space| SPACES.iter().position(|known| *known == space).map_or(0, |index| 1 << index);
    let typed = |value: ValueId| match function.ty(value) {
        Type::Pointer(space) => bit(space),
        _ => 0,
    };
    let of = |sets: &[Set], value: ValueId| if function.constant(value).is_some() { typed(value) } else { sets[value.index()] };
    loop {
        let mut changed = false;
        let mut add = |sets: &mut Vec<Set>, value: ValueId, set: Set| {
            let old = sets[value.index()];
            sets[value.index()] |= set | typed(value);
            changed |= sets[value.index()] != old;
        };
        for &block in flow.reverse_postorder() {
            for &parameter in &function.block(block).parameters {
                add(&mut sets, parameter, 0);
            }
            for &id in &function.block(block).instructions {
                let instruction = function.instruction(id);
                let Some(result) = instruction.result.filter(|&result| function.ty(result).is_pointer()) else { continue };
                let set = match &instruction.operation {
                    Operation::Slot(_) => bit(Space::Thread),
                    Operation::Cast(CastOperator::Space, a) => of(&sets, *a),
                    Operation::Element { base, .. } | Operation::Field { base, .. } | Operation::Offset { base, .. } => of(&sets, *base),
                    Operation::Select(_, a, b) => of(&sets, *a) | of(&sets, *b),
                    // Constant tables only hold addresses of constant tables.
                    Operation::Load(pointer) if of(&sets, *pointer) == bit(Space::Constant) => bit(Space::Constant),
                    _ => 0,
                };
                add(&mut sets, result, set);
            }
            for target in function.block(block).terminator.targets() {
                for (&parameter, &argument) in function.block(target.block).parameters.iter().zip(&target.arguments) {
                    if function.ty(parameter).is_pointer() {
                        let set = of(&sets, argument);
                        add(&mut sets, parameter, set);
                    }
                }
            }
        }
        if !changed {
            return sets;
        }
    }
}

/// Whether every use of a mixed pointer is one that can be split.
fn splittable(function: &Function, flow: &ControlFlow, mixed: &impl Fn(ValueId) -> bool) -> bool {
    flow.reverse_postorder().iter().all(|&block| {
        let block = function.block(block);
        let instructions = block.instructions.iter().all(|&id| {
            let instruction = function.instruction(id);
            let uses = |values: &[ValueId]| values.iter().any(|&value| mixed(value));
            match &instruction.operation {
                Operation::Call(_, arguments) => !uses(arguments),
                Operation::Store { value, .. } => !uses(&[*value]),
                Operation::Load(pointer) => {
                    !(uses(&[*pointer]) && instruction.result.is_some_and(|result| function.ty(result).is_pointer()))
                }
                _ => true,
            }
        });
        instructions && !matches!(block.terminator, Terminator::Return(Some(value)) if mixed(value))
    })
}

struct Splitter<'a> {
    function: &'a mut Function,
    sets: Vec<Set>,
    /// The pointer into one space that a mixed pointer may be.
    parts: HashMap<(ValueId, usize), ValueId>,
    /// Which part counts.
    tags: HashMap<ValueId, ValueId>,
    /// The block that is being written.
    block: BlockId,
}

impl Splitter<'_> {
    fn run(mut self, flow: &ControlFlow) {
        for &block in flow.reverse_postorder() {
            self.parameters(block);
        }
        // A dominator comes before what it dominates, so that parts are known where they are used.
        let mut ends = Vec::new();
        for &block in flow.reverse_postorder() {
            self.instructions(block);
            ends.push(self.block);
        }
        for block in ends {
            self.arguments(block);
        }
        for &block in flow.reverse_postorder() {
            let parameters = self.function.block(block).parameters.clone();
            let kept = parameters.into_iter().filter(|&value| !self.is_mixed(value)).collect();
            self.function.block_mut(block).parameters = kept;
        }
    }

    fn set(&self, value: ValueId) -> Set {
        self.sets.get(value.index()).copied().unwrap_or(0)
    }

    fn is_mixed(&self, value: ValueId) -> bool {
        self.set(value).count_ones() > 1
    }

    /// The indices of the spaces that a value may point into.
    fn spaces(&self, value: ValueId) -> Vec<usize> {
        (0..SPACES.len()).filter(|index| self.set(value) >> index & 1 == 1).collect()
    }

    /// Adds a parameter for each part and for the tag. The old one goes when nothing refers to it any more.
    fn parameters(&mut self, block: BlockId) {
        for value in self.function.block(block).parameters.clone() {
            if !self.is_mixed(value) {
                continue;
            }
            let ty = self.function.ty(value);
            for space in self.spaces(value) {
                let part = self.function.add_parameter(block, ty);
                self.parts.insert((value, space), part);
            }
            let tag = self.function.add_parameter(block, Type::I32);
            self.tags.insert(value, tag);
        }
    }

    /// The pointer into a space that a value may be; null if it never points there.
    fn part(&mut self, value: ValueId, space: usize) -> ValueId {
        if let Some(&part) = self.parts.get(&(value, space)) {
            return part;
        }
        let ty = self.function.ty(value);
        let constant = matches!(self.function.constant(value), Some(Constant::Bits { .. } | Constant::Undef(_)));
        // A pointer of which nothing is known is taken to be any part.
        if constant || self.set(value) == 0 || self.set(value) >> space & 1 == 1 || ty == Type::Pointer(SPACES[space]) {
            return value;
        }
        self.function.add_constant(Constant::Bits { ty, bits: 0 })
    }

    /// Which part of a value counts.
    fn tag(&mut self, value: ValueId) -> ValueId {
        if let Some(&tag) = self.tags.get(&value) {
            return tag;
        }
        let space = match self.function.constant(value) {
            Some(Constant::Global(_)) => 1,
            _ => self.spaces(value).first().copied().unwrap_or(0),
        };
        self.function.add_constant(Constant::integer(Type::I32, space as i128))
    }

    fn emit(&mut self, operation: Operation, ty: Type, location: Option<LocationId>) -> ValueId {
        self.function.append(self.block, operation, ty, location)
    }

    fn instructions(&mut self, block: BlockId) {
        self.block = block;
        let instructions = std::mem::take(&mut self.function.block_mut(block).instructions);
        let terminator = std::mem::replace(&mut self.function.block_mut(block).terminator, Terminator::Unreachable);
        let location = self.function.block(block).location;
        for id in instructions {
            let instruction = self.function.instruction(id).clone();
            let mut pointers = Vec::new();
            instruction.operation.operands(|value| {
                if self.is_mixed(value) && !pointers.contains(&value) {
                    pointers.push(value);
                }
            });
            match (&instruction.operation, instruction.result) {
                (Operation::Select(condition, a, b), Some(result)) if self.is_mixed(result) => {
                    let (condition, a, b) = (*condition, *a, *b);
                    let ty = self.function.ty(result);
                    for space in self.spaces(result) {
                        let (a, b) = (self.part(a, space), self.part(b, space));
                        let part = self.emit(Operation::Select(condition, a, b), ty, instruction.location);
                        self.parts.insert((result, space), part);
                    }
                    let (a, b) = (self.tag(a), self.tag(b));
                    let tag = self.emit(Operation::Select(condition, a, b), Type::I32, instruction.location);
                    self.tags.insert(result, tag);
                }
                _ if pointers.is_empty() => self.function.block_mut(self.block).instructions.push(id),
                (Operation::Compare(operator, a, b), _) => {
                    let (a, b) = (self.address(*a, instruction.location), self.address(*b, instruction.location));
                    self.function.instruction_mut(id).operation = Operation::Compare(*operator, a, b);
                    self.function.block_mut(self.block).instructions.push(id);
                }
                (Operation::Cast(CastOperator::PointerToInteger, a), Some(_)) => {
                    let address = self.address(*a, instruction.location);
                    self.define(id, address);
                }
                (Operation::Load(_) | Operation::Store { .. } | Operation::Copy { .. }, result) => {
                    let ty = result.map(|result| self.function.ty(result));
                    if let Some(value) = self.access(instruction.operation.clone(), &pointers, ty, instruction.location) {
                        self.define(id, value);
                    }
                }
                // Arithmetic moves every part alike.
                (_, Some(result)) => {
                    let base = pointers[0];
                    let ty = self.function.ty(result);
                    for space in self.spaces(base) {
                        let part = self.part(base, space);
                        let mut operation = instruction.operation.clone();
                        operation.operands_mut(|value| {
                            if *value == base {
                                *value = part;
                            }
                        });
                        let moved = self.emit(operation, ty, instruction.location);
                        self.parts.insert((result, space), moved);
                    }
                    let tag = self.tag(base);
                    self.tags.insert(result, tag);
                }
                (_, None) => self.function.block_mut(self.block).instructions.push(id),
            }
        }
        let end = self.function.block_mut(self.block);
        end.terminator = terminator;
        end.location = location;
    }

    /// Makes an instruction yield a value that is known already; later passes forward it.
    fn define(&mut self, id: InstructionId, value: ValueId) {
        let always = self.function.add_constant(Constant::bool(true));
        self.function.instruction_mut(id).operation = Operation::Select(always, value, value);
        self.function.block_mut(self.block).instructions.push(id);
    }

    /// The address of the part that counts.
    fn address(&mut self, value: ValueId, location: Option<LocationId>) -> ValueId {
        if let Some(Constant::Bits { bits, .. }) = self.function.constant(value) {
            return self.function.add_constant(Constant::Bits { ty: Type::I64, bits });
        }
        if !self.is_mixed(value) {
            return self.emit(Operation::Cast(CastOperator::PointerToInteger, value), Type::I64, location);
        }
        let tag = self.tag(value);
        let mut address = None;
        for space in self.spaces(value) {
            let part = self.part(value, space);
            let this = self.emit(Operation::Cast(CastOperator::PointerToInteger, part), Type::I64, location);
            address = Some(match address {
                None => this,
                Some(other) => {
                    let counts = self.counts(tag, space, location);
                    self.emit(Operation::Select(counts, this, other), Type::I64, location)
                }
            });
        }
        address.expect("a mixed pointer has parts")
    }

    /// Whether a part counts.
    fn counts(&mut self, tag: ValueId, space: usize, location: Option<LocationId>) -> ValueId {
        let space = self.function.add_constant(Constant::integer(Type::I32, space as i128));
        self.emit(Operation::Compare(CompareOperator::Equal, tag, space), Type::Bool, location)
    }

    /// An access through the parts that count of all `pointers` in it, and its result.
    fn access(&mut self, operation: Operation, pointers: &[ValueId], ty: Option<Type>, location: Option<LocationId>) -> Option<ValueId> {
        let [pointer, others @ ..] = pointers else {
            return match ty {
                Some(ty) => Some(self.emit(operation, ty, location)),
                None => {
                    self.function.append_effect(self.block, operation, location);
                    None
                }
            };
        };
        let (tag, spaces) = (self.tag(*pointer), self.spaces(*pointer));
        let join = self.function.add_block();
        let result = ty.map(|ty| self.function.add_parameter(join, ty));
        for (index, &space) in spaces.iter().enumerate() {
            let mut otherwise = None;
            if index + 1 < spaces.len() {
                let counts = self.counts(tag, space, location);
                let (then, next) = (self.function.add_block(), self.function.add_block());
                let branch = Terminator::CondBranch {
                    condition: counts,
                    then: Target::new(then, Vec::new()),
                    otherwise: Target::new(next, Vec::new()),
                };
                self.function.terminate(self.block, branch, location);
                self.block = then;
                otherwise = Some(next);
            }
            let part = self.part(*pointer, space);
            let mut operation = operation.clone();
            operation.operands_mut(|value| {
                if value == pointer {
                    *value = part;
                }
            });
            let value = self.access(operation, others, ty, location);
            self.function.terminate(self.block, Terminator::Branch(Target::new(join, value.into_iter().collect())), location);
            self.block = otherwise.unwrap_or(join);
        }
        result
    }

    /// Passes the parts and the tag in place of each mixed pointer.
    fn arguments(&mut self, block: BlockId) {
        let mut terminator = std::mem::replace(&mut self.function.block_mut(block).terminator, Terminator::Unreachable);
        for target in terminator.targets_mut() {
            let parameters = self.function.block(target.block).parameters.clone();
            let mut added = Vec::new();
            let mut kept = Vec::new();
            for (&argument, parameter) in target.arguments.iter().zip(parameters) {
                if !self.is_mixed(parameter) {
                    kept.push(argument);
                    continue;
                }
                for space in self.spaces(parameter) {
                    added.push(self.part(argument, space));
                }
                added.push(self.tag(argument));
            }
            kept.extend(added);
            target.arguments = kept;
        }
        self.function.block_mut(block).terminator = terminator;
    }
}
