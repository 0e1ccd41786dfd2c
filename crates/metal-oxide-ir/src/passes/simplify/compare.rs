//! Simplifies comparisons: constants to the right, widening removed, tags of enums and overflow checks recognised.

use super::{Context, Simpler};
use crate::passes::fold;
use crate::passes::outcomes::{EQUAL, Family, GREATER, LESS, Outcomes};
use crate::{BinaryOperator, CastOperator, CompareOperator, Constant, Operation, Type, UnaryOperator, ValueId};

impl Context<'_> {
    pub(super) fn simplify_compare(&mut self, operator: CompareOperator, a: ValueId, b: ValueId) -> Option<Simpler> {
        use CompareOperator::*;
        let ty = self.function.ty(a);
        if self.function.constant(a).is_some() && self.function.constant(b).is_none() {
            return Some(Simpler::Operation(Operation::Compare(operator.swapped(), b, a)));
        }
        if operator.is_float() {
            // Only a comparison that NaN makes false is false for equal operands too.
            return (a == b && matches!(operator, FloatLess | FloatGreater)).then(|| self.integer(Type::Bool, 0)).map(Simpler::Value);
        }
        if a == b {
            return self.constant(Type::Bool, (Outcomes::of(operator).set & EQUAL != 0).into());
        }
        if ty.is_pointer() {
            return self.simplify_pointer_compare(operator, a, b);
        }
        if ty == Type::Bool
            && let Some(known) = self.bits(b)
        {
            return match (known == 1) == (operator == Equal) {
                true => Some(Simpler::Value(a)),
                false => Some(Simpler::Operation(Operation::Unary(UnaryOperator::Not, a))),
            };
        }
        self.compare_with_constant(operator, a, b, ty)
            .or_else(|| self.compare_widened(operator, a, b))
            .or_else(|| self.compare_sums(operator, a, b))
            .or_else(|| self.compare_addresses(operator, a, b))
            .or_else(|| self.compare_remainder(operator, a, b))
    }

    fn compare_with_constant(&mut self, operator: CompareOperator, a: ValueId, b: ValueId, ty: Type) -> Option<Simpler> {
        use CompareOperator::*;
        let constant = self.function.constant(b)?;
        let (bits, signed) = (constant.as_unsigned()?, constant.as_signed()?);
        let all = u128::MAX >> (128 - ty.bits());
        match (operator, bits) {
            (LessUnsigned, 1) | (LessEqualUnsigned, 0) => {
                let zero = self.integer(ty, 0);
                return Some(Simpler::Operation(Operation::Compare(Equal, a, zero)));
            }
            (GreaterEqualUnsigned, 1) | (GreaterUnsigned, 0) => {
                let zero = self.integer(ty, 0);
                return Some(Simpler::Operation(Operation::Compare(NotEqual, a, zero)));
            }
            (LessUnsigned, _) if bits == all => return Some(Simpler::Operation(Operation::Compare(NotEqual, a, b))),
            (GreaterEqualUnsigned, _) if bits == all => return Some(Simpler::Operation(Operation::Compare(Equal, a, b))),
            _ => {}
        }
        if let Some(known) = self.known_comparison(operator, a, bits, ty) {
            return self.constant(Type::Bool, known.into());
        }
        match *self.operation(a)? {
            Operation::Select(condition, x, y) => {
                let answer = |value: ValueId| fold::compare(operator, self.function.constant(value)?, constant);
                match (answer(x), answer(y)) {
                    (Some(x), Some(y)) => {
                        let (x, y) = (self.integer(Type::Bool, x.into()), self.integer(Type::Bool, y.into()));
                        Some(Simpler::Operation(Operation::Select(condition, x, y)))
                    }
                    (Some(x), None) if self.used_once(a) => {
                        let x = self.integer(Type::Bool, x.into());
                        let y = self.emit(Operation::Compare(operator, y, b), Type::Bool);
                        Some(Simpler::Operation(Operation::Select(condition, x, y)))
                    }
                    (None, Some(y)) if self.used_once(a) => {
                        let y = self.integer(Type::Bool, y.into());
                        let x = self.emit(Operation::Compare(operator, x, b), Type::Bool);
                        Some(Simpler::Operation(Operation::Select(condition, x, y)))
                    }
                    _ => None,
                }
            }
            Operation::Cast(CastOperator::ZeroExtend, x) => self.compare_zero_extended(operator, x, bits),
            Operation::Cast(CastOperator::SignExtend, x) => {
                let narrow = self.function.ty(x);
                let fits = narrow.bits() == ty.bits() || signed >> (narrow.bits() - 1) == 0 || signed >> (narrow.bits() - 1) == -1;
                if !fits {
                    return None;
                }
                let constant = self.integer(narrow, signed);
                Some(Simpler::Operation(Operation::Compare(operator, x, constant)))
            }
            Operation::Binary(BinaryOperator::Sub, x, y) => match (self.three_way(x, y), signed) {
                (Some((family, p, q)), _) => self.compare_three_way(operator, family, p, q, constant, ty),
                (None, 0) if matches!(operator, Equal | NotEqual) => Some(Simpler::Operation(Operation::Compare(operator, x, y))),
                (None, _) => self.compare_shifted(operator, a, b, ty),
            },
            Operation::Binary(BinaryOperator::Add, ..) => self.compare_shifted(operator, a, b, ty),
            Operation::Binary(BinaryOperator::Xor, x, y) if matches!(operator, Equal | NotEqual) => match (self.bits(y), bits) {
                (Some(y), _) => {
                    let constant = self.integer(ty, (y ^ bits) as i128);
                    Some(Simpler::Operation(Operation::Compare(operator, x, constant)))
                }
                (None, 0) => Some(Simpler::Operation(Operation::Compare(operator, x, y))),
                _ => None,
            },
            Operation::Binary(BinaryOperator::And, x, y) if operator == LessSigned && bits == 0 => self.overflow_check(x, y, ty),
            Operation::Binary(BinaryOperator::Or, x, y) if bits == 0 && matches!(operator, Equal | NotEqual) => {
                // Both halves of a wide value are compared with zero.
                self.compare_packed(operator, x, y)
            }
            Operation::Unary(UnaryOperator::Not, x) if matches!(operator, Equal | NotEqual) => {
                let constant = self.integer(ty, !bits as i128);
                Some(Simpler::Operation(Operation::Compare(operator, x, constant)))
            }
            Operation::Unary(UnaryOperator::Neg, x) if matches!(operator, Equal | NotEqual) => {
                let constant = self.integer(ty, signed.wrapping_neg());
                Some(Simpler::Operation(Operation::Compare(operator, x, constant)))
            }
            Operation::Cast(CastOperator::PointerToInteger, pointer) => {
                let address = Constant::Bits { ty: self.function.ty(pointer), bits };
                let address = self.function.add_constant(address);
                Some(Simpler::Operation(Operation::Compare(operator, pointer, address)))
            }
            _ => None,
        }
    }

    /// The answer, if the known bits of `a` decide it.
    fn known_comparison(&self, operator: CompareOperator, a: ValueId, constant: u128, ty: Type) -> Option<bool> {
        use CompareOperator::*;
        let (zeros, ones) = self.known_bits(a);
        let (mut smallest, mut largest) = (ones, !zeros);
        if constant & zeros != 0 || !constant & ones != 0 {
            match operator {
                Equal => return Some(false),
                NotEqual => return Some(true),
                _ => {}
            }
        }
        let sign = 1u128 << (ty.bits() - 1);
        let mut constant = constant;
        if matches!(operator, LessSigned | LessEqualSigned | GreaterSigned | GreaterEqualSigned) {
            // Signed order is unsigned order with the sign bit flipped, which must be known.
            if (zeros | ones) & sign == 0 {
                return None;
            }
            (smallest, largest, constant) = (smallest ^ sign, largest ^ sign, constant ^ sign);
        }
        let (always, never) = match operator {
            LessUnsigned | LessSigned => (largest < constant, smallest >= constant),
            LessEqualUnsigned | LessEqualSigned => (largest <= constant, smallest > constant),
            GreaterUnsigned | GreaterSigned => (smallest > constant, largest <= constant),
            GreaterEqualUnsigned | GreaterEqualSigned => (smallest >= constant, largest < constant),
            _ => (false, false),
        };
        match (always, never) {
            (true, _) => Some(true),
            (_, true) => Some(false),
            _ => None,
        }
    }

    /// A widened value that is compared with a constant. Constants that do not fit were answered from the known bits.
    fn compare_zero_extended(&mut self, operator: CompareOperator, x: ValueId, bits: u128) -> Option<Simpler> {
        let narrow = self.function.ty(x);
        if bits >> narrow.bits() != 0 {
            return None;
        }
        let constant = self.integer(narrow, bits as i128);
        if narrow == Type::Bool {
            // 0 or 1 against 0 or 1.
            let answer = |value: u128| {
                fold::compare(operator, Constant::integer(Type::I8, value as i128), Constant::integer(Type::I8, bits as i128))
            };
            return match (answer(0)?, answer(1)?) {
                (false, true) => Some(Simpler::Value(x)),
                (true, false) => Some(Simpler::Operation(Operation::Unary(UnaryOperator::Not, x))),
                (known, _) => self.constant(Type::Bool, known.into()),
            };
        }
        Some(Simpler::Operation(Operation::Compare(unsigned(operator), x, constant)))
    }

    /// Two widened values compare as they did before.
    fn compare_widened(&mut self, operator: CompareOperator, a: ValueId, b: ValueId) -> Option<Simpler> {
        let (&Operation::Cast(first, x), &Operation::Cast(second, y)) = (self.operation(a)?, self.operation(b)?) else { return None };
        if first != second || self.function.ty(x) != self.function.ty(y) || self.function.ty(x) == Type::Bool {
            return None;
        }
        match first {
            CastOperator::ZeroExtend => Some(Simpler::Operation(Operation::Compare(unsigned(operator), x, y))),
            CastOperator::SignExtend => Some(Simpler::Operation(Operation::Compare(operator, x, y))),
            _ => None,
        }
    }

    /// `x + c == d`, and range checks that wrap.
    fn compare_shifted(&mut self, operator: CompareOperator, a: ValueId, b: ValueId, ty: Type) -> Option<Simpler> {
        use CompareOperator::*;
        let (base, constant) = self.as_sum(a);
        if constant == 0 {
            return None;
        }
        let bound = self.signed(b)?;
        match operator {
            Equal | NotEqual => {
                let bound = self.integer(ty, bound.wrapping_sub(constant));
                Some(Simpler::Operation(Operation::Compare(operator, base, bound)))
            }
            // x + c below c, unsigned: the sum wrapped.
            LessUnsigned if constant == bound || self.bits(b) == Some(Constant::integer(ty, constant).as_unsigned()?) => {
                let last = self.integer(ty, !constant);
                Some(Simpler::Operation(Operation::Compare(GreaterUnsigned, base, last)))
            }
            _ => self.compare_range(operator, base, constant, self.bits(b)?, ty),
        }
    }

    /// `base + constant` against a bound, where the known bits of `base` say which values it can have.
    fn compare_range(&mut self, operator: CompareOperator, base: ValueId, constant: i128, bound: u128, ty: Type) -> Option<Simpler> {
        use CompareOperator::*;
        let width = ty.bits();
        if width == 128 {
            return None;
        }
        let (zeros, ones) = self.known_bits(base);
        let shift = Constant::integer(ty, constant).as_unsigned()?;
        let (smallest, largest) = (ones + shift, !zeros + shift);
        // Unless all sums wrap or none does, they are not one range.
        if smallest >> width != largest >> width {
            return None;
        }
        let mask = u128::MAX >> (128 - width);
        let (smallest, largest) = (smallest & mask, largest & mask);
        let answer = match operator {
            LessUnsigned if largest < bound => true,
            LessUnsigned if smallest >= bound => false,
            LessEqualUnsigned if largest <= bound => true,
            LessEqualUnsigned if smallest > bound => false,
            GreaterUnsigned if smallest > bound => true,
            GreaterUnsigned if largest <= bound => false,
            GreaterEqualUnsigned if smallest >= bound => true,
            GreaterEqualUnsigned if largest < bound => false,
            _ => return None,
        };
        self.constant(Type::Bool, answer.into())
    }

    /// A sum against one of its terms.
    fn compare_sums(&mut self, operator: CompareOperator, a: ValueId, b: ValueId) -> Option<Simpler> {
        use CompareOperator::*;
        let ty = self.function.ty(a);
        let ((x, c), (y, d)) = (self.as_sum(a), self.as_sum(b));
        if x == y && matches!(operator, Equal | NotEqual) {
            // The constants differ modulo the width, for the operands would be one value otherwise.
            let same = Constant::integer(ty, c) == Constant::integer(ty, d);
            return self.constant(Type::Bool, (same == (operator == Equal)).into());
        }
        // x + c < x, unsigned: it wrapped.
        let wrapped = |operator: CompareOperator, sum: i128| match (operator, sum > 0) {
            (LessUnsigned, true) => Some((GreaterUnsigned, !sum)),
            (GreaterEqualUnsigned, true) => Some((LessEqualUnsigned, !sum)),
            (GreaterUnsigned, false) => Some((LessUnsigned, -sum)),
            (LessEqualUnsigned, false) => Some((GreaterEqualUnsigned, -sum)),
            _ => None,
        };
        if x == b && c != 0 {
            let (operator, bound) = wrapped(operator, c)?;
            let bound = self.integer(ty, bound);
            return Some(Simpler::Operation(Operation::Compare(operator, b, bound)));
        }
        if y == a && d != 0 {
            let (operator, bound) = wrapped(operator.swapped(), d)?;
            let bound = self.integer(ty, bound);
            return Some(Simpler::Operation(Operation::Compare(operator, a, bound)));
        }
        if !matches!(operator, Equal | NotEqual) {
            return None;
        }
        // a + y == a
        for (sum, other) in [(a, b), (b, a)] {
            match self.operation(sum) {
                Some(&Operation::Binary(BinaryOperator::Add, p, q)) if p == other || q == other => {
                    let rest = if p == other { q } else { p };
                    let zero = self.integer(ty, 0);
                    return Some(Simpler::Operation(Operation::Compare(operator, rest, zero)));
                }
                _ => {}
            }
        }
        None
    }

    /// Addresses that are compared as numbers.
    fn compare_addresses(&mut self, operator: CompareOperator, a: ValueId, b: ValueId) -> Option<Simpler> {
        let (x, y) = (self.as_address(a)?, self.as_address(b)?);
        (self.function.ty(x) == self.function.ty(y)).then_some(Simpler::Operation(Operation::Compare(operator, x, y)))
    }

    /// A remainder is below its divisor, and a minimum not above its operands.
    fn compare_remainder(&mut self, operator: CompareOperator, a: ValueId, b: ValueId) -> Option<Simpler> {
        use CompareOperator::*;
        let (operator, a, b) = match operator {
            LessUnsigned | GreaterEqualUnsigned | GreaterUnsigned | LessEqualUnsigned => match self.operation(a) {
                Some(Operation::Binary(..)) => (operator, a, b),
                _ => (operator.swapped(), b, a),
            },
            _ => return None,
        };
        let &Operation::Binary(limited, x, y) = self.operation(a)? else { return None };
        let answer = match (operator, limited) {
            (LessUnsigned, BinaryOperator::RemUnsigned) if y == b => true,
            (GreaterEqualUnsigned, BinaryOperator::RemUnsigned) if y == b => false,
            (LessEqualUnsigned, BinaryOperator::MinUnsigned) if x == b || y == b => true,
            (GreaterUnsigned, BinaryOperator::MinUnsigned) if x == b || y == b => false,
            _ => return None,
        };
        self.constant(Type::Bool, answer.into())
    }

    /// Recognises `(x > y) - (x < y)`: how the values compare, with their family.
    pub(super) fn three_way(&self, greater: ValueId, less: ValueId) -> Option<(Family, ValueId, ValueId)> {
        let compared = |value: ValueId| match self.operation(value) {
            Some(&Operation::Cast(CastOperator::ZeroExtend, flag)) => match self.operation(flag) {
                Some(&Operation::Compare(operator, x, y)) => Some((Outcomes::of(operator), x, y)),
                _ => None,
            },
            _ => None,
        };
        let ((greater, x, y), (less, p, q)) = (compared(greater)?, compared(less)?);
        let same = (x, y) == (p, q) && greater.family == less.family && greater.family != Family::Float;
        (same && greater.set == GREATER && less.set == LESS).then_some((greater.family, x, y))
    }

    /// A three-way comparison against a constant.
    fn compare_three_way(
        &mut self,
        operator: CompareOperator,
        family: Family,
        x: ValueId,
        y: ValueId,
        constant: Constant,
        ty: Type,
    ) -> Option<Simpler> {
        let mut set = 0;
        for (outcome, value) in [(LESS, -1), (EQUAL, 0), (GREATER, 1)] {
            if fold::compare(operator, Constant::integer(ty, value), constant)? {
                set |= outcome;
            }
        }
        self.comparison(Outcomes { set, family }, x, y)
    }

    /// The sign of `(s ^ a) & (s ^ c)` or `(a ^ c) & (a ^ s)` tells whether `a + c` or `a - c` overflowed; with a constant, so does `a`.
    fn overflow_check(&mut self, p: ValueId, q: ValueId, ty: Type) -> Option<Simpler> {
        let unused = 128 - ty.bits();
        let (smallest, largest) = (i128::MIN >> unused, i128::MAX >> unused);
        for (first, second) in [(p, q), (q, p)] {
            let Some(&Operation::Binary(BinaryOperator::Xor, x, y)) = self.operation(first) else { continue };
            for (sum, term) in [(x, y), (y, x)] {
                let (base, constant) = self.as_sum(sum);
                if base != term || constant == 0 || constant == smallest {
                    continue;
                }
                let matches = self.is_xor(second, sum, constant) || self.is_xor(second, term, -constant);
                if !matches {
                    continue;
                }
                let (operator, bound) = match constant > 0 {
                    true => (CompareOperator::GreaterSigned, largest - constant),
                    false => (CompareOperator::LessSigned, smallest - constant),
                };
                let bound = self.integer(ty, bound);
                return Some(Simpler::Operation(Operation::Compare(operator, term, bound)));
            }
        }
        None
    }

    /// Whether a value is `x ^ constant`.
    fn is_xor(&self, value: ValueId, x: ValueId, constant: i128) -> bool {
        match self.operation(value) {
            Some(&Operation::Binary(BinaryOperator::Xor, y, bits)) => y == x && self.signed(bits) == Some(constant),
            Some(&Operation::Unary(UnaryOperator::Not, y)) => y == x && constant == -1,
            _ => false,
        }
    }

    /// `x | y` is zero if both are; worth asking where one of them is a flag or a shifted half.
    fn compare_packed(&mut self, operator: CompareOperator, x: ValueId, y: ValueId) -> Option<Simpler> {
        let ty = self.function.ty(x);
        let widened = |value: ValueId| matches!(self.operation(value), Some(Operation::Cast(CastOperator::ZeroExtend, _)));
        if !widened(x) || !widened(y) {
            return None;
        }
        let zero = self.integer(ty, 0);
        let (x, y) =
            (self.emit(Operation::Compare(operator, x, zero), Type::Bool), self.emit(Operation::Compare(operator, y, zero), Type::Bool));
        let joint = if operator == CompareOperator::Equal { BinaryOperator::And } else { BinaryOperator::Or };
        Some(Simpler::Operation(Operation::Binary(joint, x, y)))
    }
}

/// The comparison of numbers that are not negative, as unsigned ones.
fn unsigned(operator: CompareOperator) -> CompareOperator {
    use CompareOperator::*;
    match operator {
        LessSigned => LessUnsigned,
        LessEqualSigned => LessEqualUnsigned,
        GreaterSigned => GreaterUnsigned,
        GreaterEqualSigned => GreaterEqualUnsigned,
        other => other,
    }
}
