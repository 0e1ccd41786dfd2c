//! Rust values and places as the importer holds them, and how they move between memory and scalars.

use metal_oxide_ir::{Operation, Type, ValueId};
use rustc_abi::{Align, Size};
use rustc_middle::ty::layout::TyAndLayout;

use super::body::FunctionImporter;
use super::context::Import;
use super::types::{Class, POINTER, class, scalar_type};

/// A Rust value. Which variant it is follows from its layout's [`Class`].
#[derive(Clone, Copy, Debug)]
pub enum Value {
    /// No bytes.
    ZeroSized,
    /// One scalar.
    Scalar(ValueId),
    /// Two scalars.
    Pair(ValueId, ValueId),
    /// The bytes at an address.
    Memory(Address),
}

/// Where something stands.
#[derive(Clone, Copy, Debug)]
pub struct Address {
    /// The pointer.
    pub pointer: ValueId,
    /// The length or vtable of something unsized.
    pub extra: Option<ValueId>,
    /// The alignment that is known.
    pub align: Align,
}

/// A value and its layout.
#[derive(Clone, Copy, Debug)]
pub struct Operand<'tcx> {
    /// The value.
    pub value: Value,
    /// Its layout.
    pub layout: TyAndLayout<'tcx>,
}

/// A place and the layout of what it holds.
#[derive(Clone, Copy, Debug)]
pub struct Place<'tcx> {
    /// Where it is.
    pub address: Address,
    /// What it holds.
    pub layout: TyAndLayout<'tcx>,
}

impl Value {
    /// The one scalar of a value that is one.
    ///
    /// # Panics
    /// If the value's layout is not a scalar's; rustc has checked the types by now.
    pub fn scalar(self) -> ValueId {
        match self {
            Value::Scalar(value) => value,
            other => panic!("not a scalar: {other:?}"),
        }
    }

    /// The address and the metadata of a pointer.
    ///
    /// # Panics
    /// If the value is not a pointer.
    pub fn pointer_parts(self) -> (ValueId, Option<ValueId>) {
        match self {
            Value::Scalar(pointer) => (pointer, None),
            Value::Pair(pointer, extra) => (pointer, Some(extra)),
            other => panic!("not a pointer: {other:?}"),
        }
    }
}

impl<'tcx> Place<'tcx> {
    /// A sized place, aligned as its type asks.
    pub fn new(pointer: ValueId, layout: TyAndLayout<'tcx>) -> Self {
        Place { address: Address { pointer, extra: None, align: layout.align.abi }, layout }
    }

    /// The same place with another type.
    pub fn with_layout(self, layout: TyAndLayout<'tcx>) -> Self {
        Place { layout, ..self }
    }

    /// The pointer to the place.
    pub fn reference(self) -> Value {
        match self.address.extra {
            Some(extra) => Value::Pair(self.address.pointer, extra),
            None => Value::Scalar(self.address.pointer),
        }
    }
}

