//! Arithmetic and comparisons of scalars, as Rust defines them.
//! What Rust checks has been checked by MIR, and what Rust wraps, wraps.

use metal_oxide_ir::{BinaryOperator, CastOperator, CompareOperator, Type, UnaryOperator, ValueId};
use rustc_middle::mir::BinOp;
use rustc_middle::ty::{self, Ty};

use super::body::FunctionImporter;
use super::context::Import;
use super::unsupported::Reason;

impl<'tcx> FunctionImporter<'_, 'tcx> {
    /// An operation on two scalars.
    pub fn scalar_operation(
        &mut self,
        operator: BinOp,
        left: ValueId,
        right: ValueId,
        left_ty: Ty<'tcx>,
        right_ty: Ty<'tcx>,
    ) -> Import<ValueId> {
        if is_quadruple(left_ty) {
            self.unsupported(Reason::Float128);
        } else if left_ty.is_fn_ptr() {
            self.unsupported(Reason::FunctionPointer("comparing function pointers"));
        } else if left_ty.is_floating_point() {
            return Ok(self.float_operation(operator, left, right));
        } else {
            return self.integer_operation(operator, left, right, left_ty, right_ty);
        }
        let ty = if is_comparison(operator) { Type::Bool } else { self.function.ty(left) };
        Ok(self.undef(ty))
    }

    fn float_operation(&mut self, operator: BinOp, left: ValueId, right: ValueId) -> ValueId {
        let arithmetic = match operator {
            BinOp::Add => BinaryOperator::FloatAdd,
            BinOp::Sub => BinaryOperator::FloatSub,
            BinOp::Mul => BinaryOperator::FloatMul,
            BinOp::Div => BinaryOperator::FloatDiv,
            BinOp::Rem => BinaryOperator::FloatRem,
            BinOp::Eq => return self.compare(CompareOperator::FloatEqual, left, right),
            BinOp::Ne => return self.compare(CompareOperator::FloatNotEqual, left, right),
            BinOp::Lt => return self.compare(CompareOperator::FloatLess, left, right),
            BinOp::Le => return self.compare(CompareOperator::FloatLessEqual, left, right),
            BinOp::Gt => return self.compare(CompareOperator::FloatGreater, left, right),
            _ => return self.compare(CompareOperator::FloatGreaterEqual, left, right),
        };
        self.binary(arithmetic, left, right)
    }

    fn integer_operation(
        &mut self,
        operator: BinOp,
        left: ValueId,
        right: ValueId,
        left_ty: Ty<'tcx>,
        right_ty: Ty<'tcx>,
    ) -> Import<ValueId> {
        let signed = left_ty.is_signed();
        let pick = |if_signed, if_unsigned| if signed { if_signed } else { if_unsigned };
        let arithmetic = match operator {
            BinOp::Add | BinOp::AddUnchecked => BinaryOperator::Add,
            BinOp::Sub | BinOp::SubUnchecked => BinaryOperator::Sub,
            BinOp::Mul | BinOp::MulUnchecked => BinaryOperator::Mul,
            BinOp::Div => pick(BinaryOperator::DivSigned, BinaryOperator::DivUnsigned),
            BinOp::Rem => pick(BinaryOperator::RemSigned, BinaryOperator::RemUnsigned),
            BinOp::BitAnd => BinaryOperator::And,
            BinOp::BitOr => BinaryOperator::Or,
            BinOp::BitXor => BinaryOperator::Xor,
            BinOp::Shl | BinOp::ShlUnchecked => {
                let count = self.shift_count(left, right, right_ty);
                return Ok(self.binary(BinaryOperator::ShiftLeft, left, count));
            }
            BinOp::Shr | BinOp::ShrUnchecked => {
                let count = self.shift_count(left, right, right_ty);
                return Ok(self.binary(pick(BinaryOperator::ShiftRightSigned, BinaryOperator::ShiftRightUnsigned), left, count));
            }
            BinOp::Offset => return self.pointer_offset(left, right, left_ty),
            BinOp::Cmp => return Ok(self.three_way(left, right, signed)),
            _ => return Ok(self.integer_comparison(operator, left, right, signed)),
        };
        Ok(self.binary(arithmetic, left, right))
    }

    /// Compares integers, `char`s, `bool`s and pointers.
    fn integer_comparison(&mut self, operator: BinOp, left: ValueId, right: ValueId, signed: bool) -> ValueId {
        let pick = |if_signed, if_unsigned| if signed { if_signed } else { if_unsigned };
        let comparison = match operator {
            BinOp::Eq => CompareOperator::Equal,
            BinOp::Ne => CompareOperator::NotEqual,
            BinOp::Lt => pick(CompareOperator::LessSigned, CompareOperator::LessUnsigned),
            BinOp::Le => pick(CompareOperator::LessEqualSigned, CompareOperator::LessEqualUnsigned),
            BinOp::Gt => pick(CompareOperator::GreaterSigned, CompareOperator::GreaterUnsigned),
            _ => pick(CompareOperator::GreaterEqualSigned, CompareOperator::GreaterEqualUnsigned),
        };
        if self.function.ty(left) == Type::Bool && !matches!(comparison, CompareOperator::Equal | CompareOperator::NotEqual) {
            let (left, right) = (self.cast(CastOperator::ZeroExtend, left, Type::I8), self.cast(CastOperator::ZeroExtend, right, Type::I8));
            return self.compare(comparison, left, right);
        }
        self.compare(comparison, left, right)
    }

    /// -1, 0 or 1 as an `i8`.
    fn three_way(&mut self, left: ValueId, right: ValueId, signed: bool) -> ValueId {
        let greater = self.integer_comparison(BinOp::Gt, left, right, signed);
        let less = self.integer_comparison(BinOp::Lt, left, right, signed);
        let (greater, less) = (self.cast(CastOperator::ZeroExtend, greater, Type::I8), self.cast(CastOperator::ZeroExtend, less, Type::I8));
        self.binary(BinaryOperator::Sub, greater, less)
    }

    /// A shift count of any integer type, masked to the width of what is shifted.
    fn shift_count(&mut self, shifted: ValueId, count: ValueId, count_ty: Ty<'tcx>) -> ValueId {
        let ty = self.function.ty(shifted);
        let count = self.integer_cast(count, ty, count_ty.is_signed());
        if let Some(known) = self.known(count) {
            return self.integer(ty, known & u128::from(ty.bits() - 1));
        }
        let mask = self.integer(ty, u128::from(ty.bits() - 1));
        self.binary(BinaryOperator::And, count, mask)
    }

    fn pointer_offset(&mut self, pointer: ValueId, count: ValueId, pointer_ty: Ty<'tcx>) -> Import<ValueId> {
        let Some(pointee) = pointer_ty.builtin_deref(true) else { return Ok(pointer) };
        self.advance(pointer, count, pointee)
    }

    /// A pointer moved by a number of elements.
    pub fn advance(&mut self, pointer: ValueId, count: ValueId, pointee: Ty<'tcx>) -> Import<ValueId> {
        let layout = self.cx.layout(pointee)?;
        if layout.is_zst() {
            return Ok(pointer);
        }
        let ty = self.cx.memory_type(layout)?;
        Ok(self.element_address(pointer, ty, count))
    }

    /// Negation.
    pub fn negate(&mut self, value: ValueId, float: bool, ty: Ty<'tcx>) -> Import<ValueId> {
        if is_quadruple(ty) {
            self.unsupported(Reason::Float128);
        }
        let operator = if float && !is_quadruple(ty) { UnaryOperator::FloatNeg } else { UnaryOperator::Neg };
        Ok(self.unary(operator, value))
    }

    /// The wrapped result of an operation, and whether it wrapped.
    pub fn checked_arithmetic(&mut self, operator: BinOp, left: ValueId, right: ValueId, ty: Ty<'tcx>) -> Import<(ValueId, ValueId)> {
        let signed = ty.is_signed();
        let scalar = self.function.ty(left);
        let zero = self.integer(scalar, 0);
        let pair = match (operator, signed) {
            (BinOp::Add, false) => {
                let sum = self.binary(BinaryOperator::Add, left, right);
                (sum, self.compare(CompareOperator::LessUnsigned, sum, left))
            }
            (BinOp::Add, true) => {
                // Both operands differ in sign from the sum.
                let sum = self.binary(BinaryOperator::Add, left, right);
                let (a, b) = (self.binary(BinaryOperator::Xor, sum, left), self.binary(BinaryOperator::Xor, sum, right));
                let both = self.binary(BinaryOperator::And, a, b);
                (sum, self.compare(CompareOperator::LessSigned, both, zero))
            }
            (BinOp::Sub, false) => {
                let difference = self.binary(BinaryOperator::Sub, left, right);
                (difference, self.compare(CompareOperator::LessUnsigned, left, right))
            }
            (BinOp::Sub, true) => {
                // The operands differ in sign, and the difference from the first.
                let difference = self.binary(BinaryOperator::Sub, left, right);
                let (a, b) = (self.binary(BinaryOperator::Xor, left, right), self.binary(BinaryOperator::Xor, left, difference));
                let both = self.binary(BinaryOperator::And, a, b);
                (difference, self.compare(CompareOperator::LessSigned, both, zero))
            }
            (_, false) => {
                let product = self.binary(BinaryOperator::Mul, left, right);
                let high = self.binary(BinaryOperator::MulHighUnsigned, left, right);
                (product, self.compare(CompareOperator::NotEqual, high, zero))
            }
            (_, true) => {
                let product = self.binary(BinaryOperator::Mul, left, right);
                let high = self.binary(BinaryOperator::MulHighSigned, left, right);
                let sign_bit = self.integer(scalar, u128::from(scalar.bits() - 1));
                let sign = self.binary(BinaryOperator::ShiftRightSigned, product, sign_bit);
                (product, self.compare(CompareOperator::NotEqual, high, sign))
            }
        };
        Ok(pair)
    }
}

fn is_comparison(operator: BinOp) -> bool {
    matches!(operator, BinOp::Eq | BinOp::Ne | BinOp::Lt | BinOp::Le | BinOp::Gt | BinOp::Ge)
}

/// Whether a type is the quadruple-precision float.
fn is_quadruple(ty: Ty<'_>) -> bool {
    matches!(ty.kind(), ty::Float(ty::FloatTy::F128))
}
