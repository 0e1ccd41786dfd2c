//! Shortens chains of casts.

use super::{Context, Simpler};
use crate::{BinaryOperator, CastOperator, Operation, Type, ValueId};

impl Context<'_> {
    pub(super) fn simplify_cast(&mut self, operator: CastOperator, a: ValueId, ty: Type) -> Option<Simpler> {
        use CastOperator::*;
        let from = self.function.ty(a);
        if from == ty && matches!(operator, Truncate | ZeroExtend | SignExtend | FloatToFloat | Bitcast | Space) {
            return Some(Simpler::Value(a));
        }
        if operator == Truncate {
            if let Some(value) = self.extract(a, 0, ty) {
                return Some(Simpler::Value(value));
            }
            return self.simplify_truncate(a, ty);
        }
        let &Operation::Cast(inner, x) = self.operation(a)? else {
            return self.simplify_address_cast(operator, a);
        };
        let source = self.function.ty(x);
        match (operator, inner) {
            (ZeroExtend, ZeroExtend) | (SignExtend, SignExtend) | (Bitcast, Bitcast) | (Space, Space) => match source == ty {
                true => Some(Simpler::Value(x)),
                // From one space to another there is no direct way.
                false if operator == Space && !self.is_generic(source) && !self.is_generic(ty) => None,
                false => Some(Simpler::Operation(Operation::Cast(operator, x))),
            },
            // What was widened with zeros is not negative.
            (SignExtend, ZeroExtend) => Some(Simpler::Operation(Operation::Cast(ZeroExtend, x))),
            (ZeroExtend, Truncate) if source == ty => {
                let mask = self.integer(ty, (u128::MAX >> (128 - from.bits())) as i128);
                let (zeros, _) = self.known_bits(x);
                let unchanged = zeros | (u128::MAX >> (128 - from.bits())) == u128::MAX;
                if unchanged {
                    return Some(Simpler::Value(x));
                }
                (from == Type::Bool).then_some(Simpler::Operation(Operation::Binary(BinaryOperator::And, x, mask)))
            }
            (UnsignedToFloat | SignedToFloat, ZeroExtend) if source != Type::Bool => {
                Some(Simpler::Operation(Operation::Cast(UnsignedToFloat, x)))
            }
            (SignedToFloat, SignExtend) => Some(Simpler::Operation(Operation::Cast(SignedToFloat, x))),
            // A float survives being widened.
            (FloatToFloat, FloatToFloat) if source == ty && self.widens(source, from) => Some(Simpler::Value(x)),
            (PointerToInteger, IntegerToPointer) => Some(Simpler::Value(x)),
            (IntegerToPointer, PointerToInteger) if source == ty => Some(Simpler::Value(x)),
            (IntegerToPointer, PointerToInteger) if self.is_generic(source) || self.is_generic(ty) => {
                Some(Simpler::Operation(Operation::Cast(Space, x)))
            }
            (PointerToInteger, Space) => Some(Simpler::Operation(Operation::Cast(PointerToInteger, x))),
            _ => None,
        }
    }

    fn is_generic(&self, ty: Type) -> bool {
        ty == Type::Pointer(crate::Space::Generic)
    }

    /// Whether every value of the first float type is one of the second.
    fn widens(&self, from: Type, to: Type) -> bool {
        matches!((from, to), (Type::F16 | Type::BF16, Type::F32 | Type::F64) | (Type::F32, Type::F64))
    }

    fn simplify_truncate(&mut self, a: ValueId, ty: Type) -> Option<Simpler> {
        match *self.operation(a)? {
            Operation::Cast(CastOperator::Truncate, x) => Some(Simpler::Operation(Operation::Cast(CastOperator::Truncate, x))),
            Operation::Cast(inner @ (CastOperator::ZeroExtend | CastOperator::SignExtend), x) => {
                let source = self.function.ty(x);
                let operator = match source.bits().cmp(&ty.bits()) {
                    std::cmp::Ordering::Less => inner,
                    std::cmp::Ordering::Equal => return Some(Simpler::Value(x)),
                    std::cmp::Ordering::Greater => CastOperator::Truncate,
                };
                Some(Simpler::Operation(Operation::Cast(operator, x)))
            }
            Operation::Select(condition, x, y) if self.used_once(a) => {
                let constant = |value: ValueId| self.bits(value).is_some();
                if !constant(x) && !constant(y) {
                    return None;
                }
                let x = self.emit(Operation::Cast(CastOperator::Truncate, x), ty);
                let y = self.emit(Operation::Cast(CastOperator::Truncate, y), ty);
                Some(Simpler::Operation(Operation::Select(condition, x, y)))
            }
            // The high half of a product that was computed in twice the width.
            Operation::Binary(BinaryOperator::ShiftRightUnsigned | BinaryOperator::ShiftRightSigned, product, count)
                if self.bits(count) == Some(ty.bits().into()) && self.function.ty(a).bits() == 2 * ty.bits() =>
            {
                self.high_product(product, ty)
            }
            // Arithmetic on widened values, of which only the low bits are wanted.
            Operation::Binary(
                operator @ (BinaryOperator::Add
                | BinaryOperator::Sub
                | BinaryOperator::Mul
                | BinaryOperator::And
                | BinaryOperator::Or
                | BinaryOperator::Xor),
                x,
                y,
            ) if ty != Type::Bool && (self.used_once(a) || self.function.ty(a) == Type::I128) => {
                let low = |value: ValueId| match self.operation(value) {
                    Some(&Operation::Cast(CastOperator::ZeroExtend | CastOperator::SignExtend, inner)) => self.function.ty(inner) == ty,
                    _ => self.bits(value).is_some(),
                };
                if !low(x) || !low(y) {
                    return None;
                }
                let x = self.emit(Operation::Cast(CastOperator::Truncate, x), ty);
                let y = self.emit(Operation::Cast(CastOperator::Truncate, y), ty);
                Some(Simpler::Operation(Operation::Binary(operator, x, y)))
            }
            _ => None,
        }
    }

    /// The high half of the product of two values of type `ty` that were widened alike, or of one and a constant that fits.
    fn high_product(&mut self, product: ValueId, ty: Type) -> Option<Simpler> {
        let &Operation::Binary(BinaryOperator::Mul, x, y) = self.operation(product)? else { return None };
        let &Operation::Cast(widening, a) = self.operation(x)? else { return None };
        if self.function.ty(a) != ty {
            return None;
        }
        let (b, fits) = match (self.operation(y), self.function.constant(y)) {
            (Some(&Operation::Cast(other, b)), _) => (b, other == widening && self.function.ty(b) == ty),
            (None, Some(constant)) => {
                let narrow = crate::Constant::integer(ty, constant.as_signed()?);
                let fits = match widening {
                    CastOperator::ZeroExtend => narrow.as_unsigned() == constant.as_unsigned(),
                    _ => narrow.as_signed() == constant.as_signed(),
                };
                (self.function.add_constant(narrow), fits)
            }
            _ => return None,
        };
        let operator = match widening {
            CastOperator::ZeroExtend => BinaryOperator::MulHighUnsigned,
            CastOperator::SignExtend => BinaryOperator::MulHighSigned,
            _ => return None,
        };
        fits.then_some(Simpler::Operation(Operation::Binary(operator, a, b)))
    }

    /// Arithmetic on an address as a number, turned back into an address.
    fn simplify_address_cast(&mut self, operator: CastOperator, a: ValueId) -> Option<Simpler> {
        if operator != CastOperator::IntegerToPointer {
            return None;
        }
        let &Operation::Binary(BinaryOperator::Add, x, y) = self.operation(a)? else { return None };
        let (base, bytes) = match (self.as_address(x), self.as_address(y)) {
            (Some(base), None) => (base, y),
            (None, Some(base)) => (base, x),
            _ => return None,
        };
        self.is_generic(self.function.ty(base)).then_some(Simpler::Operation(Operation::Offset { base, bytes }))
    }
}
