//! Replaces divided slots by one slot for each part, and every access by accesses of the parts.
//! Accesses that cover a part only partly move bits; the machine is little-endian.

use super::partition::{Division, Part, chunks};
use super::uses::{Place, Uses};
use super::{is_address, part_name};
use crate::analysis::ControlFlow;
use crate::passes::builder::Sequence;
use crate::passes::layout;
use crate::{BinaryOperator, CastOperator, Constant, Function, InstructionId, Module, Operation, Type, TypeId, ValueId};

/// What is known while a function is rewritten.
pub(super) struct Rewriter<'a> {
    module: &'a Module,
    uses: &'a Uses,
    divisions: &'a [Division],
    split: Vec<bool>,
    types: Vec<Vec<TypeId>>,
    /// The new slots, once their place has been reached.
    slots: Vec<Vec<ValueId>>,
    sequence: Sequence,
}

/// One side of a copy.
#[derive(Clone, Copy)]
enum Side {
    /// A divided slot and an offset in it.
    Slot(usize, u64),
    /// Other memory, perhaps with the type that stands there.
    Memory(ValueId, Option<TypeId>),
}

/// Some bytes on one side of a copy.
#[derive(Clone, Copy)]
enum Bytes {
    /// The bytes from an offset in a part that is a value.
    Scalar(ValueId, Type, u64),
    /// An address, or what it is computed from: base, type, distance, alignment of the place.
    Memory(ValueId, Option<TypeId>, u64, u64),
}

impl<'a> Rewriter<'a> {
    pub fn new(module: &'a Module, uses: &'a Uses, divisions: &'a [Division], split: Vec<bool>, types: Vec<Vec<TypeId>>) -> Self {
        let slots = vec![Vec::new(); split.len()];
        Rewriter { module, uses, divisions, split, types, slots, sequence: Sequence::default() }
    }

    pub fn run(mut self, function: &mut Function) {
        let flow = ControlFlow::new(function);
        crate::passes::rewrite::clear_unreachable(function, &flow);
        for slot in 0..self.split.len() {
            if self.split[slot] {
                self.make_slots(function, slot);
            }
        }
        for &block in flow.reverse_postorder() {
            let old = std::mem::take(&mut function.block_mut(block).instructions);
            for id in old {
                self.rewrite(function, id);
            }
            function.block_mut(block).instructions = std::mem::take(&mut self.sequence.instructions);
        }
    }

    fn make_slots(&mut self, function: &mut Function, slot: usize) {
        let id = self.uses.slots[slot].0;
        let (Some(pointer), location) = (function.instruction(id).result, function.instruction(id).location) else { return };
        let division = &self.divisions[slot];
        for (part, &ty) in division.parts.iter().zip(&self.types[slot]) {
            let id = function.create_instruction(Operation::Slot(ty), Some(function.ty(pointer)), location);
            let value = function.instruction(id).result.expect("slots have a result");
            if let Some(name) = part_name(function, self.module, pointer, division, part.start, part.size()) {
                function.set_name(value, name);
            }
            self.slots[slot].push(value);
        }
    }

    /// The place that a value is the address of, if it is in a divided slot.
    fn place(&self, value: ValueId) -> Option<Place> {
        self.uses.places.get(&value).copied().filter(|place| self.split[place.slot])
    }

