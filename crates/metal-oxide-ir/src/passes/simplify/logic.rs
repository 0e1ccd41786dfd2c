//! Identities of bitwise and boolean operations.
//! Two comparisons of the same operands become one.

use super::{Context, Simpler};
use crate::passes::outcomes::Outcomes;
use crate::{BinaryOperator, CastOperator, Operation, Type, UnaryOperator, ValueId};

impl Context<'_> {
    pub(super) fn simplify_logic(&mut self, operator: BinaryOperator, a: ValueId, b: ValueId, ty: Type) -> Option<Simpler> {
        use BinaryOperator::*;
        if a == b {
            return if operator == Xor { self.constant(ty, 0) } else { Some(Simpler::Value(a)) };
        }
        if let Some(constant) = self.bits(b) {
            return self.simplify_mask(operator, a, b, constant, ty);
        }
        for (x, y) in [(a, b), (b, a)] {
            match self.operation(x) {
                Some(&Operation::Unary(UnaryOperator::Not, inner)) if inner == y => {
                    return self.constant(ty, if operator == And { 0 } else { -1 });
                }
                // x & (x | y), x | (x & y)
                Some(&Operation::Binary(inner, p, q)) if p == y || q == y => match (operator, inner) {
                    (And, Or) | (Or, And) => return Some(Simpler::Value(y)),
                    (And, And) | (Or, Or) => return Some(Simpler::Value(x)),
                    (Xor, Xor) => return Some(Simpler::Value(if p == y { q } else { p })),
                    _ => {}
                },
                _ => {}
            }
        }
        if let (Some(&Operation::Unary(UnaryOperator::Not, x)), Some(&Operation::Unary(UnaryOperator::Not, y))) =
            (self.operation(a), self.operation(b))
        {
            return match operator {
                Xor => Some(Simpler::Operation(Operation::Binary(Xor, x, y))),
                _ if !self.used_once(a) || !self.used_once(b) => None,
                _ => {
                    let joined = self.binary(if operator == And { Or } else { And }, x, y);
                    Some(Simpler::Operation(Operation::Unary(UnaryOperator::Not, joined)))
                }
            };
        }
        if ty == Type::Bool {
            return self.join_comparisons(operator, a, b);
        }
        self.simplify_widened(operator, a, b, ty)
    }

    /// A bitwise operation with a constant.
    fn simplify_mask(&mut self, operator: BinaryOperator, a: ValueId, b: ValueId, constant: u128, ty: Type) -> Option<Simpler> {
        use BinaryOperator::*;
        let all = u128::MAX >> (128 - ty.bits());
        match (operator, constant) {
            (And, 0) => return self.constant(ty, 0),
            (Or | Xor, 0) => return Some(Simpler::Value(a)),
            (And, _) if constant == all => return Some(Simpler::Value(a)),
            (Or, _) if constant == all => return Some(Simpler::Value(b)),
            (Xor, _) if constant == all => return Some(Simpler::Operation(Operation::Unary(UnaryOperator::Not, a))),
            _ => {}
        }
        let (zeros, ones) = self.known_bits(a);
        match operator {
            // Every bit is masked already, or known.
            And if !constant & !zeros == 0 => return Some(Simpler::Value(a)),
            And if constant & !zeros & !ones == 0 => return self.constant(ty, (ones & constant) as i128),
            Or if constant & !ones == 0 => return Some(Simpler::Value(a)),
            _ => {}
        }
        match self.operation(a) {
            Some(&Operation::Binary(inner, x, mask)) if inner == operator => {
                let mask = self.bits(mask)?;
                let combined = match operator {
                    And => mask & constant,
                    Or => mask | constant,
                    _ => mask ^ constant,
                };
                let combined = self.integer(ty, combined as i128);
                Some(Simpler::Operation(Operation::Binary(operator, x, combined)))
            }
            // Bits that the mask keeps come from one side only.
            Some(&Operation::Binary(Or, x, y)) if operator == And => {
                if self.known_bits(x).0 & constant == constant {
                    Some(Simpler::Operation(Operation::Binary(And, y, b)))
                } else if self.known_bits(y).0 & constant == constant {
                    Some(Simpler::Operation(Operation::Binary(And, x, b)))
                } else {
                    None
                }
            }
            _ => None,
        }
    }

    /// An operation on two widened values is a widened operation.
    fn simplify_widened(&mut self, operator: BinaryOperator, a: ValueId, b: ValueId, _ty: Type) -> Option<Simpler> {
        let (Some(&Operation::Cast(CastOperator::ZeroExtend, x)), Some(&Operation::Cast(CastOperator::ZeroExtend, y))) =
            (self.operation(a), self.operation(b))
        else {
            return None;
        };
        if self.function.ty(x) != self.function.ty(y) || !(self.used_once(a) || self.used_once(b)) {
            return None;
        }
        let joined = self.binary(operator, x, y);
        Some(Simpler::Operation(Operation::Cast(CastOperator::ZeroExtend, joined)))
    }

    /// `and`, `or` and `xor` of two comparisons of the same operands.
    fn join_comparisons(&mut self, operator: BinaryOperator, a: ValueId, b: ValueId) -> Option<Simpler> {
        let (&Operation::Compare(first, x, y), &Operation::Compare(second, p, q)) = (self.operation(a)?, self.operation(b)?) else {
            return None;
        };
        let second = match (p, q) {
            _ if (p, q) == (x, y) => second,
            _ if (q, p) == (x, y) => second.swapped(),
            _ => return None,
        };
        let (first, second) = (Outcomes::of(first), Outcomes::of(second));
        let family = first.family.join(second.family)?;
        let set = match operator {
            BinaryOperator::And => first.set & second.set,
            BinaryOperator::Or => first.set | second.set,
            _ => first.set ^ second.set,
        };
        self.comparison(Outcomes { set, family }, x, y)
    }

    /// The comparison that is true for a set of outcomes.
    pub(super) fn comparison(&mut self, outcomes: Outcomes, x: ValueId, y: ValueId) -> Option<Simpler> {
        match outcomes.operator()? {
            Ok(operator) => Some(Simpler::Operation(Operation::Compare(operator, x, y))),
            Err(known) => self.constant(Type::Bool, known.into()),
        }
    }

    pub(super) fn simplify_not(&mut self, a: ValueId) -> Option<Simpler> {
        match *self.operation(a)? {
            Operation::Unary(UnaryOperator::Not, x) => Some(Simpler::Value(x)),
            Operation::Compare(operator, x, y) => operator.negated().map(|operator| Simpler::Operation(Operation::Compare(operator, x, y))),
            // A selection between opposites.
            Operation::Select(condition, x, y) if self.function.ty(a) == Type::Bool && self.used_once(a) => {
                let known = |value: ValueId| self.bits(value).is_some();
                if !known(x) && !known(y) {
                    return None;
                }
                let (x, y) = (self.not(x), self.not(y));
                Some(Simpler::Operation(Operation::Select(condition, x, y)))
            }
            _ => None,
        }
    }
}
