//! Enums: writing and reading the tag that tells variants apart, in every encoding that rustc's layouts use.

use metal_oxide_ir::{BinaryOperator, CompareOperator, Operation, Type, ValueId};
use rustc_abi::{FIRST_VARIANT, FieldIdx, Primitive, TagEncoding, VariantIdx, Variants};
use rustc_middle::ty::layout::TyAndLayout;

use super::body::FunctionImporter;
use super::context::Import;
use super::types::{Class, POINTER, scalar_type};
use super::value::{Operand, Place, Value};

impl<'tcx> FunctionImporter<'_, 'tcx> {
    /// The field and the value that say that an enum is this variant, if anything must say so. It is an error to make a variant
    /// that no value can have.
    pub fn tag_value(&mut self, layout: TyAndLayout<'tcx>, variant: VariantIdx) -> Result<Option<(FieldIdx, ValueId)>, ()> {
        if layout.for_variant(&self.cx.layout_cx(), variant).is_uninhabited() {
            return Err(());
        }
        let Variants::Multiple { tag_encoding, tag_field, tag, .. } = &layout.variants else { return Ok(None) };
        let bits = match *tag_encoding {
            TagEncoding::Direct => {
                let Some(discriminant) = layout.ty.discriminant_for_variant(self.tcx(), variant) else { return Ok(None) };
                discriminant.val
            }
            TagEncoding::Niche { untagged_variant, .. } if variant == untagged_variant => return Ok(None),
            TagEncoding::Niche { ref niche_variants, niche_start, .. } => {
                let index = u128::from(variant.as_u32() - niche_variants.start().as_u32());
                index.wrapping_add(niche_start)
            }
        };
        let bits = bits & tag.size(&self.tcx()).unsigned_int_max();
        let value = match scalar_type(*tag) {
            Type::Pointer(_) => self.function.add_constant(metal_oxide_ir::Constant::Bits { ty: POINTER, bits }),
            ty => self.integer(ty, bits),
        };
        Ok(Some((*tag_field, value)))
    }

    /// Makes the enum in a place this variant, as far as its tag says so.
    pub fn store_tag(&mut self, place: Place<'tcx>, variant: VariantIdx) -> Import<()> {
        match self.tag_value(place.layout, variant) {
            Ok(Some((field, value))) => {
                let target = self.project_field(place, field.index())?;
                self.store_scalar(value, target.address);
            }
            Ok(None) => {}
            Err(()) => {
                self.terminate(metal_oxide_ir::Terminator::Unreachable);
                self.go_on_unreached();
            }
        }
        Ok(())
    }

    /// The discriminant of an enum as an integer of the layout's type.
    pub fn discriminant(&mut self, operand: Operand<'tcx>, target: TyAndLayout<'tcx>) -> Import<ValueId> {
        let ty = match self.class(target) {
            Class::Scalar(scalar) => scalar_type(scalar),
            _ => Type::I64,
        };
        if operand.layout.is_uninhabited() {
            return Ok(self.undef(ty));
        }
        let (tag_scalar, encoding, field) = match &operand.layout.variants {
            Variants::Empty => return Ok(self.undef(ty)),
            Variants::Single { index } => {
                let discriminant = operand.layout.ty.discriminant_for_variant(self.tcx(), *index);
                debug_assert!(discriminant.is_some() || *index == FIRST_VARIANT);
                return Ok(self.integer(ty, discriminant.map_or(0, |discriminant| discriminant.val)));
            }
            Variants::Multiple { tag, tag_encoding, tag_field, .. } => (*tag, tag_encoding.clone(), *tag_field),
        };
        let tag = match operand.value {
            Value::Memory(address) => {
                let place = self.project_field(Place { address, layout: operand.layout }, field.index())?;
                self.load_operand(place)?
            }
            _ => self.extract_field(operand, field.index())?,
        };
        let tag = tag.value.scalar();
        match encoding {
            TagEncoding::Direct => {
                let signed = matches!(tag_scalar.primitive(), Primitive::Int(_, true)) && !tag_scalar.is_bool();
                Ok(self.integer_cast(tag, ty, signed))
            }
            TagEncoding::Niche { untagged_variant, niche_variants, niche_start } => {
                let tag = match self.function.ty(tag) {
                    Type::Pointer(_) => self.address_bits(tag),
                    Type::Bool => self.integer_cast(tag, Type::I8, false),
                    _ => tag,
                };
                let niche =
                    Niche { untagged: untagged_variant, first: *niche_variants.start(), last: *niche_variants.end(), start: niche_start };
                Ok(self.niche_discriminant(tag, &niche, ty))
            }
        }
    }

    /// The variant that a tag in a niche stands for: a value in the niche, or the one variant whose data the tag belongs to.
    fn niche_discriminant(&mut self, tag: ValueId, niche: &Niche, ty: Type) -> ValueId {
        let tag_ty = self.function.ty(tag);
        let start = self.integer(tag_ty, niche.start);
        let untagged = self.integer(ty, niche.untagged.as_u32().into());
        let first = self.integer(ty, niche.first.as_u32().into());
        if niche.first == niche.last {
            let is_niche = self.compare(CompareOperator::Equal, tag, start);
            return self.select(is_niche, first, untagged);
        }
        if (niche.first..=niche.last).contains(&niche.untagged) {
            // The niche has no value for the variant that needs none.
            let distance = u128::from(niche.untagged.as_u32() - niche.first.as_u32());
            let impossible = self.integer(tag_ty, niche.start.wrapping_add(distance));
            let possible = self.compare(CompareOperator::NotEqual, tag, impossible);
            self.effect(Operation::Assume(possible));
        }
        let relative = self.binary(BinaryOperator::Sub, tag, start);
        let count = self.integer(tag_ty, u128::from(niche.last.as_u32() - niche.first.as_u32()));
        let is_niche = self.compare(CompareOperator::LessEqualUnsigned, relative, count);
        let index = self.integer_cast(relative, ty, false);
        let variant = if niche.first.as_u32() == 0 { index } else { self.binary(BinaryOperator::Add, index, first) };
        self.select(is_niche, variant, untagged)
    }
}

/// How a niche tells variants apart.
struct Niche {
    untagged: VariantIdx,
    first: VariantIdx,
    last: VariantIdx,
    start: u128,
}
