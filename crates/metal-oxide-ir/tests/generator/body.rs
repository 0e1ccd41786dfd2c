//! Random statements: variables in memory, branches, bounded loops, checked accesses, calls, and blocks that jump anywhere.

use metal_oxide_ir::{
    BinaryOperator, BlockId, CastOperator, CompareOperator, Constant, Function, FunctionId, Module, Operation, SiteId, Space, Target,
    Terminator, Type, TypeId, ValueId,
};

use super::{Choices, Helpers, Types};

const GENERIC: Type = Type::Pointer(Space::Generic);

/// The function that is being made.
pub struct Body<'a, 'c> {
    pub choices: &'a mut Choices<'c>,
    pub function: Function,
    /// Values that may be used here.
    pub scope: Vec<ValueId>,
    types: Types,
    helpers: Vec<(FunctionId, Vec<Type>)>,
    block: BlockId,
    /// Variables that may be used here: initialised memory.
    variables: Vec<Variable>,
    /// Checked memory: address, length, whether it may be written.
    buffers: Vec<(ValueId, ValueId, bool)>,
    /// How many blocks may still be opened inside one another.
    depth: usize,
}

/// Memory of a type that is initialised.
#[derive(Clone, Copy)]
struct Variable {
    pointer: ValueId,
    ty: TypeId,
}

/// Fills the function with `size` statements, or as many as the choices last for.
pub fn fill(choices: &mut Choices<'_>, module: &Module, types: Types, helpers: Helpers<'_>, function: Function, size: usize) -> Function {
    let helpers = helpers.iter().map(|&id| {
        let helper = module.function(id);
        (id, helper.parameters().iter().map(|&value| helper.ty(value)).collect())
    });
    let helpers = helpers.collect();
    let (block, parameters) = (function.entry(), function.parameters().to_vec());
    let mut body =
        Body { choices, function, scope: Vec::new(), types, helpers, block, variables: Vec::new(), buffers: Vec::new(), depth: 3 };
    body.parameters(&parameters);
    for ty in [Type::I8, Type::I16, Type::Bool, Type::F32, Type::I32, Type::I64] {
        body.compute(ty);
    }
    for _ in 0..2 {
        body.declare();
    }
    for _ in 0..size {
        if body.choices.more() {
            body.statement();
        }
    }
    body.end();
    body.function
}

impl Body<'_, '_> {
    pub fn emit(&mut self, operation: Operation, ty: Type) -> ValueId {
        self.function.append(self.block, operation, ty, None)
    }

    fn effect(&mut self, operation: Operation) {
        self.function.append_effect(self.block, operation, None);
    }

    fn terminate(&mut self, terminator: Terminator) {
        self.function.terminate(self.block, terminator, None);
    }

    /// Makes the parameters usable: buffers through generic pointers, pointers of helpers as variables.
    fn parameters(&mut self, parameters: &[ValueId]) {
        let generic = |body: &mut Self, value| body.emit(Operation::Cast(CastOperator::Space, value), GENERIC);
        for &value in parameters {
            match self.function.ty(value) {
                Type::Pointer(Space::Device) => {
                    let pointer = generic(self, value);
                    self.buffers.push((pointer, value, !self.buffers.is_empty()));
                }
                Type::Pointer(Space::Constant) => {
                    let pointer = generic(self, value);
                    let copy = self.slot(self.types.pair);
                    self.effect(Operation::Copy { to: copy, from: pointer, bytes: 12, align: 4 });
                    self.variables.push(Variable { pointer: copy, ty: self.types.pair });
                }
                Type::Pointer(_) => self.variables.push(Variable { pointer: value, ty: self.types.i32 }),
                _ => self.scope.push(value),
            }
        }
        if self.function.is_kernel() {
            // Each buffer's length follows its address.
            for (index, buffer) in self.buffers.iter_mut().enumerate() {
                buffer.1 = parameters[2 * index + 1];
            }
            let table = self.function.add_constant(Constant::Global(metal_oxide_ir::GlobalId::new(0)));
            let table = generic(self, table);
            let four = self.integer(Type::I64, 4);
            self.buffers.push((table, four, false));
        }
    }

