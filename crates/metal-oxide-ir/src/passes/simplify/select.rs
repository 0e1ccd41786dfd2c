//! Simplifies selections: between booleans they are logic, between the operands of a comparison they can be a minimum or maximum.

use super::{Context, Simpler};
use crate::{BinaryOperator, CastOperator, CompareOperator, Operation, Type, UnaryOperator, ValueId};

impl Context<'_> {
    pub(super) fn simplify_select(&mut self, condition: ValueId, a: ValueId, b: ValueId, ty: Type) -> Option<Simpler> {
        if a == b || self.is_undefined(b) {
            return Some(Simpler::Value(a));
        }
        if self.is_undefined(a) {
            return Some(Simpler::Value(b));
        }
        if let Some(&Operation::Unary(UnaryOperator::Not, inner)) = self.operation(condition) {
            return Some(Simpler::Operation(Operation::Select(inner, b, a)));
        }
        if ty == Type::Bool {
            return self.select_bool(condition, a, b);
        }
        // The condition was asked already.
        match (self.operation(a), self.operation(b)) {
            (Some(&Operation::Select(inner, x, _)), _) if inner == condition => {
                return Some(Simpler::Operation(Operation::Select(condition, x, b)));
            }
            (_, Some(&Operation::Select(inner, _, y))) if inner == condition => {
                return Some(Simpler::Operation(Operation::Select(condition, a, y)));
            }
            _ => {}
        }
        if ty.is_integer() {
            match (self.bits(a), self.bits(b)) {
                (Some(1), Some(0)) => return Some(Simpler::Operation(Operation::Cast(CastOperator::ZeroExtend, condition))),
                (Some(0), Some(1)) => {
                    let flag = self.not(condition);
                    return Some(Simpler::Operation(Operation::Cast(CastOperator::ZeroExtend, flag)));
                }
                _ => {}
            }
        }
        self.select_compared(condition, a, b, ty)
            .or_else(|| self.select_widened(condition, a, b))
            .or_else(|| self.select_element(condition, a, b))
    }

    fn is_undefined(&self, value: ValueId) -> bool {
        matches!(self.function.constant(value), Some(crate::Constant::Undef(_)))
    }

    fn select_bool(&mut self, condition: ValueId, a: ValueId, b: ValueId) -> Option<Simpler> {
        use BinaryOperator::{And, Or};
        match (self.bits(a), self.bits(b)) {
            (Some(1), Some(0)) => return Some(Simpler::Value(condition)),
            (Some(0), Some(1)) => return Some(Simpler::Operation(Operation::Unary(UnaryOperator::Not, condition))),
            (Some(1), _) => return Some(Simpler::Operation(Operation::Binary(Or, condition, b))),
            (_, Some(0)) => return Some(Simpler::Operation(Operation::Binary(And, condition, a))),
            (Some(0), _) => {
                let not = self.not(condition);
                return Some(Simpler::Operation(Operation::Binary(And, not, b)));
            }
            (_, Some(1)) => {
                let not = self.not(condition);
                return Some(Simpler::Operation(Operation::Binary(Or, not, a)));
            }
            _ => {}
        }
        if a == condition {
            return Some(Simpler::Operation(Operation::Binary(Or, condition, b)));
        }
        if b == condition {
            return Some(Simpler::Operation(Operation::Binary(And, condition, a)));
        }
        None
    }

    /// The condition compares what is selected.
    fn select_compared(&mut self, condition: ValueId, a: ValueId, b: ValueId, ty: Type) -> Option<Simpler> {
        use CompareOperator::*;
        let &Operation::Compare(operator, x, y) = self.operation(condition)? else { return None };
        let operator = match (x, y) {
            _ if (x, y) == (a, b) => operator,
            _ if (y, x) == (a, b) => operator.swapped(),
            _ => return None,
        };
        if operator.is_float() {
            return None;
        }
        let extremum = match operator {
            // Equal integers are the same, whichever is taken.
            Equal => return Some(Simpler::Value(b)),
            NotEqual => return Some(Simpler::Value(a)),
            _ if !ty.is_integer() => return None,
            LessUnsigned | LessEqualUnsigned => BinaryOperator::MinUnsigned,
            GreaterUnsigned | GreaterEqualUnsigned => BinaryOperator::MaxUnsigned,
            LessSigned | LessEqualSigned => BinaryOperator::MinSigned,
            _ => BinaryOperator::MaxSigned,
        };
        Some(Simpler::Operation(Operation::Binary(extremum, a, b)))
    }

    /// A selection between values that were widened from one type, or between one and a constant that fits.
    fn select_widened(&mut self, condition: ValueId, a: ValueId, b: ValueId) -> Option<Simpler> {
        let (&Operation::Cast(first, x), &Operation::Cast(second, y)) = (self.operation(a)?, self.operation(b)?) else { return None };
        let widening = matches!(first, CastOperator::ZeroExtend | CastOperator::SignExtend);
        if first != second || !widening || self.function.ty(x) != self.function.ty(y) || !self.used_once(a) || !self.used_once(b) {
            return None;
        }
        let ty = self.function.ty(x);
        let narrow = self.emit(Operation::Select(condition, x, y), ty);
        Some(Simpler::Operation(Operation::Cast(first, narrow)))
    }

    /// A selection between elements of one base.
    fn select_element(&mut self, condition: ValueId, a: ValueId, b: ValueId) -> Option<Simpler> {
        let zero = self.integer(Type::I64, 0);
        let element_of = |value: ValueId| match self.operation(value) {
            Some(&Operation::Element { base, index, ty }) => Some((base, index, ty)),
            _ => None,
        };
        let (base, x, y, ty) = match (element_of(a), element_of(b)) {
            (Some((base, x, ty)), Some((other, y, other_ty))) if base == other && ty == other_ty => (base, x, y, ty),
            (Some((base, x, ty)), _) if base == b => (base, x, zero, ty),
            (_, Some((base, y, ty))) if base == a => (base, zero, y, ty),
            _ => return None,
        };
        let index = self.emit(Operation::Select(condition, x, y), Type::I64);
        Some(Simpler::Operation(Operation::Element { base, index, ty }))
    }
}
