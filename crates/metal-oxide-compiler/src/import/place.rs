//! Places: from a local through fields, elements and dereferences to an address.

use metal_oxide_ir::{BinaryOperator, ValueId};
use rustc_abi::{FieldsShape, Size, VariantIdx};
use rustc_middle::mir::{self, PlaceTy, ProjectionElem};
use rustc_middle::ty::{self, Ty};

use super::body::{FunctionImporter, LocalValue};
use super::context::Import;
use super::unsupported::Reason;
use super::value::{Address, Place};

impl<'tcx> FunctionImporter<'_, 'tcx> {
    /// The address of a MIR place.
    pub fn place(&mut self, place: mir::PlaceRef<'tcx>) -> Import<Place<'tcx>> {
        let mut projections = place.projection;
        let mut current = match self.locals[place.local] {
            LocalValue::Place(place) => place,
            LocalValue::Operand(operand) if place.is_indirect_first_projection() => {
                projections = &projections[1..];
                self.dereference(operand)?
            }
            // The analysis of locals gives memory to every other local whose address is taken; only locals without bytes remain.
            LocalValue::Operand(operand) => self.spill(operand)?,
            LocalValue::Pending => {
                let layout = self.cx.layout(self.local_type(place.local))?;
                self.allocate(layout)?
            }
        };
        for &projection in projections {
            current = self.project(current, projection)?;
        }
        Ok(current)
    }

    fn project(&mut self, base: Place<'tcx>, projection: mir::PlaceElem<'tcx>) -> Import<Place<'tcx>> {
        match projection {
            ProjectionElem::Deref => {
                let pointer = self.load_operand(base)?;
                self.dereference(pointer)
            }
            ProjectionElem::Field(field, _) => self.project_field(base, field.index()),
            ProjectionElem::Downcast(_, variant) => Ok(self.project_downcast(base, variant)),
            ProjectionElem::Index(local) => {
                let index = self.consume(mir::Place::from(local).as_ref())?.value.scalar();
                self.project_index(base, index)
            }
            ProjectionElem::ConstantIndex { offset, from_end, .. } => {
                let mut index = self.word(offset);
                if from_end {
                    let length = self.length(base);
                    index = self.binary(BinaryOperator::Sub, length, index);
                }
                self.project_index(base, index)
            }
            ProjectionElem::Subslice { from, to, from_end } => self.project_subslice(base, projection, from, to, from_end),
            ProjectionElem::OpaqueCast(ty) | ProjectionElem::UnwrapUnsafeBinder(ty) => {
                let layout = self.cx.layout(self.monomorphize(ty))?;
                Ok(base.with_layout(layout))
            }
        }
    }

    /// A field of a place.
    pub fn project_field(&mut self, base: Place<'tcx>, index: usize) -> Import<Place<'tcx>> {
        let field = base.layout.field(&self.cx.layout_cx(), index);
        let offset = base.layout.fields.offset(index);
        let has_metadata = self.cx.tcx.type_has_metadata(field.ty, self.cx.typing_env());
        let extra = if has_metadata { base.address.extra } else { None };
        let sized_at_offset = field.is_sized() || matches!(field.ty.kind(), ty::Slice(_) | ty::Str) || offset.bytes() == 0;
        if !sized_at_offset {
            self.unsupported(Reason::TraitObject("a field whose place depends on its trait object"));
        }
        let pointer = self.field_pointer(base, field.ty, offset)?;
        Ok(Place { address: Address { pointer, extra, align: base.address.align.restrict_for_offset(offset) }, layout: field })
    }

    fn field_pointer(&mut self, base: Place<'tcx>, field: Ty<'tcx>, offset: Size) -> Import<ValueId> {
        if base.layout.is_sized() && !self.cx.layout(field).is_ok_and(|layout| layout.is_zst()) {
            let ty = self.cx.memory_type(base.layout)?;
            if let Some(position) = self.cx.field_position(ty, offset) {
                return Ok(self.field_address(base.address.pointer, ty, position));
            }
        }
        Ok(self.offset_by(base.address.pointer, offset.bytes()))
    }

    /// The place seen as a variant of its enum.
    pub fn project_downcast(&self, base: Place<'tcx>, variant: VariantIdx) -> Place<'tcx> {
        base.with_layout(base.layout.for_variant(&self.cx.layout_cx(), variant))
    }

    /// An element of an array or slice.
    pub fn project_index(&mut self, base: Place<'tcx>, index: ValueId) -> Import<Place<'tcx>> {
        let element = base.layout.field(&self.cx.layout_cx(), 0);
        let pointer = if element.is_zst() {
            base.address.pointer
        } else {
            let ty = self.cx.memory_type(element)?;
            self.element_address(base.address.pointer, ty, index)
        };
        let align = base.address.align.restrict_for_offset(element.size);
        Ok(Place { address: Address { pointer, extra: None, align }, layout: element })
    }

    fn project_subslice(
        &mut self,
        base: Place<'tcx>,
        projection: mir::PlaceElem<'tcx>,
        from: u64,
        to: u64,
        from_end: bool,
    ) -> Import<Place<'tcx>> {
        let first = self.word(from);
        let start = self.project_index(base, first)?;
        let ty = PlaceTy::from_ty(base.layout.ty).projection_ty(self.cx.tcx, projection).ty;
        let layout = self.cx.layout(self.monomorphize(ty))?;
        let mut address = start.address;
        if layout.is_unsized() && from_end {
            let length = self.length(base);
            let cut = self.word(from + to);
            address.extra = Some(self.binary(BinaryOperator::Sub, length, cut));
        }
        Ok(Place { address, layout })
    }

    /// How many elements an array or slice has.
    pub fn length(&mut self, place: Place<'tcx>) -> ValueId {
        match (&place.layout.fields, place.address.extra) {
            (_, Some(length)) if place.layout.is_unsized() => length,
            (FieldsShape::Array { count, .. }, _) => self.word(*count),
            _ => self.word(0),
        }
    }
}