    fn rewrite(&mut self, function: &mut Function, id: InstructionId) {
        let instruction = function.instruction(id).clone();
        self.sequence.location = instruction.location;
        if is_address(&instruction.operation)
            && let Some(place) = instruction.result.and_then(|result| self.place(result))
        {
            if let Operation::Slot(_) = instruction.operation {
                for &part in &self.slots[place.slot] {
                    let id = function.defining_instruction(part).expect("slots are instructions");
                    self.sequence.instructions.push(id);
                }
            }
            return;
        }
        match instruction.operation {
            Operation::Load(pointer) => {
                if let (Some(place), Some(result)) = (self.place(pointer), instruction.result) {
                    self.load(function, place, result, id);
                    return;
                }
            }
            Operation::Store { pointer, value } => {
                if let Some(bytes) = self.place(pointer).and_then(|place| self.bytes(Side::Slot(place.slot, place.offset), 0, 1)) {
                    match bytes {
                        Bytes::Memory(base, ty, offset, _) => {
                            let pointer = self.address(function, base, ty, offset, function.ty(value).size());
                            self.sequence.effect(function, Operation::Store { pointer, value });
                        }
                        Bytes::Scalar(..) => self.write(function, bytes, value),
                    }
                    return;
                }
            }
            Operation::Copy { to, from, bytes, align } if self.place(to).is_some() || self.place(from).is_some() => {
                self.copy(function, to, from, bytes, align);
                return;
            }
            _ => {}
        }
        self.materialize_operands(function, id);
        self.sequence.instructions.push(id);
    }

    /// Gives an instruction that needs addresses in divided slots the addresses in their parts.
    fn materialize_operands(&mut self, function: &mut Function, id: InstructionId) {
        let mut operation = function.instruction(id).operation.clone();
        let mut changed = false;
        operation.operands_mut(|operand| {
            let Some(place) = self.place(*operand) else { return };
            // The part is found from the start of what the address may reach: the address itself can be the end.
            let division = &self.divisions[place.slot];
            let index = division.part_at(place.reach_start()).expect("the reach of an address is a part");
            let base = self.slots[place.slot][index];
            let address = layout::byte_offset(&mut self.sequence, function, base, place.offset - division.parts[index].start);
            let ty = function.ty(*operand);
            *operand = self.sequence.reinterpret(function, address, ty);
            changed = true;
        });
        if changed {
            function.instruction_mut(id).operation = operation;
        }
    }

    /// Where the byte at `distance` from the start of a side is. `None` for padding.
    fn bytes(&self, side: Side, distance: u64, align: u64) -> Option<Bytes> {
        match side {
            Side::Memory(base, ty) => Some(Bytes::Memory(base, ty, distance, alignment(align, distance))),
            Side::Slot(slot, start) => {
                let division = &self.divisions[slot];
                let offset = start + distance;
                let index = division.part_at(offset)?;
                let part = &division.parts[index];
                let pointer = self.slots[slot][index];
                Some(match part.scalar() {
                    Some(ty) => Bytes::Scalar(pointer, ty, offset - part.start),
                    None => {
                        let ty = self.types[slot][index];
                        let inner = offset - part.start;
                        Bytes::Memory(pointer, Some(ty), inner, alignment(self.module.ty(ty).align, inner))
                    }
                })
            }
        }
    }

    fn address(&mut self, function: &mut Function, base: ValueId, ty: Option<TypeId>, offset: u64, size: u64) -> ValueId {
        match ty {
            Some(ty) if size > 0 => layout::address(&mut self.sequence, function, self.module, (base, ty), offset, size),
            _ => layout::byte_offset(&mut self.sequence, function, base, offset),
        }
    }

    fn load(&mut self, function: &mut Function, place: Place, result: ValueId, id: InstructionId) {
        let ty = function.ty(result);
        let Some(bytes) = self.bytes(Side::Slot(place.slot, place.offset), 0, 1) else { return };
        let operation = match bytes {
            Bytes::Scalar(pointer, part, 0) if part == ty => Operation::Load(pointer),
            Bytes::Memory(base, memory, offset, _) => Operation::Load(self.address(function, base, memory, offset, ty.size())),
            Bytes::Scalar(..) => {
                let value = self.read(function, bytes, ty);
                // The old instruction becomes the last step, so that its result stays.
                let last = self.sequence.instructions.pop().expect("reading takes at least one instruction");
                debug_assert_eq!(function.instruction(last).result, Some(value));
                function.instruction(last).operation.clone()
            }
        };
        function.instruction_mut(id).operation = operation;
        self.sequence.instructions.push(id);
    }

