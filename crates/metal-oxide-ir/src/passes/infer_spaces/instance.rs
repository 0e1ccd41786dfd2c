//! Writes the spaces into functions: one instance of a function for each combination of spaces that its callers need.

use std::collections::HashMap;

use super::function::{Solved, pointer_offsets};
use super::regions::{Pattern, Pointer};
use crate::analysis::ControlFlow;
use crate::passes::rewrite::Replacements;
use crate::{
    CastOperator, Constant, Field, Function, FunctionId, InstructionId, MemoryKind, MemoryType, Module, Operation, Space, Terminator, Type,
    TypeId, ValueId,
};

/// Rewrites every function that a kernel needs, and the others with thread memory wherever they leave the space open.
pub(super) fn rewrite(module: &mut Module, solved: Vec<Solved>) {
    let originals = module.functions.clone();
    let mut instances = Instances { module, originals: &originals, solved: &solved, known: HashMap::new(), pending: Vec::new() };
    for (index, function) in originals.iter().enumerate() {
        if function.is_kernel() {
            instances.instance(FunctionId::new(index), &[]);
        }
    }
    instances.finish();
    for (index, solution) in solved.iter().enumerate() {
        let id = FunctionId::new(index);
        if !instances.known.keys().any(|(known, _)| *known == id) {
            let spaces = vec![Space::Thread; solution.open.len()];
            instances.instance(id, &spaces);
        }
    }
    instances.finish();
}

struct Instances<'a> {
    module: &'a mut Module,
    originals: &'a [Function],
    solved: &'a [Solved],
    known: HashMap<(FunctionId, Vec<Space>), FunctionId>,
    pending: Vec<(FunctionId, Vec<Space>, FunctionId)>,
}

impl Instances<'_> {
    /// The function to call for a combination of the open regions' spaces.
    fn instance(&mut self, original: FunctionId, spaces: &[Space]) -> FunctionId {
        let key = (original, spaces.to_vec());
        if let Some(&id) = self.known.get(&key) {
            return id;
        }
        let first = !self.known.keys().any(|(known, _)| *known == original);
        let id = if first {
            original
        } else {
            let mut clone = self.originals[original.index()].clone();
            let taken = |name: &str| self.module.functions.iter().any(|function| function.name == name);
            clone.name = (2..).map(|number| format!("{}_{number}", clone.name)).find(|name| !taken(name)).expect("numbers do not run out");
            self.module.add_function(clone)
        };
        self.known.insert(key, id);
        self.pending.push((original, spaces.to_vec(), id));
        id
    }

    fn finish(&mut self) {
        while let Some((original, spaces, id)) = self.pending.pop() {
            let mut function = self.originals[original.index()].clone();
            function.name.clone_from(&self.module.function(id).name);
            let solved = &self.solved[original.index()];
            let open = solved.open.iter().copied().zip(spaces).collect();
            Rewriter { instances: self, solved, open, function: &mut function }.run();
            self.module.functions[id.index()] = function;
        }
    }
}

struct Rewriter<'a, 'b> {
    instances: &'a mut Instances<'b>,
    solved: &'a Solved,
    open: HashMap<usize, Space>,
    function: &'a mut Function,
}

impl Rewriter<'_, '_> {
    fn run(mut self) {
        let flow = ControlFlow::new(self.function);
        for &block in flow.reverse_postorder() {
            let parameters = self.function.block(block).parameters.clone();
            parameters.into_iter().for_each(|value| self.settle(value));
            for instruction in self.function.block(block).instructions.clone() {
                if let Some(result) = self.function.instruction(instruction).result {
                    self.settle(result);
                }
            }
        }
        if let Some(result) = self.solved.result {
            self.function.result = Some(Type::Pointer(self.space(result.region)));
        }
        let mut replacements = Replacements::default();
        for &block in flow.reverse_postorder() {
            self.block(block, &mut replacements);
        }
        replacements.apply(self.function);
        for &block in flow.reverse_postorder() {
            self.constants(block);
        }
    }

    fn settle(&mut self, value: ValueId) {
        if let Some(pointer) = self.solved.pointers[value.index()] {
            let space = self.space(pointer.region);
            self.function.set_type(value, Type::Pointer(space));
        }
    }