    fn slot(&mut self, ty: TypeId) -> ValueId {
        self.emit(Operation::Slot(ty), GENERIC)
    }

    /// A new variable.
    fn declare(&mut self) {
        let types = self.types;
        let ty = [types.i32, types.i64, types.f32, types.array, types.pair, types.nested][self.choices.below(6)];
        let pointer = self.slot(ty);
        for place in self.leaves(pointer, ty) {
            let value = self.value(self.scalar_of(place.ty));
            self.effect(Operation::Store { pointer: place.pointer, value });
        }
        self.variables.push(Variable { pointer, ty });
    }

    fn scalar_of(&self, ty: TypeId) -> Type {
        match () {
            () if ty == self.types.f32 => Type::F32,
            () if ty == self.types.i64 => Type::I64,
            () if ty == self.types.i8 => Type::I8,
            () => Type::I32,
        }
    }

    /// The scalars inside of memory, with their addresses computed.
    fn leaves(&mut self, pointer: ValueId, ty: TypeId) -> Vec<Variable> {
        let types = self.types;
        let parts: Vec<TypeId> = match () {
            () if ty == types.array => {
                let index = |body: &mut Self, index: i128| {
                    let index = body.integer(Type::I64, index);
                    Variable { pointer: body.emit(Operation::Element { base: pointer, index, ty: types.i32 }, GENERIC), ty: types.i32 }
                };
                return (0..4).map(|number| index(self, number)).collect();
            }
            () if ty == types.pair => vec![types.i32, types.f32, types.i8],
            () if ty == types.nested => vec![types.pair, types.array, types.i32],
            () => return vec![Variable { pointer, ty }],
        };
        let mut leaves = Vec::new();
        for (field, part) in (0..).zip(parts) {
            let pointer = self.emit(Operation::Field { base: pointer, ty, field }, GENERIC);
            leaves.extend(self.leaves(pointer, part));
        }
        leaves
    }

    /// A scalar inside some variable; array elements may be chosen at run time.
    fn place(&mut self) -> Variable {
        let index = self.choices.below(self.variables.len());
        let mut place = self.variables[index];
        let types = self.types;
        loop {
            let field = |body: &mut Self, field: usize, part: TypeId| Variable {
                pointer: body.emit(Operation::Field { base: place.pointer, ty: place.ty, field: field as u32 }, GENERIC),
                ty: part,
            };
            place = match () {
                () if place.ty == types.array => {
                    let index = match self.choices.below(2) {
                        0 => {
                            let index = self.choices.below(4) as i128;
                            self.integer(Type::I64, index)
                        }
                        _ => {
                            let (index, mask) = (self.value(Type::I64), self.integer(Type::I64, 3));
                            self.emit(Operation::Binary(BinaryOperator::And, index, mask), Type::I64)
                        }
                    };
                    Variable {
                        pointer: self.emit(Operation::Element { base: place.pointer, index, ty: types.i32 }, GENERIC),
                        ty: types.i32,
                    }
                }
                () if place.ty == types.pair => {
                    let index = self.choices.below(3);
                    field(self, index, [types.i32, types.f32, types.i8][index])
                }
                () if place.ty == types.nested => {
                    let index = self.choices.below(3);
                    field(self, index, [types.pair, types.array, types.i32][index])
                }
                () => return place,
            };
        }
    }

    fn statement(&mut self) {
        match self.choices.below(17) {
            0..3 => {
                let ty = self.scalar();
                self.compute(ty);
            }
            3 => self.store(),
            4 => self.load(),
            5 => self.branch(),
            6 => self.counted_loop(),
            7 => self.copy(),
            8 => self.buffer_access(),
            9 => self.switch(),
            10 => self.call(),
            11 => self.check(),
            12 => self.early_return(),
            13 if self.choices.below(2) == 0 => self.choose_pointer(),
            13 => self.choose_space(),
            14 => self.tangle(),
            15 => self.declare(),
            _ => self.reinterpret(),
        }
    }

    fn store(&mut self) {
        let place = self.place();
        let ty = self.scalar_of(place.ty);
        let value = self.compute(ty);
        self.effect(Operation::Store { pointer: place.pointer, value });
    }