    /// Appends the value of type `ty` that stands at some bytes.
    fn read(&mut self, function: &mut Function, bytes: Bytes, ty: Type) -> ValueId {
        match bytes {
            Bytes::Scalar(pointer, part, offset) => {
                let whole = self.sequence.value(function, Operation::Load(pointer), part);
                if part.size() == ty.size() {
                    return self.sequence.reinterpret(function, whole, ty);
                }
                let integer = self.integer(function, whole);
                let shifted = match offset {
                    0 => integer,
                    _ => {
                        let count = integer_constant(function, integer, offset * 8);
                        self.sequence.binary(function, BinaryOperator::ShiftRightUnsigned, integer, count)
                    }
                };
                let narrow = self.sequence.cast(function, CastOperator::Truncate, shifted, integer_type(ty.size()));
                self.sequence.reinterpret(function, narrow, ty)
            }
            Bytes::Memory(base, memory, offset, align) if align >= ty.size() => {
                let pointer = self.address(function, base, memory, offset, ty.size());
                self.sequence.value(function, Operation::Load(pointer), ty)
            }
            Bytes::Memory(base, memory, offset, align) => {
                let wide = integer_type(ty.size());
                let unit = integer_type(align);
                let mut combined = None;
                for distance in (0..ty.size()).step_by(align as usize) {
                    let pointer = self.address(function, base, memory, offset + distance, align);
                    let piece = self.sequence.value(function, Operation::Load(pointer), unit);
                    let piece = self.sequence.cast(function, CastOperator::ZeroExtend, piece, wide);
                    let count = integer_constant(function, piece, distance * 8);
                    combined = Some(match combined {
                        None => piece,
                        Some(lower) => {
                            let piece = self.sequence.binary(function, BinaryOperator::ShiftLeft, piece, count);
                            self.sequence.binary(function, BinaryOperator::Or, lower, piece)
                        }
                    });
                }
                let combined = combined.expect("a type has at least one byte");
                self.sequence.reinterpret(function, combined, ty)
            }
        }
    }

    /// Appends a store of a value to some bytes.
    fn write(&mut self, function: &mut Function, bytes: Bytes, value: ValueId) {
        let size = function.ty(value).size();
        match bytes {
            Bytes::Scalar(pointer, part, offset) => {
                let value = match part.size() == size {
                    true => self.sequence.reinterpret(function, value, part),
                    false => self.insert(function, (pointer, part), offset, value),
                };
                self.sequence.effect(function, Operation::Store { pointer, value });
            }
            Bytes::Memory(base, memory, offset, align) if align >= size => {
                let pointer = self.address(function, base, memory, offset, size);
                self.sequence.effect(function, Operation::Store { pointer, value });
            }
            Bytes::Memory(base, memory, offset, align) => {
                let integer = self.integer(function, value);
                for distance in (0..size).step_by(align as usize) {
                    let count = integer_constant(function, integer, distance * 8);
                    let piece = match distance {
                        0 => integer,
                        _ => self.sequence.binary(function, BinaryOperator::ShiftRightUnsigned, integer, count),
                    };
                    let value = self.sequence.cast(function, CastOperator::Truncate, piece, integer_type(align));
                    let pointer = self.address(function, base, memory, offset + distance, align);
                    self.sequence.effect(function, Operation::Store { pointer, value });
                }
            }
        }
    }

    /// Appends the contents of a part with some of its bytes replaced by a value.
    fn insert(&mut self, function: &mut Function, (pointer, part): (ValueId, Type), offset: u64, value: ValueId) -> ValueId {
        let old = self.sequence.value(function, Operation::Load(pointer), part);
        let old = self.integer(function, old);
        let wide = function.ty(old);
        let bits = function.ty(value).size() * 8;
        let shift = offset * 8;
        let field = (u128::MAX >> (128 - bits)) << shift;
        let mask = function.add_constant(Constant::integer(wide, !field as i128));
        let kept = self.sequence.binary(function, BinaryOperator::And, old, mask);
        let integer = self.integer(function, value);
        let mut placed = self.sequence.cast(function, CastOperator::ZeroExtend, integer, wide);
        if shift > 0 {
            let count = integer_constant(function, placed, shift);
            placed = self.sequence.binary(function, BinaryOperator::ShiftLeft, placed, count);
        }
        let combined = self.sequence.binary(function, BinaryOperator::Or, kept, placed);
        self.sequence.reinterpret(function, combined, part)
    }