impl<'tcx> FunctionImporter<'_, 'tcx> {
    /// How values of a layout are held.
    pub fn class(&self, layout: TyAndLayout<'tcx>) -> Class {
        class(self.cx, layout)
    }

    /// Fresh memory for a value.
    pub fn allocate(&mut self, layout: TyAndLayout<'tcx>) -> Import<Place<'tcx>> {
        if layout.is_zst() {
            // Nothing is ever read or written there.
            let pointer = self.dangling(layout.align.abi.bytes());
            return Ok(Place::new(pointer, layout));
        }
        let ty = self.cx.memory_type(layout)?;
        let pointer = self.slot(ty);
        Ok(Place::new(pointer, layout))
    }

    /// The value in a place. Values that are held in memory are not copied.
    pub fn load_operand(&mut self, place: Place<'tcx>) -> Import<Operand<'tcx>> {
        let layout = place.layout;
        let value = match self.class(layout) {
            Class::ZeroSized => Value::ZeroSized,
            Class::Memory => Value::Memory(place.address),
            Class::Scalar(scalar) => Value::Scalar(self.load_scalar(scalar_type(scalar), place.address)),
            Class::Pair(first, second, offset) => {
                let low = self.load_scalar(scalar_type(first), place.address);
                let high_address = self.part(place, offset)?;
                let high = self.load_scalar(scalar_type(second), high_address);
                Value::Pair(low, high)
            }
        };
        Ok(Operand { value, layout })
    }

    /// Puts a value into a place of its type.
    pub fn store_operand(&mut self, operand: Operand<'tcx>, place: Place<'tcx>) -> Import<()> {
        match operand.value {
            Value::ZeroSized => {}
            Value::Memory(from) => self.copy(place.address, from, place.layout.size.min(operand.layout.size)),
            Value::Scalar(value) => self.store_scalar(value, place.address),
            Value::Pair(low, high) => {
                self.store_scalar(low, place.address);
                let Class::Pair(_, _, offset) = self.class(operand.layout) else { return Ok(()) };
                let address = self.part(place, offset)?;
                self.store_scalar(high, address);
            }
        }
        Ok(())
    }

    /// The address of the second scalar of a pair.
    fn part(&mut self, place: Place<'tcx>, offset: Size) -> Import<Address> {
        let ty = self.cx.memory_type(place.layout)?;
        let pointer = match self.innermost_field(ty, offset) {
            Some(path) => path.into_iter().fold(place.address.pointer, |base, (ty, field)| self.field_address(base, ty, field)),
            None => self.offset_by(place.address.pointer, offset.bytes()),
        };
        Ok(Address { pointer, extra: None, align: place.address.align.restrict_for_offset(offset) })
    }

    /// The fields to go through to reach a scalar at an offset.
    fn innermost_field(&self, ty: metal_oxide_ir::TypeId, offset: Size) -> Option<Vec<(metal_oxide_ir::TypeId, u32)>> {
        use metal_oxide_ir::MemoryKind;
        let (mut ty, mut rest, mut path) = (ty, offset.bytes(), Vec::new());
        loop {
            match &self.cx.module.ty(ty).kind {
                MemoryKind::Scalar { .. } if rest == 0 => return Some(path),
                MemoryKind::Struct { fields } => {
                    let inside =
                        |field: &metal_oxide_ir::Field| field.offset <= rest && rest < field.offset + self.cx.module.ty(field.ty).size;
                    let position = fields.iter().position(inside)?;
                    path.push((ty, u32::try_from(position).ok()?));
                    rest -= fields[position].offset;
                    ty = fields[position].ty;
                }
                _ => return None,
            }
        }
    }

    /// Reads a scalar. At an address that is not aligned for it, the bytes are moved to one that is.
    pub fn load_scalar(&mut self, ty: Type, from: Address) -> ValueId {
        if from.align.bytes() >= ty.size() {
            return self.emit(Operation::Load(from.pointer), ty);
        }
        let memory = self.cx.scalar_memory_type(ty, false);
        let slot = self.slot(memory);
        self.effect(Operation::Copy { to: slot, from: from.pointer, bytes: ty.size(), align: from.align.bytes() });
        self.emit(Operation::Load(slot), ty)
    }

    /// Writes a scalar; see [`Self::load_scalar`].
    pub fn store_scalar(&mut self, value: ValueId, to: Address) {
        let ty = self.function.ty(value);
        if to.align.bytes() >= ty.size() {
            self.effect(Operation::Store { pointer: to.pointer, value });
            return;
        }
        let memory = self.cx.scalar_memory_type(ty, false);
        let slot = self.slot(memory);
        self.effect(Operation::Store { pointer: slot, value });
        self.effect(Operation::Copy { to: to.pointer, from: slot, bytes: ty.size(), align: to.align.bytes() });
    }

    /// Copies bytes between places that do not overlap.
    pub fn copy(&mut self, to: Address, from: Address, size: Size) {
        let align = to.align.min(from.align).bytes();
        self.effect(Operation::Copy { to: to.pointer, from: from.pointer, bytes: size.bytes(), align });
    }

    /// The value of a place that holds no meaningful bytes.
    pub fn undefined(&mut self, layout: TyAndLayout<'tcx>) -> Import<Operand<'tcx>> {
        let value = match self.class(layout) {
            Class::ZeroSized => Value::ZeroSized,
            Class::Scalar(scalar) => Value::Scalar(self.undef(scalar_type(scalar))),
            Class::Pair(first, second, _) => {
                let low = self.undef(scalar_type(first));
                Value::Pair(low, self.undef(scalar_type(second)))
            }
            Class::Memory => Value::Memory(self.allocate(layout)?.address),
        };
        Ok(Operand { value, layout })
    }

    /// The place a pointer points to.
    pub fn dereference(&mut self, operand: Operand<'tcx>) -> Import<Place<'tcx>> {
        let pointee = operand.layout.ty.builtin_deref(true).expect("only pointers are dereferenced");
        let layout = self.cx.layout(pointee)?;
        let (pointer, extra) = operand.value.pointer_parts();
        debug_assert_eq!(self.function.ty(pointer), POINTER);
        Ok(Place { address: Address { pointer, extra, align: layout.align.abi }, layout })
    }
}
