//! The right-hand sides of assignments.

use metal_oxide_ir::{CompareOperator, UnaryOperator, ValueId};
use rustc_abi::FIRST_VARIANT;
use rustc_middle::mir::{self, AggregateKind, BinOp, CastKind, Rvalue, UnOp};
use rustc_middle::ty::adjustment::PointerCoercion;
use rustc_middle::ty::{self, Ty, TyCtxt};

use super::body::FunctionImporter;
use super::context::Import;
use super::operand::OperandBuilder;
use super::types::Class;
use super::unsupported::Reason;
use super::value::{Operand, Place, Value};

/// Arrays up to this length are filled by one store for each element.
const UNROLLED_ELEMENTS: u64 = 8;

impl<'tcx> FunctionImporter<'_, 'tcx> {
    /// Evaluates a right-hand side into a place.
    pub fn rvalue_into(&mut self, place: Place<'tcx>, rvalue: &Rvalue<'tcx>) -> Import<()> {
        match rvalue {
            Rvalue::Use(operand) => {
                if self.is_uninitialised(operand)? {
                    return Ok(());
                }
                let operand = self.operand(operand)?;
                self.store_operand(operand, place)
            }
            Rvalue::Repeat(element, _) => {
                if place.layout.is_zst() || self.is_uninitialised(element)? {
                    return Ok(());
                }
                let element = self.operand(element)?;
                self.repeat(element, place)
            }
            Rvalue::Aggregate(kind, operands) if !matches!(**kind, AggregateKind::RawPtr(..)) => self.aggregate_into(place, kind, operands),
            Rvalue::Cast(CastKind::Transmute | CastKind::Subtype, operand, _) => {
                let operand = self.operand(operand)?;
                if operand.layout.size != place.layout.size || operand.layout.is_uninhabited() || place.layout.is_uninhabited() {
                    self.terminate(metal_oxide_ir::Terminator::Unreachable);
                    self.go_on_unreached();
                    return Ok(());
                }
                self.store_operand(operand, place.with_layout(operand.layout))
            }
            Rvalue::Cast(CastKind::PointerCoercion(PointerCoercion::Unsize, _), operand, _)
                if !matches!(self.class(place.layout), Class::Pair(..)) =>
            {
                let operand = self.operand(operand)?;
                self.unsize_struct(operand, place)
            }
            _ => {
                let operand = self.rvalue(rvalue)?;
                self.store_operand(operand, place)
            }
        }
    }

    /// The value of a right-hand side.
    pub fn rvalue(&mut self, rvalue: &Rvalue<'tcx>) -> Import<Operand<'tcx>> {
        match rvalue {
            Rvalue::Use(operand) => self.operand(operand),
            Rvalue::Cast(kind, operand, ty) => {
                let operand = self.operand(operand)?;
                let layout = self.cx.layout(self.monomorphize(*ty))?;
                self.cast_operand(*kind, operand, layout)
            }
            Rvalue::Ref(_, kind, place) => {
                let mutability = kind.to_mutbl_lossy();
                self.reference(*place, |tcx, ty| Ty::new_ref(tcx, tcx.lifetimes.re_erased, ty, mutability))
            }
            Rvalue::RawPtr(kind, place) => {
                let mutability = kind.to_mutbl_lossy();
                self.reference(*place, |tcx, ty| Ty::new_ptr(tcx, ty, mutability))
            }
            Rvalue::BinaryOp(operator, operands) => {
                let (left, right) = (self.operand(&operands.0)?, self.operand(&operands.1)?);
                self.binary_operation(*operator, left, right)
            }
            Rvalue::UnaryOp(operator, operand) => {
                let operand = self.operand(operand)?;
                self.unary_operation(*operator, operand)
            }
            Rvalue::Discriminant(place) => {
                let layout = self.cx.layout(self.monomorphize(rvalue.ty(self.body, self.tcx())))?;
                let operand = self.consume(place.as_ref())?;
                let value = self.discriminant(operand, layout)?;
                Ok(Operand { value: Value::Scalar(value), layout })
            }
            Rvalue::Aggregate(kind, operands) => self.aggregate(rvalue, kind, operands),
            Rvalue::Repeat(..) => {
                // Only arrays without bytes are values.
                let layout = self.cx.layout(self.monomorphize(rvalue.ty(self.body, self.tcx())))?;
                Ok(Operand { value: Value::ZeroSized, layout })
            }
            Rvalue::CopyForDeref(place) => self.consume(place.as_ref()),
            Rvalue::WrapUnsafeBinder(operand, ty) => {
                let operand = self.operand(operand)?;
                let layout = self.cx.layout(self.monomorphize(*ty))?;
                Ok(Operand { layout, ..operand })
            }
            Rvalue::ThreadLocalRef(_) => {
                self.unsupported(Reason::ThreadLocal);
                let layout = self.cx.layout(self.monomorphize(rvalue.ty(self.body, self.tcx())))?;
                self.undefined(layout)
            }
        }
    }

    fn reference(&mut self, place: mir::Place<'tcx>, pointer: impl FnOnce(TyCtxt<'tcx>, Ty<'tcx>) -> Ty<'tcx>) -> Import<Operand<'tcx>> {
        let place = self.place(place.as_ref())?;
        let layout = self.cx.layout(pointer(self.tcx(), place.layout.ty))?;
        let value = match self.class(layout) {
            Class::Pair(..) => place.reference(),
            _ => Value::Scalar(place.address.pointer),
        };
        Ok(Operand { value, layout })
    }

    fn unary_operation(&mut self, operator: UnOp, operand: Operand<'tcx>) -> Import<Operand<'tcx>> {
        let (value, layout) = match operator {
            UnOp::Not => (self.unary(UnaryOperator::Not, operand.value.scalar()), operand.layout),
            UnOp::Neg => {
                let float = operand.layout.ty.is_floating_point();
                (self.negate(operand.value.scalar(), float, operand.layout.ty)?, operand.layout)
            }
            UnOp::PtrMetadata => {
                return match operand.value {
                    Value::Pair(_, extra) => {
                        let layout = operand.layout.field(&self.cx.layout_cx(), 1);
                        Ok(Operand { value: Value::Scalar(extra), layout })
                    }
                    _ => Ok(Operand { value: Value::ZeroSized, layout: self.cx.layout(self.tcx().types.unit)? }),
                };
            }
        };
        Ok(Operand { value: Value::Scalar(value), layout })
    }

    fn binary_operation(&mut self, operator: BinOp, left: Operand<'tcx>, right: Operand<'tcx>) -> Import<Operand<'tcx>> {
        let tcx = self.tcx();
        if let Some(wrapping) = operator.overflowing_to_wrapping() {
            let (value, overflowed) = self.checked_arithmetic(wrapping, left.value.scalar(), right.value.scalar(), left.layout.ty)?;
            let ty = wrapping.ty(tcx, left.layout.ty, right.layout.ty);
            let layout = self.cx.layout(Ty::new_tup(tcx, &[ty, tcx.types.bool]))?;
            return Ok(Operand { value: Value::Pair(value, overflowed), layout });
        }
        let layout = self.cx.layout(operator.ty(tcx, left.layout.ty, right.layout.ty))?;
        let value = match (left.value, right.value) {
            (Value::Pair(left, left_extra), Value::Pair(right, right_extra)) => {
                self.compare_wide_pointers(operator, (left, left_extra), (right, right_extra))
            }
            (Value::Scalar(left_value), Value::Scalar(right_value)) => {
                self.scalar_operation(operator, left_value, right_value, left.layout.ty, right.layout.ty)?
            }
            // Only `()` and its like are left.
            _ => self.boolean(matches!(operator, BinOp::Eq | BinOp::Le | BinOp::Ge)),
        };
        Ok(Operand { value: Value::Scalar(value), layout })
    }

    /// Wide pointers compare by address, then by metadata.
    fn compare_wide_pointers(&mut self, operator: BinOp, left: (ValueId, ValueId), right: (ValueId, ValueId)) -> ValueId {
        use metal_oxide_ir::BinaryOperator::{And, Or};
        let (strict, last) = match operator {
            BinOp::Eq | BinOp::Ne => {
                let (comparison, joint) =
                    if operator == BinOp::Eq { (CompareOperator::Equal, And) } else { (CompareOperator::NotEqual, Or) };
                let addresses = self.compare(comparison, left.0, right.0);
                let extras = self.compare(comparison, left.1, right.1);
                return self.binary(joint, addresses, extras);
            }
            BinOp::Lt => (CompareOperator::LessUnsigned, CompareOperator::LessUnsigned),
            BinOp::Le => (CompareOperator::LessUnsigned, CompareOperator::LessEqualUnsigned),
            BinOp::Gt => (CompareOperator::GreaterUnsigned, CompareOperator::GreaterUnsigned),
            _ => (CompareOperator::GreaterUnsigned, CompareOperator::GreaterEqualUnsigned),
        };
        let decided = self.compare(strict, left.0, right.0);
        let equal = self.compare(CompareOperator::Equal, left.0, right.0);
        let extras = self.compare(last, left.1, right.1);
        let tied = self.binary(And, equal, extras);
        self.binary(Or, decided, tied)
    }

    /// Fills an array with one value.
    fn repeat(&mut self, element: Operand<'tcx>, place: Place<'tcx>) -> Import<()> {
        let length = self.length(place);
        let count = self.known(length).and_then(|count| u64::try_from(count).ok()).unwrap_or(u64::MAX);
        if count <= UNROLLED_ELEMENTS {
            for index in 0..count {
                let index = self.word(index);
                let target = self.project_index(place, index)?;
                self.store_operand(element, target)?;
            }
            return Ok(());
        }
        self.count_up(length, |importer, index| {
            let target = importer.project_index(place, index)?;
            importer.store_operand(element, target)
        })
    }

    fn aggregate_into(
        &mut self,
        place: Place<'tcx>,
        kind: &AggregateKind<'tcx>,
        operands: &rustc_index::IndexVec<rustc_abi::FieldIdx, mir::Operand<'tcx>>,
    ) -> Import<()> {
        let (variant, active) = match *kind {
            AggregateKind::Adt(_, variant, _, _, active) => (variant, active),
            _ => (FIRST_VARIANT, None),
        };
        let target = match kind {
            AggregateKind::Adt(..) => self.project_downcast(place, variant),
            _ => place,
        };
        for (index, operand) in operands.iter_enumerated() {
            let operand = self.operand(operand)?;
            if operand.layout.is_zst() {
                continue;
            }
            let index = active.unwrap_or(index).index();
            let field = if matches!(kind, AggregateKind::Array(_)) {
                let index = self.word(index as u64);
                self.project_index(target, index)?
            } else {
                self.project_field(target, index)?
            };
            self.store_operand(operand, field)?;
        }
        self.store_tag(place, variant)
    }

    fn aggregate(
        &mut self,
        rvalue: &Rvalue<'tcx>,
        kind: &AggregateKind<'tcx>,
        operands: &rustc_index::IndexVec<rustc_abi::FieldIdx, mir::Operand<'tcx>>,
    ) -> Import<Operand<'tcx>> {
        let layout = self.cx.layout(self.monomorphize(rvalue.ty(self.body, self.tcx())))?;
        let (variant, active) = match *kind {
            AggregateKind::Adt(_, variant, _, _, active) => (variant, active),
            AggregateKind::RawPtr(..) => return self.raw_pointer(layout, operands),
            _ => (FIRST_VARIANT, None),
        };
        if matches!(self.class(layout), Class::Memory) {
            let place = self.allocate(layout)?;
            self.aggregate_into(place, kind, operands)?;
            return self.load_operand(place);
        }
        let mut builder = OperandBuilder::new(self, layout);
        for (index, operand) in operands.iter_enumerated() {
            let operand = self.operand(operand)?;
            builder.set(self, variant, active.unwrap_or(index), operand);
        }
        match self.tag_value(layout, variant) {
            Ok(Some((field, tag))) => builder.set_scalar(layout.fields.offset(field.index()), tag),
            Ok(None) => {}
            Err(()) => {
                self.terminate(metal_oxide_ir::Terminator::Unreachable);
                self.go_on_unreached();
            }
        }
        Ok(builder.build(self))
    }

    /// A pointer made of an address and its metadata.
    fn raw_pointer(
        &mut self,
        layout: rustc_middle::ty::layout::TyAndLayout<'tcx>,
        operands: &rustc_index::IndexVec<rustc_abi::FieldIdx, mir::Operand<'tcx>>,
    ) -> Import<Operand<'tcx>> {
        let mut operands = operands.iter();
        let (Some(data), Some(metadata)) = (operands.next(), operands.next()) else { return self.undefined(layout) };
        let (pointer, _) = self.operand(data)?.value.pointer_parts();
        let value = match self.operand(metadata)?.value {
            Value::Scalar(extra) => Value::Pair(pointer, extra),
            _ => Value::Scalar(pointer),
        };
        Ok(Operand { value, layout })
    }

    /// Whether an operand is a constant without a single initialised byte, such as `MaybeUninit::uninit()`.
    fn is_uninitialised(&self, operand: &mir::Operand<'tcx>) -> Import<bool> {
        match operand {
            mir::Operand::Constant(constant) => Ok(self.evaluate(constant)?.all_bytes_uninit(self.tcx())),
            _ => Ok(false),
        }
    }

    /// Turns a smart pointer to something sized into one to something unsized, field by field.
    fn unsize_struct(&mut self, operand: Operand<'tcx>, place: Place<'tcx>) -> Import<()> {
        let source = match operand.value {
            Value::Memory(address) => Place { address, layout: operand.layout },
            _ => self.spill(operand)?,
        };
        self.unsize_place(source, place)
    }

    fn unsize_place(&mut self, source: Place<'tcx>, target: Place<'tcx>) -> Import<()> {
        if let (ty::Adt(from, _), ty::Adt(to, _)) = (source.layout.ty.kind(), target.layout.ty.kind())
            && from == to
            && matches!(self.class(target.layout), Class::Memory)
        {
            for index in 0..source.layout.fields.count() {
                let (from, to) = (self.project_field(source, index)?, self.project_field(target, index)?);
                if to.layout.is_zst() {
                    continue;
                }
                if from.layout.ty == to.layout.ty {
                    self.copy(to.address, from.address, from.layout.size);
                } else {
                    self.unsize_place(from, to)?;
                }
            }
            return Ok(());
        }
        let pointer = self.load_operand(source)?;
        let unsized_pointer = self.unsize_pointer(pointer, target.layout)?;
        self.store_operand(unsized_pointer, target)
    }
}
