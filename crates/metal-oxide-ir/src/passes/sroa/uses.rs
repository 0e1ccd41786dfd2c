//! Follows the addresses of slots through a function and lists how their bytes are accessed.
//! An address that is used in any way that is not understood keeps the slot whole.

use std::collections::HashMap;

use super::partition::{CopiedRange, Division, Part};
use crate::analysis::ControlFlow;
use crate::passes::layout;
use crate::{CastOperator, Function, InstructionId, MemoryKind, Module, Operation, Type, TypeId, ValueId};

/// An address at a constant distance from the start of a slot.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    pub slot: usize,
    pub offset: u64,
    /// The array that the address was taken of, if it was; arithmetic stays inside.
    array: Option<(u64, u64)>,
}

impl Place {
    /// Where the bytes start that arithmetic on the address may reach.
    pub fn reach_start(self) -> u64 {
        self.array.map_or(0, |(start, _)| start)
    }
}

/// The slots of a function and the addresses into them.
pub(super) struct Uses {
    /// The instruction of each slot, and whether all uses of the slot are loads and stores of its address.
    pub slots: Vec<(InstructionId, bool)>,
    pub places: HashMap<ValueId, Place>,
    accesses: Vec<Vec<Part>>,
    copies: Vec<CopiedRange>,
    types: Vec<TypeId>,
}

impl Uses {
    /// Visits definitions before uses.
    pub fn collect(function: &Function, module: &Module) -> Self {
        let flow = ControlFlow::new(function);
        let mut uses = Uses { slots: Vec::new(), places: HashMap::new(), accesses: Vec::new(), copies: Vec::new(), types: Vec::new() };
        let slot_instructions = flow.reverse_postorder().iter().flat_map(|&block| &function.block(block).instructions);
        for &id in slot_instructions {
            if let (&Operation::Slot(ty), Some(pointer)) = (&function.instruction(id).operation, function.instruction(id).result) {
                uses.places.insert(pointer, Place { slot: uses.slots.len(), offset: 0, array: None });
                uses.slots.push((id, true));
                uses.accesses.push(Vec::new());
                uses.types.push(ty);
            }
        }
        if uses.slots.is_empty() {
            return uses;
        }
        for &block in flow.reverse_postorder() {
            for &id in &function.block(block).instructions {
                uses.visit(function, module, id);
            }
            function.block(block).terminator.operands(|value| uses.escape(module, value));
        }
        uses
    }

    /// The divisions of the slots that the accesses ask for, and the copies between slots.
    pub fn divisions(&mut self, module: &Module) -> (Vec<Division>, Vec<CopiedRange>) {
        let accesses = std::mem::take(&mut self.accesses);
        let divisions =
            accesses.into_iter().zip(&self.types).map(|(accesses, &ty)| Division::new(ty, module.ty(ty).size, accesses)).collect();
        (divisions, std::mem::take(&mut self.copies))
    }

    fn visit(&mut self, function: &Function, module: &Module, id: InstructionId) {
        let instruction = function.instruction(id);
        match instruction.operation {
            Operation::Slot(_) => {}
            Operation::Load(pointer) => {
                if let Some(result) = instruction.result {
                    self.access(function, module, pointer, function.ty(result));
                }
            }
            Operation::Store { pointer, value } => {
                self.access(function, module, pointer, function.ty(value));
                self.escape(module, value);
            }
            Operation::Copy { to, from, bytes, .. } => {
                let sides = [to, from].map(|pointer| self.places.get(&pointer).copied());
                for place in sides.iter().flatten() {
                    self.slots[place.slot].1 = false;
                    if place.offset + bytes > module.ty(self.types[place.slot]).size {
                        self.keep_whole(module, place.slot);
                    }
                }
                if bytes > 0 && sides.iter().any(Option::is_some) {
                    self.copies.push(CopiedRange { sides: sides.map(|place| place.map(|place| (place.slot, place.offset))), bytes });
                }
            }
            Operation::Element { base, .. } | Operation::Field { base, .. } | Operation::Offset { base, .. } => {
                instruction.operation.operands(|operand| {
                    if operand != base {
                        self.escape(module, operand);
                    }
                });
                if let (Some(&place), Some(result)) = (self.places.get(&base), instruction.result) {
                    self.step(function, module, place, &instruction.operation, result);
                }
            }
            Operation::Cast(CastOperator::Space, base) => {
                if let (Some(&place), Some(result)) = (self.places.get(&base), instruction.result) {
                    self.slots[place.slot].1 = false;
                    self.places.insert(result, place);
                }
            }
            ref other => other.operands(|operand| self.escape(module, operand)),
        }
    }

    fn access(&mut self, function: &Function, module: &Module, pointer: ValueId, ty: Type) {
        let Some(&place) = self.places.get(&pointer) else { return };
        let end = place.offset + ty.size();
        if end > module.ty(self.types[place.slot]).size {
            self.keep_whole(module, place.slot);
            return;
        }
        let direct = function.instruction(self.slots[place.slot].0).result == Some(pointer);
        self.slots[place.slot].1 &= direct;
        self.accesses[place.slot].push(Part { start: place.offset, end, memory: false, types: vec![(ty, 1)] });
    }

    /// An address computed from one that is known.
    fn step(&mut self, function: &Function, module: &Module, place: Place, operation: &Operation, result: ValueId) {
        let size = module.ty(self.types[place.slot]).size;
        self.slots[place.slot].1 = false;
        let distance = layout::constant_distance(function, module, operation);
        let offset = distance.and_then(|distance| place.offset.checked_add_signed(distance)).filter(|&offset| offset <= size);
        match offset {
            Some(offset) => {
                let entered = match operation {
                    &Operation::Field { ty, field, .. } if place.array.is_none() => array_field(module, ty, field, offset),
                    // Fields of enums and of unsized records are reached by a distance in bytes.
                    Operation::Offset { .. } if place.array.is_none() => layout::array_at(module, self.types[place.slot], offset),
                    _ => None,
                };
                self.places.insert(result, Place { slot: place.slot, offset, array: place.array.or(entered) });
            }
            None => {
                let (start, end) = place.array.filter(|&(_, end)| distance.is_none() && end <= size).unwrap_or((0, size));
                self.accesses[place.slot].push(Part { start, end, memory: true, types: Vec::new() });
            }
        }
    }

    fn escape(&mut self, module: &Module, value: ValueId) {
        if let Some(&place) = self.places.get(&value) {
            self.keep_whole(module, place.slot);
        }
    }

    fn keep_whole(&mut self, module: &Module, slot: usize) {
        let end = module.ty(self.types[slot]).size;
        self.slots[slot].1 = false;
        self.accesses[slot].push(Part { start: 0, end, memory: true, types: Vec::new() });
    }
}

/// The bytes of a field that is an array. The address of an array field only leads to that array: see the crate documentation.
fn array_field(module: &Module, ty: TypeId, field: u32, offset: u64) -> Option<(u64, u64)> {
    let MemoryKind::Struct { fields } = &module.ty(ty).kind else { return None };
    let array = module.ty(fields.get(field as usize)?.ty);
    matches!(array.kind, MemoryKind::Array { .. }).then_some((offset, offset + array.size))
}