    /// Appends the bits of a value as an integer of the same size.
    fn integer(&mut self, function: &mut Function, value: ValueId) -> ValueId {
        let size = function.ty(value).size();
        self.sequence.reinterpret(function, value, integer_type(size))
    }

    fn copy(&mut self, function: &mut Function, to: ValueId, from: ValueId, bytes: u64, align: u64) {
        let [to, from] = self.sides(to, from, bytes);
        let mut cuts = vec![0, bytes];
        for side in [to, from] {
            if let Side::Slot(slot, start) = side {
                let ends = self.divisions[slot].parts.iter().flat_map(|part: &Part| [part.start, part.end]);
                cuts.extend(ends.filter(|&end| end > start && end < start + bytes).map(|end| end - start));
            }
        }
        cuts.sort_unstable();
        cuts.dedup();
        for range in cuts.windows(2) {
            let (start, end) = (range[0], range[1]);
            // What is padding on either side carries no information.
            let (Some(target), Some(source)) = (self.bytes(to, start, align), self.bytes(from, start, align)) else { continue };
            self.copy_range(function, target, source, end - start);
        }
    }

    fn copy_range(&mut self, function: &mut Function, target: Bytes, source: Bytes, size: u64) {
        if let (Bytes::Memory(to, to_type, to_offset, to_align), Bytes::Memory(from, from_type, from_offset, from_align)) = (target, source)
        {
            let to = self.address(function, to, to_type, to_offset, size);
            let from = self.address(function, from, from_type, from_offset, size);
            self.sequence.effect(function, Operation::Copy { to, from, bytes: size, align: to_align.min(from_align) });
            return;
        }
        let whole = piece_type(target, size).or_else(|| piece_type(source, size));
        let pieces = if whole.is_some() { vec![(0, size)] } else { chunks(0, size, 8).collect() };
        for (start, end) in pieces {
            let ty = whole.unwrap_or_else(|| integer_type(end - start));
            let value = self.read(function, advance(source, start), ty);
            self.write(function, advance(target, start), value);
        }
    }

    /// The sides of a copy. Other memory is taken to have the type of the slot's bytes, so that addresses can be read.
    fn sides(&self, to: ValueId, from: ValueId, bytes: u64) -> [Side; 2] {
        let places = [to, from].map(|value| (value, self.place(value)));
        let slots = places.iter().filter_map(|(_, place)| *place);
        let ty = slots.clone().find_map(|place| layout::type_at(self.module, self.divisions[place.slot].ty, place.offset, bytes));
        places.map(|(value, place)| match place {
            Some(place) => Side::Slot(place.slot, place.offset),
            None => Side::Memory(value, ty),
        })
    }
}

/// The type of a part, if a piece of this size is all of it.
fn piece_type(bytes: Bytes, size: u64) -> Option<Type> {
    match bytes {
        Bytes::Scalar(_, ty, 0) if ty.size() == size => Some(ty),
        _ => None,
    }
}

fn advance(bytes: Bytes, distance: u64) -> Bytes {
    match bytes {
        Bytes::Scalar(pointer, ty, offset) => Bytes::Scalar(pointer, ty, offset + distance),
        Bytes::Memory(base, ty, offset, align) => Bytes::Memory(base, ty, offset + distance, alignment(align, distance)),
    }
}

/// The alignment of what stands `distance` bytes after something aligned to `align`.
fn alignment(align: u64, distance: u64) -> u64 {
    match distance {
        0 => align,
        _ => align.min(1 << distance.trailing_zeros()),
    }
}

fn integer_type(size: u64) -> Type {
    Type::integer(size as u32 * 8).expect("parts have the size of a scalar")
}

fn integer_constant(function: &mut Function, like: ValueId, value: u64) -> ValueId {
    let ty = function.ty(like);
    function.add_constant(Constant::integer(ty, value.into()))
}
