//! rustc's intrinsics: the operations that `core` is built on and has no other way to express.
//! Those that are missing here either have a body in `core` or are reported.

use metal_oxide_ir::{
    BinaryOperator, CastOperator, CompareOperator, FailureKind, MathFunction, Operation, Terminator, Type, UnaryOperator, ValueId,
};
use rustc_abi::Align;
use rustc_middle::mir::{BinOp, ConstValue};
use rustc_middle::ty::layout::{TyAndLayout, ValidityRequirement};
use rustc_middle::ty::{self, Instance, Ty};

use super::body::FunctionImporter;
use super::context::Import;
use super::types::{Class, scalar_type};
use super::unsupported::Reason;
use super::value::{Operand, Place, Value};

impl<'tcx> FunctionImporter<'_, 'tcx> {
    /// Imports a call of an intrinsic. `None` if its body in `core` is to be called instead.
    pub fn intrinsic(
        &mut self,
        instance: Instance<'tcx>,
        operands: &[Operand<'tcx>],
        result: TyAndLayout<'tcx>,
    ) -> Import<Option<Operand<'tcx>>> {
        let name = self.tcx().item_name(instance.def_id());
        let name = name.as_str();
        if let Some(value) = self.float_intrinsic(name, operands) {
            return Ok(Some(Operand { value: Value::Scalar(value), layout: result }));
        }
        if let Some(value) = self.integer_intrinsic(name, operands)? {
            return Ok(Some(Operand { value: Value::Scalar(value), layout: result }));
        }
        if let Some(operand) = self.memory_intrinsic(name, instance, operands, result)? {
            return Ok(Some(operand));
        }
        self.other_intrinsic(name, instance, operands, result)
    }

    /// Intrinsics on floats, such as `sqrtf32`.
    fn float_intrinsic(&mut self, name: &str, operands: &[Operand<'tcx>]) -> Option<ValueId> {
        let base = name.strip_suffix("f16").or_else(|| name.strip_suffix("f32")).or_else(|| name.strip_suffix("f64"))?;
        let argument = |index: usize| operands.get(index).map(|operand| operand.value.scalar());
        let first = argument(0)?;
        if !self.function.ty(first).is_float() {
            return None;
        }
        let unary = match base {
            "sqrt" => UnaryOperator::Sqrt,
            "floor" => UnaryOperator::Floor,
            "ceil" => UnaryOperator::Ceil,
            "trunc" => UnaryOperator::Truncate,
            "round" => UnaryOperator::Round,
            "round_ties_even_" => UnaryOperator::RoundEven,
            "fabs" => UnaryOperator::FloatAbs,
            _ => return self.float_function(base, first, argument(1), argument(2)),
        };
        Some(self.unary(unary, first))
    }

    fn float_function(&mut self, base: &str, first: ValueId, second: Option<ValueId>, third: Option<ValueId>) -> Option<ValueId> {
        let binary = match base {
            "minnum" => BinaryOperator::FloatMin,
            "maxnum" => BinaryOperator::FloatMax,
            "copysign" => BinaryOperator::CopySign,
            "powi" => return Some(self.integer_power(first, second?)),
            // Rust lets this be fused or not; precise kernels do not fuse what can be told apart.
            "fmuladd" => {
                let product = self.binary(BinaryOperator::FloatMul, first, second?);
                return Some(self.binary(BinaryOperator::FloatAdd, product, third?));
            }
            _ => {
                let function = match base {
                    "fma" => MathFunction::Fma,
                    "sin" => MathFunction::Sin,
                    "cos" => MathFunction::Cos,
                    "pow" => MathFunction::Pow,
                    "exp" => MathFunction::Exp,
                    "exp2" => MathFunction::Exp2,
                    "log" => MathFunction::Log,
                    "log2" => MathFunction::Log2,
                    "log10" => MathFunction::Log10,
                    _ => return None,
                };
                let arguments: Vec<_> = [Some(first), second, third].into_iter().flatten().collect();
                let ty = self.function.ty(first);
                return Some(self.emit(Operation::Math(function, arguments), ty));
            }
        };
        Some(self.binary(binary, first, second?))
    }

    /// `powi` by repeated squaring, the way compiler runtimes do it, so that results agree with the host's.
    fn integer_power(&mut self, base: ValueId, exponent: ValueId) -> ValueId {
        use metal_oxide_ir::{Constant, Target};
        let ty = self.function.ty(base);
        let one_bits = match ty {
            Type::F16 => 0x3c00,
            Type::F64 => 1.0f64.to_bits().into(),
            _ => u128::from(1.0f32.to_bits()),
        };
        let one = self.function.add_constant(Constant::Bits { ty, bits: one_bits });
        let (zero, two) = (self.integer(Type::I32, 0), self.integer(Type::I32, 2));
        let (head, step, after) = (self.function.add_block(), self.function.add_block(), self.function.add_block());
        let (square, left, product) =
            (self.function.add_parameter(head, ty), self.function.add_parameter(head, Type::I32), self.function.add_parameter(head, ty));
        self.terminate(Terminator::Branch(Target::new(head, vec![base, exponent, one])));
        self.block = head;
        let bit = self.cast(CastOperator::Truncate, left, Type::Bool);
        let multiplied = self.binary(BinaryOperator::FloatMul, product, square);
        let product = self.select(bit, multiplied, product);
        let half = self.binary(BinaryOperator::DivSigned, left, two);
        let done = self.compare(CompareOperator::Equal, half, zero);
        self.branch_if(done, after, step);
        self.block = step;
        let squared = self.binary(BinaryOperator::FloatMul, square, square);
        self.terminate(Terminator::Branch(Target::new(head, vec![squared, half, product])));
        self.block = after;
        let negative = self.compare(CompareOperator::LessSigned, exponent, zero);
        let reciprocal = self.binary(BinaryOperator::FloatDiv, one, product);
        self.select(negative, reciprocal, product)
    }

    /// Intrinsics on integers.
    fn integer_intrinsic(&mut self, name: &str, operands: &[Operand<'tcx>]) -> Import<Option<ValueId>> {
        let Some(first) = operands.first() else { return Ok(None) };
        let Value::Scalar(a) = first.value else { return Ok(None) };
        let b = match operands.get(1).map(|operand| operand.value) {
            Some(Value::Scalar(value)) => value,
            _ => a,
        };
        let ty = first.layout.ty;
        let signed = ty.is_signed();
        let pick = |if_signed, if_unsigned| if signed { if_signed } else { if_unsigned };
        let value = match name {
            "ctpop" | "ctlz" | "ctlz_nonzero" | "cttz" | "cttz_nonzero" => {
                let operator = match name {
                    "ctpop" => UnaryOperator::CountOnes,
                    "ctlz" | "ctlz_nonzero" => UnaryOperator::LeadingZeros,
                    _ => UnaryOperator::TrailingZeros,
                };
                let count = self.unary(operator, a);
                self.integer_cast(count, Type::I32, false)
            }
            "bswap" if self.function.ty(a) == Type::I8 => a,
            "bswap" => self.unary(UnaryOperator::SwapBytes, a),
            "bitreverse" => self.unary(UnaryOperator::ReverseBits, a),
            "rotate_left" => {
                let count = self.integer_cast(b, self.function.ty(a), false);
                self.binary(BinaryOperator::RotateLeft, a, count)
            }
            "rotate_right" => {
                let count = self.integer_cast(b, self.function.ty(a), false);
                let zero = self.integer(self.function.ty(a), 0);
                let negated = self.binary(BinaryOperator::Sub, zero, count);
                self.binary(BinaryOperator::RotateLeft, a, negated)
            }
            "saturating_add" => self.binary(pick(BinaryOperator::AddSaturatingSigned, BinaryOperator::AddSaturatingUnsigned), a, b),
            "saturating_sub" => self.binary(pick(BinaryOperator::SubSaturatingSigned, BinaryOperator::SubSaturatingUnsigned), a, b),
            "exact_div" | "unchecked_div" => self.scalar_operation(BinOp::Div, a, b, ty, ty)?,
            "unchecked_rem" => self.scalar_operation(BinOp::Rem, a, b, ty, ty)?,
            "wrapping_add" | "unchecked_add" => self.scalar_operation(BinOp::Add, a, b, ty, ty)?,
            "wrapping_sub" | "unchecked_sub" => self.scalar_operation(BinOp::Sub, a, b, ty, ty)?,
            "wrapping_mul" | "unchecked_mul" => self.scalar_operation(BinOp::Mul, a, b, ty, ty)?,
            "unchecked_shl" => self.scalar_operation(BinOp::Shl, a, b, ty, operands[1].layout.ty)?,
            "unchecked_shr" => self.scalar_operation(BinOp::Shr, a, b, ty, operands[1].layout.ty)?,
            "disjoint_bitor" => self.binary(BinaryOperator::Or, a, b),
            "three_way_compare" => self.scalar_operation(BinOp::Cmp, a, b, ty, ty)?,
            "fadd_fast" | "fadd_algebraic" => self.binary(BinaryOperator::FloatAdd, a, b),
            "fsub_fast" | "fsub_algebraic" => self.binary(BinaryOperator::FloatSub, a, b),
            "fmul_fast" | "fmul_algebraic" => self.binary(BinaryOperator::FloatMul, a, b),
            "fdiv_fast" | "fdiv_algebraic" => self.binary(BinaryOperator::FloatDiv, a, b),
            "frem_fast" | "frem_algebraic" => self.binary(BinaryOperator::FloatRem, a, b),
            _ => return Ok(None),
        };
        Ok(Some(value))
    }

    /// Intrinsics on memory and pointers.
    fn memory_intrinsic(
        &mut self,
        name: &str,
        instance: Instance<'tcx>,
        operands: &[Operand<'tcx>],
        result: TyAndLayout<'tcx>,
    ) -> Import<Option<Operand<'tcx>>> {
        let argument = |index: usize| operands[index].value.pointer_parts().0;
        let element = |importer: &Self| importer.cx.layout(instance.args.type_at(0));
        let value = match name {
            "copy_nonoverlapping" | "volatile_copy_nonoverlapping_memory" => {
                let element = element(self)?;
                let (from, to) = if name == "copy_nonoverlapping" { (argument(0), argument(1)) } else { (argument(1), argument(0)) };
                self.copy_elements(to, from, argument(2), element)?;
                return self.nothing(result);
            }
            "copy" | "volatile_copy_memory" => {
                let element = element(self)?;
                let (from, to) = if name == "copy" { (argument(0), argument(1)) } else { (argument(1), argument(0)) };
                self.move_elements(to, from, argument(2), element)?;
                return self.nothing(result);
            }
            "write_bytes" | "volatile_set_memory" => {
                let element = element(self)?;
                self.fill_elements(argument(0), argument(1), argument(2), element)?;
                return self.nothing(result);
            }
            "typed_swap_nonoverlapping" => {
                let element = element(self)?;
                self.swap(argument(0), argument(1), element)?;
                return self.nothing(result);
            }
            "read_via_copy" | "volatile_load" | "unaligned_volatile_load" => {
                let element = element(self)?;
                let align = if name == "unaligned_volatile_load" { Align::ONE } else { element.align.abi };
                return self.load_at(argument(0), align, element).map(Some);
            }
            "write_via_move" | "volatile_store" | "unaligned_volatile_store" | "nontemporal_store" => {
                let element = element(self)?;
                let mut place = Place::new(argument(0), element);
                if name == "unaligned_volatile_store" {
                    place.address.align = Align::ONE;
                }
                self.store_operand(operands[1], place)?;
                return self.nothing(result);
            }
            "raw_eq" => {
                let element = element(self)?;
                self.equal_bytes(argument(0), argument(1), element)
            }
            "compare_bytes" => self.compare_bytes(argument(0), argument(1), argument(2)),
            "arith_offset" => {
                // Unlike `offset`, it may leave what the pointer points into.
                let pointee = element(self)?;
                let size = self.word(pointee.size.bytes());
                let bytes = self.binary(BinaryOperator::Mul, argument(1), size);
                self.emit(Operation::Offset { base: argument(0), bytes }, super::types::POINTER)
            }
            "offset" => {
                self.advance(argument(0), argument(1), instance.args.type_at(0).builtin_deref(true).unwrap_or(instance.args.type_at(0)))?
            }
            "ptr_mask" => {
                let bits = self.address_bits(argument(0));
                let masked = self.binary(BinaryOperator::And, bits, argument(1));
                // Moving the pointer keeps what it points into.
                let distance = self.binary(BinaryOperator::Sub, masked, bits);
                self.emit(Operation::Offset { base: argument(0), bytes: distance }, super::types::POINTER)
            }
            "ptr_offset_from" | "ptr_offset_from_unsigned" => {
                let size = element(self)?.size.bytes();
                self.pointer_difference(argument(0), argument(1), size)
            }
            "ptr_guaranteed_cmp" => {
                let equal = self.compare(CompareOperator::Equal, argument(0), argument(1));
                self.flag(equal, Type::I8)
            }
            "size_of_val" | "align_of_val" => {
                let (_, extra) = operands[0].value.pointer_parts();
                let pointee = element(self)?;
                let (size, align) = self.size_and_align(pointee, extra)?;
                if name == "size_of_val" { size } else { align }
            }
            "vtable_size" | "vtable_align" => {
                self.unsupported(Reason::TraitObject("the size of a trait object"));
                self.word(0)
            }
            _ if name.starts_with("atomic_") => {
                self.unsupported(Reason::Atomic(name));
                return self.undefined(result).map(Some);
            }
            _ => return Ok(None),
        };
        Ok(Some(Operand { value: Value::Scalar(value), layout: result }))
    }

    fn other_intrinsic(
        &mut self,
        name: &str,
        instance: Instance<'tcx>,
        operands: &[Operand<'tcx>],
        result: TyAndLayout<'tcx>,
    ) -> Import<Option<Operand<'tcx>>> {
        match name {
            "abort" | "breakpoint" => {
                let location = self.cx.location(self.source.span);
                self.fail(FailureKind::Panic, "aborted".to_owned(), location);
                self.go_on_unreached();
                self.undefined(result).map(Some)
            }
            "unreachable" => {
                self.terminate(Terminator::Unreachable);
                self.go_on_unreached();
                self.undefined(result).map(Some)
            }
            "assume" => {
                let condition = operands[0].value.scalar();
                self.effect(Operation::Assume(condition));
                self.nothing(result)
            }
            "cold_path" | "forget" | "prefetch_read_data" | "prefetch_write_data" => self.nothing(result),
            "black_box" => Ok(operands.first().map(|operand| Operand { layout: result, ..*operand })),
            "is_val_statically_known" => self.flag_constant(false, result),
            "select_unpredictable" => {
                let condition = operands[0].value.scalar();
                self.choose(condition, operands[1], operands[2]).map(Some)
            }
            "transmute" | "transmute_unchecked" => self.transmute(operands[0], result).map(Some),
            "discriminant_value" => {
                let place = self.dereference(operands[0])?;
                let operand = self.load_operand(place)?;
                let value = self.discriminant(operand, result)?;
                Ok(Some(Operand { value: Value::Scalar(value), layout: result }))
            }
            "float_to_int_unchecked" => {
                let Class::Scalar(scalar) = self.class(result) else { return self.undefined(result).map(Some) };
                let operator = if result.ty.is_signed() { CastOperator::FloatToSigned } else { CastOperator::FloatToUnsigned };
                let value = self.cast(operator, operands[0].value.scalar(), scalar_type(scalar));
                Ok(Some(Operand { value: Value::Scalar(value), layout: result }))
            }
            "add_with_overflow" | "sub_with_overflow" | "mul_with_overflow" => {
                let operator = match name {
                    "add_with_overflow" => BinOp::Add,
                    "sub_with_overflow" => BinOp::Sub,
                    _ => BinOp::Mul,
                };
                let (a, b) = (operands[0].value.scalar(), operands[1].value.scalar());
                let (value, overflowed) = self.checked_arithmetic(operator, a, b, operands[0].layout.ty)?;
                Ok(Some(Operand { value: Value::Pair(value, overflowed), layout: result }))
            }
            "carrying_mul_add" => self.carrying_multiply(operands, result),
            "caller_location" => self.caller_location(result).map(Some),
            "assert_inhabited" | "assert_zero_valid" | "assert_mem_uninitialized_valid" => self.assert_validity(name, instance, result),
            _ => self.evaluated_intrinsic(name, instance, result),
        }
    }

    /// Intrinsics that are constants of their type arguments.
    fn evaluated_intrinsic(&mut self, name: &str, instance: Instance<'tcx>, result: TyAndLayout<'tcx>) -> Import<Option<Operand<'tcx>>> {
        let ty = |index| -> Ty<'tcx> { instance.args.type_at(index) };
        let value = match name {
            "size_of" => self.word(self.cx.layout(ty(0))?.size.bytes()),
            "align_of" => self.word(self.cx.layout(ty(0))?.align.abi.bytes()),
            "needs_drop" => self.boolean(ty(0).needs_drop(self.tcx(), self.cx.typing_env())),
            _ => {
                let intrinsic = self.tcx().intrinsic(instance.def_id());
                if intrinsic.is_some_and(|intrinsic| !intrinsic.must_be_overridden) {
                    return Ok(None);
                }
                self.unsupported(Reason::Intrinsic(name));
                return self.undefined(result).map(Some);
            }
        };
        Ok(Some(Operand { value: Value::Scalar(value), layout: result }))
    }

    /// A function without result has been imported.
    fn nothing(&mut self, result: TyAndLayout<'tcx>) -> Import<Option<Operand<'tcx>>> {
        self.undefined(result).map(Some)
    }

    fn flag_constant(&mut self, value: bool, result: TyAndLayout<'tcx>) -> Import<Option<Operand<'tcx>>> {
        let value = self.boolean(value);
        Ok(Some(Operand { value: Value::Scalar(value), layout: result }))
    }

    /// One of two values.
    fn choose(&mut self, condition: ValueId, then: Operand<'tcx>, otherwise: Operand<'tcx>) -> Import<Operand<'tcx>> {
        let value = match (then.value, otherwise.value) {
            (Value::Scalar(a), Value::Scalar(b)) => Value::Scalar(self.select(condition, a, b)),
            (Value::Pair(a, b), Value::Pair(c, d)) => {
                let low = self.select(condition, a, c);
                Value::Pair(low, self.select(condition, b, d))
            }
            (Value::Memory(a), Value::Memory(b)) => {
                let pointer = self.select(condition, a.pointer, b.pointer);
                let place = Place::new(pointer, then.layout);
                let copy = self.allocate(then.layout)?;
                self.copy(copy.address, place.address, then.layout.size);
                Value::Memory(copy.address)
            }
            _ => Value::ZeroSized,
        };
        Ok(Operand { value, ..then })
    }

    /// `a * b + c + d` of unsigned 64-bit numbers as two halves; other widths are left to `core`.
    fn carrying_multiply(&mut self, operands: &[Operand<'tcx>], result: TyAndLayout<'tcx>) -> Import<Option<Operand<'tcx>>> {
        let values: Vec<ValueId> = operands.iter().map(|operand| operand.value.scalar()).collect();
        let [a, b, c, d] = values[..] else { return Ok(None) };
        let ty = operands[0].layout.ty;
        if !matches!(ty.kind(), ty::Uint(_)) || self.function.ty(a) != Type::I64 {
            return Ok(None);
        }
        let low = self.binary(BinaryOperator::Mul, a, b);
        let mut high = self.binary(BinaryOperator::MulHighUnsigned, a, b);
        let mut sum = low;
        for addend in [c, d] {
            let next = self.binary(BinaryOperator::Add, sum, addend);
            let carry = self.compare(CompareOperator::LessUnsigned, next, sum);
            let carry = self.flag(carry, Type::I64);
            high = self.binary(BinaryOperator::Add, high, carry);
            sum = next;
        }
        Ok(Some(Operand { value: Value::Pair(sum, high), layout: result }))
    }

    /// The `&'static Location` of the caller that a `#[track_caller]` function sees.
    fn caller_location(&mut self, result: TyAndLayout<'tcx>) -> Import<Operand<'tcx>> {
        let Some(id) = self.failure_location() else { return self.undefined(result) };
        let place = self.cx.module.locations[id.index()].clone();
        let file = rustc_span::Symbol::intern(&place.file);
        let value = self.tcx().const_caller_location(file, place.line, place.column);
        let ConstValue::Scalar(_) = value else { return self.undefined(result) };
        let constant = rustc_middle::mir::ConstOperand {
            span: self.source.span,
            user_ty: None,
            const_: rustc_middle::mir::Const::Val(value, result.ty),
        };
        self.constant(&constant)
    }

    /// `mem::zeroed` and its like panic for types that have no such value.
    fn assert_validity(&mut self, name: &str, instance: Instance<'tcx>, result: TyAndLayout<'tcx>) -> Import<Option<Operand<'tcx>>> {
        let requirement = match name {
            "assert_inhabited" => ValidityRequirement::Inhabited,
            "assert_zero_valid" => ValidityRequirement::Zero,
            _ => ValidityRequirement::UninitMitigated0x01Fill,
        };
        let ty = instance.args.type_at(0);
        let input = self.cx.typing_env().as_query_input(ty);
        if self.tcx().check_validity_requirement((requirement, input)).unwrap_or(true) {
            return self.nothing(result);
        }
        let location = self.failure_location();
        let ty = self.cx.type_name(ty);
        self.fail(FailureKind::Panic, format!("attempted to make a value of `{ty}` from nothing"), location);
        self.go_on_unreached();
        self.nothing(result)
    }
}