    fn space(&self, region: usize) -> Space {
        let root = self.solved.regions.find(region);
        self.solved.regions.space(root).or_else(|| self.open.get(&root).copied()).unwrap_or(Space::Thread)
    }

    /// Drops casts between spaces, calls the right instances, and settles memory types and comparisons.
    fn block(&mut self, block: crate::BlockId, replacements: &mut Replacements) {
        let mut kept = Vec::new();
        for id in self.function.block(block).instructions.clone() {
            let instruction = self.function.instruction(id).clone();
            match (instruction.operation, instruction.result) {
                (Operation::Cast(CastOperator::Space, from), Some(result)) => {
                    let from = self.retyped(from, self.function.ty(result));
                    replacements.replace(result, from);
                    continue;
                }
                (Operation::Call(callee, arguments), _) => {
                    let callee = self.callee(id, callee);
                    self.function.instruction_mut(id).operation = Operation::Call(callee, arguments);
                }
                (Operation::Compare(operator, a, b), _) if self.function.ty(a).is_pointer() => {
                    let (a, b) = self.comparable(a, b, id, &mut kept);
                    self.function.instruction_mut(id).operation = Operation::Compare(operator, a, b);
                }
                (Operation::Slot(ty), Some(result)) => {
                    let ty = self.memory_type(ty, self.solved.pointers[result.index()]);
                    self.function.instruction_mut(id).operation = Operation::Slot(ty);
                }
                (Operation::Element { base, index, ty }, Some(result)) => {
                    let ty = self.memory_type(ty, self.solved.pointers[result.index()]);
                    self.function.instruction_mut(id).operation = Operation::Element { base, index, ty };
                }
                (Operation::Field { base, ty, field }, _) => {
                    let ty = self.memory_type(ty, self.solved.pointers.get(base.index()).copied().flatten());
                    self.function.instruction_mut(id).operation = Operation::Field { base, ty, field };
                }
                _ => {}
            }
            kept.push(id);
        }
        self.function.block_mut(block).instructions = kept;
    }

    fn callee(&mut self, call: InstructionId, callee: FunctionId) -> FunctionId {
        let open = &self.instances.solved[callee.index()].open;
        let spaces: Vec<_> = match self.solved.calls.get(&call) {
            Some(regions) => open.iter().map(|root| regions.get(root).map_or(Space::Thread, |&region| self.space(region))).collect(),
            None => vec![Space::Thread; open.len()],
        };
        self.instances.instance(callee, &spaces)
    }

    /// The operands of a comparison, as addresses if their spaces differ.
    fn comparable(&mut self, a: ValueId, b: ValueId, before: InstructionId, kept: &mut Vec<InstructionId>) -> (ValueId, ValueId) {
        let plain = |function: &Function, value| matches!(function.constant(value), Some(Constant::Bits { .. } | Constant::Undef(_)));
        if plain(self.function, a) {
            return (self.retyped(a, self.function.ty(b)), b);
        }
        if plain(self.function, b) {
            return (a, self.retyped(b, self.function.ty(a)));
        }
        if self.function.ty(a) == self.function.ty(b) {
            return (a, b);
        }
        let location = self.function.instruction(before).location;
        let mut address = |value| {
            let cast = Operation::Cast(CastOperator::PointerToInteger, value);
            let id = self.function.create_instruction(cast, Some(Type::I64), location);
            kept.push(id);
            self.function.instruction(id).result.expect("a cast has a result")
        };
        (address(a), address(b))
    }

    /// A constant with another type; other values as they are.
    fn retyped(&mut self, value: ValueId, ty: Type) -> ValueId {
        match self.function.constant(value) {
            Some(Constant::Bits { bits, ty: old }) if old != ty => self.function.add_constant(Constant::Bits { ty, bits }),
            Some(Constant::Undef(old)) if old != ty => self.function.add_constant(Constant::Undef(ty)),
            _ => value,
        }
    }