    fn load(&mut self) {
        let place = self.place();
        let value = self.emit(Operation::Load(place.pointer), self.scalar_of(place.ty));
        self.scope.push(value);
    }

    /// Runs `inside` in a new block; what it makes is not at hand afterwards. Ends in the block it led to.
    fn inside(&mut self, block: BlockId, statements: usize) {
        self.block = block;
        self.depth -= 1;
        for _ in 0..statements {
            if self.choices.more() {
                self.statement();
            }
        }
        self.depth += 1;
    }

    fn marks(&self) -> (usize, usize) {
        (self.scope.len(), self.variables.len())
    }

    fn forget(&mut self, (scope, variables): (usize, usize)) {
        self.scope.truncate(scope);
        self.variables.truncate(variables);
    }

    fn branch(&mut self) {
        if self.depth == 0 {
            return self.load();
        }
        let condition = self.compute(Type::Bool);
        let (then, otherwise, join) = (self.function.add_block(), self.function.add_block(), self.function.add_block());
        self.terminate(Terminator::CondBranch { condition, then: Target::new(then, vec![]), otherwise: Target::new(otherwise, vec![]) });
        let ty = self.scalar();
        let result = self.function.add_parameter(join, ty);
        let marks = self.marks();
        for block in [then, otherwise] {
            let statements = self.choices.below(4);
            self.inside(block, statements);
            let argument = self.value(ty);
            self.terminate(Terminator::Branch(Target::new(join, vec![argument])));
            self.forget(marks);
        }
        self.block = join;
        self.scope.push(result);
    }

    fn switch(&mut self) {
        if self.depth == 0 {
            return self.load();
        }
        let value = self.compute(Type::I8);
        let join = self.function.add_block();
        let result = self.function.add_parameter(join, Type::I32);
        let blocks: Vec<_> = (0..1 + self.choices.below(3)).map(|_| self.function.add_block()).collect();
        let target = |index: usize| Target::new(blocks[index], vec![]);
        let cases = (1..blocks.len()).map(|index| (index as u128, target(index))).collect();
        self.terminate(Terminator::Switch { value, cases, default: target(0) });
        let marks = self.marks();
        for block in blocks {
            let statements = self.choices.below(3);
            self.inside(block, statements);
            let argument = self.value(Type::I32);
            self.terminate(Terminator::Branch(Target::new(join, vec![argument])));
            self.forget(marks);
        }
        self.block = join;
        self.scope.push(result);
    }

    /// `for i in 0..count` with a carried value, tested at the top or at the bottom, and maybe left early.
    fn counted_loop(&mut self) {
        if self.depth == 0 {
            return self.load();
        }
        let ty = [Type::I64, Type::I32][self.choices.below(2)];
        let carried_type = self.scalar();
        let count = self.choices.below(5) as i128;
        let (zero, one, count) = (self.integer(ty, 0), self.integer(ty, 1), self.integer(ty, count));
        let start = self.value(carried_type);
        let (header, inner, exit) = (self.function.add_block(), self.function.add_block(), self.function.add_block());
        let index = self.function.add_parameter(header, ty);
        let carried = self.function.add_parameter(header, carried_type);
        let result = self.function.add_parameter(exit, carried_type);
        self.terminate(Terminator::Branch(Target::new(header, vec![zero, start])));
        let marks = self.marks();
        self.scope.extend([index, carried]);

        self.block = header;
        let at_bottom = self.choices.below(3) == 2;
        if at_bottom {
            self.terminate(Terminator::branch(inner));
        } else {
            let condition = self.emit(Operation::Compare(CompareOperator::LessUnsigned, index, count), Type::Bool);
            let (then, otherwise) = (Target::new(inner, vec![]), Target::new(exit, vec![carried]));
            self.terminate(Terminator::CondBranch { condition, then, otherwise });
        }
        let statements = self.choices.below(4);
        self.inside(inner, statements);
        let next = self.emit(Operation::Binary(BinaryOperator::Add, index, one), ty);
        let carried = self.value(carried_type);
        let back = Target::new(header, vec![next, carried]);
        let leave = Target::new(exit, vec![carried]);
        if at_bottom {
            let condition = self.emit(Operation::Compare(CompareOperator::LessUnsigned, next, count), Type::Bool);
            self.terminate(Terminator::CondBranch { condition, then: back, otherwise: leave });
        } else if self.choices.below(3) == 2 {
            let condition = self.value(Type::Bool);
            self.terminate(Terminator::CondBranch { condition, then: leave, otherwise: back });
        } else {
            self.terminate(Terminator::Branch(back));
        }
        self.forget(marks);
        self.block = exit;
        self.scope.push(result);
    }

