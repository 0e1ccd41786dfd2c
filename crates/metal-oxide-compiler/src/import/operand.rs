//! Operands: reading places and constants, and taking values apart and putting them together.

use metal_oxide_ir::{CastOperator, Type, ValueId};
use rustc_abi::{FieldIdx, FieldsShape, Scalar, Size, VariantIdx};
use rustc_middle::mir::{self, PlaceElem};
use rustc_middle::ty::layout::TyAndLayout;

use super::body::{FunctionImporter, LocalValue};
use super::context::Import;
use super::types::{Class, POINTER, primitive_type, scalar_type};
use super::value::{Operand, Place, Value};

impl<'tcx> FunctionImporter<'_, 'tcx> {
    /// The value of a MIR operand.
    pub fn operand(&mut self, operand: &mir::Operand<'tcx>) -> Import<Operand<'tcx>> {
        match operand {
            mir::Operand::Copy(place) | mir::Operand::Move(place) => self.consume(place.as_ref()),
            mir::Operand::Constant(constant) => self.constant(constant),
            mir::Operand::RuntimeChecks(checks) => {
                let layout = self.cx.layout(self.tcx().types.bool)?;
                let value = self.boolean(checks.value(self.tcx().sess));
                Ok(Operand { value: Value::Scalar(value), layout })
            }
        }
    }

    /// The value of a place.
    pub fn consume(&mut self, place: mir::PlaceRef<'tcx>) -> Import<Operand<'tcx>> {
        let layout = self.cx.layout(self.place_type(place))?;
        if layout.is_zst() {
            return Ok(Operand { value: Value::ZeroSized, layout });
        }
        if let Some(operand) = self.consume_value(place)? {
            return Ok(operand);
        }
        let place = self.place(place)?;
        self.load_operand(place)
    }

    /// A part of a local that is a value.
    fn consume_value(&mut self, place: mir::PlaceRef<'tcx>) -> Import<Option<Operand<'tcx>>> {
        let LocalValue::Operand(mut operand) = self.locals[place.local] else { return Ok(None) };
        for projection in place.projection {
            operand = match *projection {
                PlaceElem::Field(field, _) => self.extract_field(operand, field.index())?,
                PlaceElem::Downcast(_, variant) => Operand { layout: operand.layout.for_variant(&self.cx.layout_cx(), variant), ..operand },
                _ => return Ok(None),
            };
        }
        Ok(Some(operand))
    }

    /// A field of a value.
    pub fn extract_field(&mut self, operand: Operand<'tcx>, index: usize) -> Import<Operand<'tcx>> {
        let field = operand.layout.field(&self.cx.layout_cx(), index);
        let offset = operand.layout.fields.offset(index);
        if field.is_zst() {
            return Ok(Operand { value: Value::ZeroSized, layout: field });
        }
        if let Value::Memory(address) = operand.value {
            let place = self.project_field(Place { address, layout: operand.layout }, index)?;
            return self.load_operand(place);
        }
        if field.size == operand.layout.size {
            return self.transmute(operand, field);
        }
        let (value, from) = match (operand.value, self.class(operand.layout)) {
            (Value::Pair(low, _), Class::Pair(first, ..)) if offset == Size::ZERO => (low, first),
            (Value::Pair(_, high), Class::Pair(_, second, _)) => (high, second),
            _ => return self.through_memory(operand, |importer, place| importer.project_field(place, index)),
        };
        match self.class(field) {
            Class::Scalar(to) if from.size(&self.tcx()) == to.size(&self.tcx()) => {
                Ok(Operand { value: Value::Scalar(self.transmute_scalar(value, from, to)), layout: field })
            }
            _ => self.through_memory(operand, |importer, place| importer.project_field(place, index)),
        }
    }

    /// Reads a part of a value by way of memory.
    fn through_memory(
        &mut self,
        operand: Operand<'tcx>,
        part: impl FnOnce(&mut Self, Place<'tcx>) -> Import<Place<'tcx>>,
    ) -> Import<Operand<'tcx>> {
        let place = self.spill(operand)?;
        let place = part(self, place)?;
        self.load_operand(place)
    }

    /// The same bytes as a value of another layout. Sizes that differ are undefined behaviour in the source.
    pub fn transmute(&mut self, operand: Operand<'tcx>, layout: TyAndLayout<'tcx>) -> Import<Operand<'tcx>> {
        if operand.layout.layout == layout.layout {
            return Ok(Operand { value: operand.value, layout });
        }
        if operand.layout.size != layout.size || operand.layout.is_uninhabited() || layout.is_uninhabited() {
            self.terminate(metal_oxide_ir::Terminator::Unreachable);
            self.go_on_unreached();
            return self.undefined(layout);
        }
        let size = |scalar: Scalar| scalar.size(&self.cx.tcx);
        let value = match (operand.value, self.class(operand.layout), self.class(layout)) {
            (_, _, Class::ZeroSized) => Value::ZeroSized,
            (Value::Scalar(value), Class::Scalar(from), Class::Scalar(to)) if size(from) == size(to) => {
                Value::Scalar(self.transmute_scalar(value, from, to))
            }
            (Value::Pair(low, high), Class::Pair(from_low, from_high, from_offset), Class::Pair(to_low, to_high, to_offset))
                if size(from_low) == size(to_low) && size(from_high) == size(to_high) && from_offset == to_offset =>
            {
                let low = self.transmute_scalar(low, from_low, to_low);
                Value::Pair(low, self.transmute_scalar(high, from_high, to_high))
            }
            (Value::Memory(address), ..) => return self.load_operand(Place { address, layout }),
            _ => {
                // Memory of the stricter alignment that both can be seen in.
                let (allocated, other) =
                    if operand.layout.align.abi >= layout.align.abi { (operand.layout, layout) } else { (layout, operand.layout) };
                debug_assert_eq!(allocated.size, other.size);
                let place = self.allocate(allocated)?;
                self.store_operand(operand, place.with_layout(operand.layout))?;
                return self.load_operand(place.with_layout(layout));
            }
        };
        Ok(Operand { value, layout })
    }

    /// The same bits as another scalar of the same size.
    pub fn transmute_scalar(&mut self, value: ValueId, from: Scalar, to: Scalar) -> ValueId {
        let bits = self.byte_of_bool(value, primitive_type(from.primitive()));
        let same = self.bits_as(bits, primitive_type(to.primitive()));
        self.bool_of_byte(same, scalar_type(to))
    }

    /// A `bool` as the byte that it is in memory.
    fn byte_of_bool(&mut self, value: ValueId, ty: Type) -> ValueId {
        if self.function.ty(value) == Type::Bool { self.cast(CastOperator::ZeroExtend, value, ty) } else { value }
    }

    fn bool_of_byte(&mut self, value: ValueId, ty: Type) -> ValueId {
        if ty == Type::Bool { self.cast(CastOperator::Truncate, value, ty) } else { value }
    }

    /// The same bits as another type of the same size, neither being `bool`.
    fn bits_as(&mut self, value: ValueId, ty: Type) -> ValueId {
        let from = self.function.ty(value);
        match (from.is_pointer(), ty.is_pointer()) {
            (true, true) => value,
            (true, false) => {
                let bits = self.address_bits(value);
                if ty == Type::I64 { bits } else { self.cast(CastOperator::Bitcast, bits, ty) }
            }
            (false, true) => {
                let bits = if from == Type::I64 { value } else { self.cast(CastOperator::Bitcast, value, Type::I64) };
                self.integer_to_pointer(bits)
            }
            (false, false) => self.cast(CastOperator::Bitcast, value, ty),
        }
    }

    /// A number as an address; constants stay constants.
    pub fn integer_to_pointer(&mut self, bits: ValueId) -> ValueId {
        match self.known(bits) {
            Some(bits) => self.function.add_constant(metal_oxide_ir::Constant::Bits { ty: POINTER, bits }),
            None => self.cast(CastOperator::IntegerToPointer, bits, POINTER),
        }
    }
}

/// A value of scalars that is put together field by field.
pub struct OperandBuilder<'tcx> {
    layout: TyAndLayout<'tcx>,
    parts: Vec<(Scalar, Option<ValueId>)>,
}

impl<'tcx> OperandBuilder<'tcx> {
    /// Nothing yet of a value that is not held in memory.
    pub fn new(importer: &FunctionImporter<'_, 'tcx>, layout: TyAndLayout<'tcx>) -> Self {
        let parts = match importer.class(layout) {
            Class::Scalar(scalar) => vec![(scalar, None)],
            Class::Pair(first, second, _) => vec![(first, None), (second, None)],
            Class::ZeroSized | Class::Memory => Vec::new(),
        };
        OperandBuilder { layout, parts }
    }

    /// Sets a field of a variant.
    pub fn set(&mut self, importer: &mut FunctionImporter<'_, 'tcx>, variant: VariantIdx, field: FieldIdx, operand: Operand<'tcx>) {
        if matches!(operand.value, Value::ZeroSized) {
            return;
        }
        let offset = match self.layout.fields {
            FieldsShape::Primitive => Size::ZERO,
            _ => self.layout.for_variant(&importer.cx.layout_cx(), variant).fields.offset(field.index()),
        };
        match (operand.value, importer.class(operand.layout)) {
            (Value::Scalar(value), Class::Scalar(from)) => {
                let index = self.index_at(offset);
                self.put(importer, index, value, from);
            }
            (Value::Pair(low, high), Class::Pair(first, second, _)) => {
                self.put(importer, 0, low, first);
                self.put(importer, 1, high, second);
            }
            _ => {}
        }
    }

    /// Sets the scalar at an offset of the type itself, such as an enum's tag.
    pub fn set_scalar(&mut self, offset: Size, value: ValueId) {
        let index = self.index_at(offset);
        if let Some(part) = self.parts.get_mut(index) {
            part.1 = Some(value);
        }
    }

    /// The value; what was not set is undefined.
    pub fn build(self, importer: &mut FunctionImporter<'_, 'tcx>) -> Operand<'tcx> {
        let mut values = self.parts.into_iter().map(|(scalar, value)| value.unwrap_or_else(|| importer.undef(scalar_type(scalar))));
        let value = match (values.next(), values.next()) {
            (None, _) => Value::ZeroSized,
            (Some(value), None) => Value::Scalar(value),
            (Some(low), Some(high)) => Value::Pair(low, high),
        };
        Operand { value, layout: self.layout }
    }

    fn index_at(&self, offset: Size) -> usize {
        if offset == Size::ZERO || self.parts.len() < 2 { 0 } else { 1 }
    }

    fn put(&mut self, importer: &mut FunctionImporter<'_, 'tcx>, index: usize, value: ValueId, from: Scalar) {
        if let Some((to, part)) = self.parts.get_mut(index) {
            // The field of `Result<usize, *const ()>` may be an integer where the enum's scalar is a pointer.
            *part = Some(importer.transmute_scalar(value, from, *to));
        }
    }
}