    /// Gives constant pointers the type that their use needs.
    fn constants(&mut self, block: crate::BlockId) {
        for id in self.function.block(block).instructions.clone() {
            let mut operation = self.function.instruction(id).operation.clone();
            let result = self.function.instruction(id).result.map(|value| self.function.ty(value));
            match (&mut operation, result) {
                (Operation::Select(_, a, b), Some(ty)) if ty.is_pointer() => {
                    *a = self.retyped(*a, ty);
                    *b = self.retyped(*b, ty);
                }
                (Operation::Element { base, .. } | Operation::Field { base, .. } | Operation::Offset { base, .. }, Some(ty)) => {
                    *base = self.retyped(*base, ty);
                }
                (Operation::Call(callee, arguments), _) => {
                    let callee = *callee;
                    // The callee may not be rewritten yet, or be the function itself: its types follow from how it was solved.
                    let types = self.argument_spaces(id, callee);
                    for (argument, ty) in arguments.iter_mut().zip(types) {
                        if let Some(ty) = ty {
                            *argument = self.retyped(*argument, ty);
                        }
                    }
                }
                _ => operation.operands_mut(|value| {
                    if matches!(self.function.ty(*value), Type::Pointer(Space::Generic)) {
                        *value = self.retyped(*value, Type::Pointer(Space::Thread));
                    }
                }),
            }
            self.function.instruction_mut(id).operation = operation;
        }
        let mut terminator = std::mem::replace(&mut self.function.block_mut(block).terminator, Terminator::Unreachable);
        if let (Terminator::Return(Some(value)), Some(ty)) = (&mut terminator, self.function.result)
            && ty.is_pointer()
        {
            *value = self.retyped(*value, ty);
        }
        for target in terminator.targets_mut() {
            let types: Vec<_> = self.function.block(target.block).parameters.iter().map(|&parameter| self.function.ty(parameter)).collect();
            for (argument, ty) in target.arguments.iter_mut().zip(types) {
                if ty.is_pointer() {
                    *argument = self.retyped(*argument, ty);
                }
            }
        }
        self.function.block_mut(block).terminator = terminator;
    }

    /// The pointer types of a callee's parameters as this function calls it.
    fn argument_spaces(&self, call: InstructionId, instance: FunctionId) -> Vec<Option<Type>> {
        let known = self.instances.known.iter().find(|(_, id)| **id == instance);
        let Some(((original, _), _)) = known else { return Vec::new() };
        let (solved, function) = (&self.instances.solved[original.index()], &self.instances.originals[original.index()]);
        let regions = self.solved.calls.get(&call);
        let space = |pointer: Pointer| {
            let root = solved.regions.find(pointer.region);
            let open = regions.and_then(|regions| regions.get(&root)).map(|&region| self.space(region));
            Type::Pointer(solved.regions.space(root).or(open).unwrap_or(Space::Thread))
        };
        function.parameters().iter().map(|value| solved.pointers[value.index()].map(space)).collect()
    }

    /// A memory type with the spaces of the pointers in it.
    fn memory_type(&mut self, ty: TypeId, at: Option<Pointer>) -> TypeId {
        if pointer_offsets(self.instances.module, ty).is_empty() {
            return ty;
        }
        self.settled(ty, at, 0)
    }

    fn settled(&mut self, ty: TypeId, at: Option<Pointer>, offset: u64) -> TypeId {
        let mut settled = self.instances.module.ty(ty).clone();
        match &mut settled.kind {
            MemoryKind::Scalar { ty: scalar, .. } if *scalar == Type::Pointer(Space::Generic) => {
                *scalar = Type::Pointer(self.stored_space(at, offset));
            }
            MemoryKind::Array { element, .. } => *element = self.settled(*element, at, offset),
            MemoryKind::Struct { fields } => {
                let settle = |field: &Field| Field { ty: self.settled(field.ty, at, offset + field.offset), ..field.clone() };
                *fields = fields.iter().map(settle).collect();
            }
            _ => return ty,
        }
        if settled == *self.instances.module.ty(ty) { ty } else { self.add_type(settled) }
    }

    fn add_type(&mut self, ty: MemoryType) -> TypeId {
        self.instances.module.intern_type(ty)
    }

    /// The space of the pointer that is stored at a distance from a place.
    fn stored_space(&self, at: Option<Pointer>, offset: u64) -> Space {
        let Some(Pointer { region, pattern: Some(pattern) }) = at else { return Space::Thread };
        let place = pattern.plus(Pattern::exactly(offset as i64));
        let cell = self.solved.regions.cells(region).iter().find(|cell| cell.place.overlaps(place));
        cell.map_or(Space::Thread, |cell| self.space(cell.content.region))
    }
}