    /// Copies between variables of one type.
    fn copy(&mut self) {
        let index = self.choices.below(self.variables.len());
        let from = self.variables[index];
        let bytes = match () {
            () if from.ty == self.types.array => 16,
            () if from.ty == self.types.pair => 12,
            () if from.ty == self.types.nested => 32,
            () => 4,
        };
        let same: Vec<_> = self.variables.iter().filter(|to| to.ty == from.ty && to.pointer != from.pointer).copied().collect();
        let to = match self.choices.below(same.len() + 1).checked_sub(1) {
            // Parameters of helpers may be any memory, another variable of this function's caller among them.
            Some(index) if self.function.is_kernel() => same[index].pointer,
            _ => {
                let pointer = self.slot(from.ty);
                for leaf in self.leaves(pointer, from.ty) {
                    let value = self.value(self.scalar_of(leaf.ty));
                    self.effect(Operation::Store { pointer: leaf.pointer, value });
                }
                self.variables.push(Variable { pointer, ty: from.ty });
                pointer
            }
        };
        self.effect(Operation::Copy { to, from: from.pointer, bytes, align: 4 });
    }

    /// An access that a check guards.
    fn buffer_access(&mut self) {
        if self.buffers.is_empty() {
            return self.load();
        }
        let which = self.choices.below(self.buffers.len());
        let (pointer, length, writable) = self.buffers[which];
        let mut index = if self.choices.below(2) == 0 { self.value(Type::I64) } else { self.compute(Type::I64) };
        if self.choices.below(4) > 0 {
            let three = self.integer(Type::I64, 3);
            index = self.emit(Operation::Binary(BinaryOperator::And, index, three), Type::I64);
        }
        let condition = self.emit(Operation::Compare(CompareOperator::LessUnsigned, index, length), Type::Bool);
        self.guard(condition, true, 0);
        let place = self.emit(Operation::Element { base: pointer, index, ty: self.types.i32 }, GENERIC);
        if writable && self.choices.below(2) == 0 {
            let value = self.value(Type::I32);
            self.effect(Operation::Store { pointer: place, value });
        } else {
            let value = self.emit(Operation::Load(place), Type::I32);
            self.scope.push(value);
        }
    }

    /// Fails unless the condition has a value.
    fn guard(&mut self, condition: ValueId, expected: bool, site: usize) {
        let (go_on, fail) = (self.function.add_block(), self.function.add_block());
        let (mut then, mut otherwise) = (Target::new(go_on, vec![]), Target::new(fail, vec![]));
        if !expected {
            std::mem::swap(&mut then, &mut otherwise);
        }
        self.terminate(Terminator::CondBranch { condition, then, otherwise });
        self.function.terminate(fail, Terminator::Fail(SiteId::new(site)), None);
        self.block = go_on;
    }

    fn check(&mut self) {
        let condition = self.compute(Type::Bool);
        let (expected, site) = (self.choices.below(2) == 0, self.choices.below(3));
        self.guard(condition, expected, site);
    }

    fn early_return(&mut self) {
        let condition = self.compute(Type::Bool);
        let (leave, go_on) = (self.function.add_block(), self.function.add_block());
        self.terminate(Terminator::CondBranch { condition, then: Target::new(leave, vec![]), otherwise: Target::new(go_on, vec![]) });
        self.block = leave;
        self.end();
        self.block = go_on;
    }

    fn end(&mut self) {
        match self.function.result {
            Some(ty) => {
                let value = self.value(ty);
                self.terminate(Terminator::Return(Some(value)));
            }
            None => {
                self.publish();
                self.terminate(Terminator::Return(None));
            }
        }
    }

