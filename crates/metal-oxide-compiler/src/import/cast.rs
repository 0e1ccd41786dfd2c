//! Casts: numbers, pointers, and coercions to slices.

use metal_oxide_ir::{CastOperator, Type, ValueId};
use rustc_abi::{Float, Primitive, Scalar};
use rustc_middle::mir::CastKind;
use rustc_middle::ty::adjustment::PointerCoercion;
use rustc_middle::ty::layout::TyAndLayout;
use rustc_middle::ty::{self, Ty};

use super::body::FunctionImporter;
use super::context::Import;
use super::types::{Class, scalar_type};
use super::unsupported::Reason;
use super::value::{Operand, Value};

impl<'tcx> FunctionImporter<'_, 'tcx> {
    /// A value cast to another type.
    pub fn cast_operand(&mut self, kind: CastKind, operand: Operand<'tcx>, layout: TyAndLayout<'tcx>) -> Import<Operand<'tcx>> {
        let value = match kind {
            CastKind::Transmute | CastKind::Subtype => return self.transmute(operand, layout),
            CastKind::PointerCoercion(PointerCoercion::Unsize, _) => return self.unsize_pointer(operand, layout),
            CastKind::PointerCoercion(PointerCoercion::ReifyFnPointer(_) | PointerCoercion::ClosureFnPointer(_), _) => {
                // Only calling or comparing a function pointer is an error; message formatting makes many that nobody calls.
                Value::Scalar(self.dangling(1))
            }
            CastKind::PointerCoercion(..) => operand.value,
            CastKind::PointerExposeProvenance => {
                if operand.layout.ty.is_fn_ptr() {
                    self.unsupported(Reason::FunctionPointer("the address of a function"));
                }
                let bits = self.address_bits(operand.value.pointer_parts().0);
                let target = scalar_of(self.class(layout)).map_or(Type::I64, scalar_type);
                Value::Scalar(self.integer_cast(bits, target, false))
            }
            CastKind::PtrToPtr if matches!(operand.value, Value::Pair(..)) => match self.class(layout) {
                Class::Pair(..) => operand.value,
                _ => Value::Scalar(operand.value.pointer_parts().0),
            },
            CastKind::IntToInt
            | CastKind::FloatToInt
            | CastKind::FloatToFloat
            | CastKind::IntToFloat
            | CastKind::PtrToPtr
            | CastKind::FnPtrToPtr
            | CastKind::PointerWithExposedProvenance => {
                let (Some(from), Some(to)) = (scalar_of(self.class(operand.layout)), scalar_of(self.class(layout))) else {
                    return self.undefined(layout);
                };
                Value::Scalar(self.cast_scalar(operand.value.scalar(), from, to))
            }
        };
        Ok(Operand { value, layout })
    }

    fn cast_scalar(&mut self, value: ValueId, from: Scalar, to: Scalar) -> ValueId {
        let target = scalar_type(to);
        let quadruple = |scalar: Scalar| scalar.primitive() == Primitive::Float(Float::F128);
        if quadruple(from) || quadruple(to) {
            self.unsupported(Reason::Float128);
            return self.undef(target);
        }
        match (from.primitive(), to.primitive()) {
            (Primitive::Int(_, signed), Primitive::Int(..)) => self.integer_cast(value, target, signed),
            (Primitive::Int(_, signed), Primitive::Float(_)) => {
                let value = if self.function.ty(value) == Type::Bool { self.integer_cast(value, Type::I8, false) } else { value };
                let operator = if signed { CastOperator::SignedToFloat } else { CastOperator::UnsignedToFloat };
                self.cast(operator, value, target)
            }
            (Primitive::Float(_), Primitive::Float(_)) => self.cast(CastOperator::FloatToFloat, value, target),
            (Primitive::Float(_), Primitive::Int(_, signed)) => {
                let operator = if signed { CastOperator::FloatToSigned } else { CastOperator::FloatToUnsigned };
                self.cast(operator, value, target)
            }
            (Primitive::Pointer(_), Primitive::Pointer(_)) => value,
            (Primitive::Int(_, signed), Primitive::Pointer(_)) => {
                let bits = self.integer_cast(value, Type::I64, signed);
                self.integer_to_pointer(bits)
            }
            // rustc has no such cast.
            (Primitive::Pointer(_), _) | (Primitive::Float(_), Primitive::Pointer(_)) => self.undef(target),
        }
    }

    /// A pointer to an array as one to a slice, or a pointer to something as one to a trait object.
    pub fn unsize_pointer(&mut self, operand: Operand<'tcx>, layout: TyAndLayout<'tcx>) -> Import<Operand<'tcx>> {
        let (pointer, extra) = operand.value.pointer_parts();
        let extra = self.unsized_metadata(operand.layout.ty, layout.ty, extra)?;
        Ok(Operand { value: Value::Pair(pointer, extra), layout })
    }

    fn unsized_metadata(&mut self, from: Ty<'tcx>, to: Ty<'tcx>, known: Option<ValueId>) -> Import<ValueId> {
        match (from.kind(), to.kind()) {
            (ty::Pat(from, _), ty::Pat(to, _)) => self.unsized_metadata(*from, *to, known),
            (ty::Adt(from_adt, _), ty::Adt(to_adt, _)) if from_adt == to_adt && from != to => {
                // The one field that has bytes is the pointer.
                let (from, to) = (self.cx.layout(from)?, self.cx.layout(to)?);
                let cx = self.cx.layout_cx();
                let mut fields = (0..from.fields.count()).map(|index| (from.field(&cx, index), to.field(&cx, index)));
                match fields.find(|(from, _)| !from.is_1zst()) {
                    Some((from, to)) => self.unsized_metadata(from.ty, to.ty, known),
                    None => Ok(self.word(0)),
                }
            }
            _ => {
                let pointee = |ty: Ty<'tcx>| ty.builtin_deref(true).unwrap_or(ty);
                self.pointee_metadata(pointee(from), pointee(to), known)
            }
        }
    }

    fn pointee_metadata(&mut self, from: Ty<'tcx>, to: Ty<'tcx>, known: Option<ValueId>) -> Import<ValueId> {
        let (from, to) = self.tcx().struct_lockstep_tails_for_codegen(from, to, self.cx.typing_env());
        match (from.kind(), to.kind()) {
            (ty::Array(_, count), ty::Slice(_)) => {
                let count = count.try_to_target_usize(self.tcx()).unwrap_or(0);
                Ok(self.word(count))
            }
            // A table of functions; calling one of them is an error, passing the table around is not.
            _ => Ok(known.unwrap_or_else(|| {
                let address = self.cx.table_address(from);
                self.dangling(address)
            })),
        }
    }
}

fn scalar_of(class: Class) -> Option<Scalar> {
    match class {
        Class::Scalar(scalar) => Some(scalar),
        _ => None,
    }
}