    /// Writes a mixture of everything at hand to the output, where there is room, so that the computations matter.
    fn publish(&mut self) {
        let Some(&(pointer, length, _)) = self.buffers.get(1) else { return };
        let (store, end) = (self.function.add_block(), self.function.add_block());
        let index = self.choices.below(3) as i128;
        let index = self.integer(Type::I64, index);
        let condition = self.emit(Operation::Compare(CompareOperator::LessUnsigned, index, length), Type::Bool);
        self.terminate(Terminator::CondBranch { condition, then: Target::new(store, vec![]), otherwise: Target::new(end, vec![]) });
        self.block = store;
        let place = self.emit(Operation::Element { base: pointer, index, ty: self.types.i32 }, GENERIC);
        let (mut mixture, seven) = (self.integer(Type::I32, 1), self.integer(Type::I32, 7));
        let mut values = self.scope.clone();
        for variable in self.variables.clone() {
            for leaf in self.leaves(variable.pointer, variable.ty) {
                let ty = self.scalar_of(leaf.ty);
                values.push(self.emit(Operation::Load(leaf.pointer), ty));
            }
        }
        for value in values {
            let value = self.without_nan(value);
            let cast = match self.function.ty(value) {
                Type::I64 => Some(CastOperator::Truncate),
                Type::F32 => Some(CastOperator::Bitcast),
                Type::I32 => None,
                _ => Some(CastOperator::ZeroExtend),
            };
            let word = cast.map_or(value, |cast| self.emit(Operation::Cast(cast, value), Type::I32));
            mixture = self.emit(Operation::Binary(BinaryOperator::RotateLeft, mixture, seven), Type::I32);
            mixture = self.emit(Operation::Binary(BinaryOperator::Xor, mixture, word), Type::I32);
        }
        self.effect(Operation::Store { pointer: place, value: mixture });
        self.terminate(Terminator::branch(end));
        self.block = end;
    }

    /// The value, or zero in place of NaN, whose bits are not specified.
    fn without_nan(&mut self, value: ValueId) -> ValueId {
        if self.function.ty(value) != Type::F32 {
            return value;
        }
        let zero = self.integer(Type::F32, 0);
        let ordered = self.emit(Operation::Compare(CompareOperator::FloatEqual, value, value), Type::Bool);
        self.emit(Operation::Select(ordered, value, zero), Type::F32)
    }

    fn call(&mut self) {
        if self.helpers.is_empty() {
            return self.store();
        }
        let which = self.choices.below(self.helpers.len());
        let (helper, parameters) = self.helpers[which].clone();
        let arguments = parameters.into_iter().map(|ty| if ty.is_pointer() { self.word_pointer() } else { self.value(ty) }).collect();
        let value = self.emit(Operation::Call(helper, arguments), Type::I32);
        self.scope.push(value);
    }

    /// The address of an initialised `i32` of the thread.
    fn word_pointer(&mut self) -> ValueId {
        let place = self.place();
        if place.ty == self.types.i32 {
            return place.pointer;
        }
        let pointer = self.slot(self.types.i32);
        let value = self.value(Type::I32);
        self.effect(Operation::Store { pointer, value });
        pointer
    }

    /// Accesses one of two places, by `select` or through memory that holds the address.
    fn choose_pointer(&mut self) {
        let (a, b, condition) = (self.word_pointer(), self.word_pointer(), self.value(Type::Bool));
        let mut pointer = self.emit(Operation::Select(condition, a, b), GENERIC);
        if self.choices.below(2) == 1 {
            let memory = self.slot(self.types.pointer);
            self.effect(Operation::Store { pointer: memory, value: pointer });
            pointer = self.emit(Operation::Load(memory), GENERIC);
        }
        let value = self.value(Type::I32);
        self.effect(Operation::Store { pointer, value });
        let value = self.emit(Operation::Load(a), Type::I32);
        self.scope.push(value);
    }

    /// Reads through a pointer to a buffer's element or to a variable, moved a little and followed through a loop.
    fn choose_space(&mut self) {
        if self.buffers.is_empty() || self.depth == 0 {
            return self.choose_pointer();
        }
        let which = self.choices.below(self.buffers.len());
        let (buffer, length, _) = self.buffers[which];
        let index = self.choices.below(4) as i128;
        let (index, zero, one) = (self.integer(Type::I64, index), self.integer(Type::I64, 0), self.integer(Type::I64, 1));
        let inside = self.emit(Operation::Compare(CompareOperator::LessUnsigned, index, length), Type::Bool);
        self.guard(inside, true, 1);
        let element = self.emit(Operation::Element { base: buffer, index, ty: self.types.i32 }, GENERIC);
        let (local, condition) = (self.word_pointer(), self.value(Type::Bool));
        let (header, exit) = (self.function.add_block(), self.function.add_block());
        let pointer = self.function.add_parameter(header, GENERIC);
        let again = self.function.add_parameter(header, Type::I64);
        let first = self.emit(Operation::Select(condition, element, local), GENERIC);
        self.terminate(Terminator::Branch(Target::new(header, vec![first, zero])));
        self.block = header;
        let moved = self.emit(Operation::Element { base: pointer, index: zero, ty: self.types.i32 }, GENERIC);
        let value = self.emit(Operation::Load(moved), Type::I32);
        let is_local = self.emit(Operation::Compare(CompareOperator::Equal, moved, local), Type::Bool);
        let next = self.emit(Operation::Binary(BinaryOperator::Add, again, one), Type::I64);
        let more = self.emit(Operation::Compare(CompareOperator::LessUnsigned, again, one), Type::Bool);
        let other = if self.choices.below(2) == 0 { local } else { element };
        let (then, otherwise) = (Target::new(header, vec![other, next]), Target::new(exit, vec![]));
        self.terminate(Terminator::CondBranch { condition: more, then, otherwise });
        self.block = exit;
        self.scope.extend([value, is_local]);
    }

    /// Reads a float as an integer through memory.
    fn reinterpret(&mut self) {
        let pointer = self.slot(self.types.f32);
        let value = self.value(Type::F32);
        let value = self.without_nan(value);
        self.effect(Operation::Store { pointer, value });
        let bits = self.emit(Operation::Load(pointer), Type::I32);
        let cast = self.emit(Operation::Cast(metal_oxide_ir::CastOperator::Bitcast, bits), Type::F32);
        self.scope.extend([bits, cast]);
    }

    /// Blocks that jump to one another at random, irreducible loops among them, until fuel in memory runs out.
    fn tangle(&mut self) {
        if self.depth == 0 {
            return self.store();
        }
        let fuel = self.slot(self.types.i32);
        let amount = 1 + self.choices.below(6) as i128;
        let amount = self.integer(Type::I32, amount);
        self.effect(Operation::Store { pointer: fuel, value: amount });
        let blocks: Vec<_> = (0..2 + self.choices.below(3)).map(|_| self.function.add_block()).collect();
        let exit = self.function.add_block();
        for &block in &blocks {
            self.function.add_parameter(block, Type::I32);
        }
        let result = self.function.add_parameter(exit, Type::I32);
        self.jump_into(&blocks);
        let marks = self.marks();
        let one = self.integer(Type::I32, 1);
        let zero = self.integer(Type::I32, 0);
        for &block in &blocks {
            self.scope.push(self.function.block(block).parameters[0]);
            let statements = self.choices.below(3);
            self.inside(block, statements);
            let left = self.emit(Operation::Load(fuel), Type::I32);
            let left = self.emit(Operation::Binary(BinaryOperator::Sub, left, one), Type::I32);
            self.effect(Operation::Store { pointer: fuel, value: left });
            let go_on = self.function.add_block();
            let condition = self.emit(Operation::Compare(CompareOperator::GreaterSigned, left, zero), Type::Bool);
            let leave = Target::new(exit, vec![self.value(Type::I32)]);
            self.terminate(Terminator::CondBranch { condition, then: Target::new(go_on, vec![]), otherwise: leave });
            self.block = go_on;
            self.jump_into(&blocks);
            self.forget(marks);
        }
        self.block = exit;
        self.scope.push(result);
    }

    fn jump_into(&mut self, blocks: &[BlockId]) {
        let target = |body: &mut Self| {
            let index = body.choices.below(blocks.len());
            Target::new(blocks[index], vec![body.value(Type::I32)])
        };
        let (then, otherwise) = (target(self), target(self));
        let condition = self.condition();
        self.terminate(Terminator::CondBranch { condition, then, otherwise });
    }
}
