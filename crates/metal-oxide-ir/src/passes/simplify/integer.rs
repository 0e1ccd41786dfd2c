//! Identities of integer arithmetic.
//! A constant that is added or subtracted is written so that it is not negative.

use super::{Context, Simpler};
use crate::passes::rewrite::as_sum;
use crate::{BinaryOperator, CastOperator, Operation, Type, UnaryOperator, ValueId};

impl Context<'_> {
    pub(super) fn simplify_integer(&mut self, operator: BinaryOperator, a: ValueId, b: ValueId, ty: Type) -> Option<Simpler> {
        use BinaryOperator::*;
        match operator {
            Add => self.simplify_add(a, b, ty),
            Sub => self.simplify_sub(a, b, ty),
            Mul => self.simplify_mul(a, b, ty),
            DivUnsigned | DivSigned | RemUnsigned | RemSigned => self.simplify_division(operator, a, b, ty),
            ShiftLeft | ShiftRightUnsigned | ShiftRightSigned => self.simplify_shift(operator, a, b, ty),
            RotateLeft => match self.bits(b)? % u128::from(ty.bits()) {
                0 => Some(Simpler::Value(a)),
                _ => None,
            },
            MinUnsigned | MaxUnsigned | MinSigned | MaxSigned => self.simplify_extremum(operator, a, b, ty),
            AddSaturatingUnsigned | AddSaturatingSigned | SubSaturatingUnsigned | SubSaturatingSigned => {
                (self.bits(b)? == 0).then_some(Simpler::Value(a))
            }
            MulHighUnsigned | MulHighSigned => match self.bits(b)? {
                0 => self.constant(ty, 0),
                1 if operator == MulHighUnsigned => self.constant(ty, 0),
                _ => None,
            },
            _ => None,
        }
    }

    /// A value as another plus a constant.
    pub(super) fn as_sum(&self, value: ValueId) -> (ValueId, i128) {
        as_sum(self.function, value)
    }

    /// `base + constant`.
    pub(super) fn sum(&mut self, base: ValueId, constant: i128, ty: Type) -> Simpler {
        // Into the range of the type; the smallest number stays negative.
        let unused = 128 - ty.bits();
        let constant = (constant << unused) >> unused;
        let negative = constant < 0 && constant != i128::MIN >> unused;
        match constant {
            0 => Simpler::Value(base),
            _ if negative => {
                let constant = self.integer(ty, -constant);
                Simpler::Operation(Operation::Binary(BinaryOperator::Sub, base, constant))
            }
            _ => {
                let constant = self.integer(ty, constant);
                Simpler::Operation(Operation::Binary(BinaryOperator::Add, base, constant))
            }
        }
    }

    fn simplify_add(&mut self, a: ValueId, b: ValueId, ty: Type) -> Option<Simpler> {
        if let Some(constant) = self.signed(b) {
            let (base, inner) = self.as_sum(a);
            let canonical = constant > 0 || constant == i128::MIN >> (128 - ty.bits());
            return (inner != 0 || !canonical).then(|| self.sum(base, constant.wrapping_add(inner), ty));
        }
        // (x + c) + (y + d)
        let ((x, c), (y, d)) = (self.as_sum(a), self.as_sum(b));
        if c != 0 && d != 0 {
            let base = self.binary(BinaryOperator::Add, x, y);
            return Some(self.sum(base, c.wrapping_add(d), ty));
        }
        for (x, y) in [(a, b), (b, a)] {
            match self.operation(y) {
                Some(&Operation::Unary(UnaryOperator::Neg, z)) => {
                    return Some(Simpler::Operation(Operation::Binary(BinaryOperator::Sub, x, z)));
                }
                Some(&Operation::Binary(BinaryOperator::Sub, z, w)) if w == x => return Some(Simpler::Value(z)),
                _ => {}
            }
        }
        None
    }

    fn simplify_sub(&mut self, a: ValueId, b: ValueId, ty: Type) -> Option<Simpler> {
        if a == b {
            return self.constant(ty, 0);
        }
        if let Some(constant) = self.signed(b) {
            let (base, inner) = self.as_sum(a);
            let canonical = constant > 0;
            return (inner != 0 || !canonical).then(|| self.sum(base, inner.wrapping_sub(constant), ty));
        }
        if self.bits(a) == Some(0) {
            return Some(Simpler::Operation(Operation::Unary(UnaryOperator::Neg, b)));
        }
        match self.operation(b) {
            Some(&Operation::Unary(UnaryOperator::Neg, x)) => {
                return Some(Simpler::Operation(Operation::Binary(BinaryOperator::Add, a, x)));
            }
            // a - (a - x), a - (a + x)
            Some(&Operation::Binary(BinaryOperator::Sub, x, y)) if x == a => return Some(Simpler::Value(y)),
            Some(&Operation::Binary(BinaryOperator::Add, x, y)) if x == a || y == a => {
                let other = if x == a { y } else { x };
                return Some(Simpler::Operation(Operation::Unary(UnaryOperator::Neg, other)));
            }
            _ => {}
        }
        match self.operation(a) {
            Some(&Operation::Binary(BinaryOperator::Add, x, y)) if y == b => return Some(Simpler::Value(x)),
            Some(&Operation::Binary(BinaryOperator::Add, x, y)) if x == b => return Some(Simpler::Value(y)),
            _ => {}
        }
        // (x + c) - (x + d)
        let ((x, c), (y, d)) = (self.as_sum(a), self.as_sum(b));
        if x == y && (c != 0 || d != 0) {
            return self.constant(ty, c.wrapping_sub(d));
        }
        if let (Some(x), Some(y)) = (self.as_address(a), self.as_address(b)) {
            return self.element_distance(x, y, 1).map(Simpler::Value);
        }
        // (x + c) * z - x * z
        let (&Operation::Binary(BinaryOperator::Mul, p, q), &Operation::Binary(BinaryOperator::Mul, r, s)) =
            (self.operation(a)?, self.operation(b)?)
        else {
            return None;
        };
        for (x, y, z) in [(p, r, (q, s)), (p, s, (q, r)), (q, r, (p, s)), (q, s, (p, r))] {
            let ((base, c), (other, d)) = (self.as_sum(x), self.as_sum(y));
            if z.0 == z.1 && base == other {
                let factor = self.integer(ty, c.wrapping_sub(d));
                return Some(Simpler::Operation(Operation::Binary(BinaryOperator::Mul, z.0, factor)));
            }
        }
        None
    }

    fn simplify_mul(&mut self, a: ValueId, b: ValueId, ty: Type) -> Option<Simpler> {
        let factor = self.bits(b)?;
        match factor {
            0 => return self.constant(ty, 0),
            1 => return Some(Simpler::Value(a)),
            _ if self.signed(b) == Some(-1) => return Some(Simpler::Operation(Operation::Unary(UnaryOperator::Neg, a))),
            _ => {}
        }
        if let Some(&Operation::Binary(BinaryOperator::Mul, x, inner)) = self.operation(a)
            && let Some(inner) = self.bits(inner)
        {
            let product = self.integer(ty, inner.wrapping_mul(factor) as i128);
            return Some(Simpler::Operation(Operation::Binary(BinaryOperator::Mul, x, product)));
        }
        None
    }

    fn simplify_division(&mut self, operator: BinaryOperator, a: ValueId, b: ValueId, ty: Type) -> Option<Simpler> {
        use BinaryOperator::*;
        let quotient = matches!(operator, DivUnsigned | DivSigned);
        // The divisor is not zero.
        if self.bits(a) == Some(0) {
            return self.constant(ty, 0);
        }
        if a == b {
            return self.constant(ty, quotient.into());
        }
        if self.bits(b) == Some(1) {
            return if quotient { Some(Simpler::Value(a)) } else { self.constant(ty, 0) };
        }
        if self.signed(b) == Some(-1) && operator == DivSigned {
            return Some(Simpler::Operation(Operation::Unary(UnaryOperator::Neg, a)));
        }
        // The distance of two elements in bytes, divided by their size: distances within an object do not wrap.
        let size = self.bits(b)?;
        if operator == DivSigned
            && let Some(&Operation::Binary(Sub, x, y)) = self.operation(a)
            && let (Some(x), Some(y)) = (self.as_address(x), self.as_address(y))
            && let Some(distance) = self.element_distance(x, y, size as u64)
        {
            return Some(Simpler::Value(distance));
        }
        // The high bits of a narrower number are zero.
        let (zeros, _) = self.known_bits(a);
        let largest = !zeros;
        if matches!(operator, DivUnsigned | RemUnsigned) && largest < size {
            return if quotient { self.constant(ty, 0) } else { Some(Simpler::Value(a)) };
        }
        None
    }

    fn simplify_shift(&mut self, operator: BinaryOperator, a: ValueId, b: ValueId, ty: Type) -> Option<Simpler> {
        use BinaryOperator::*;
        if self.bits(a) == Some(0) {
            return self.constant(ty, 0);
        }
        // A count is below the width, so its high bits do not matter.
        if let Some(&Operation::Binary(And, count, mask)) = self.operation(b)
            && self.bits(mask) == Some(u128::from(ty.bits() - 1))
            && self.known_bits(count).0 | u128::from(ty.bits() - 1) == u128::MAX
        {
            return Some(Simpler::Operation(Operation::Binary(operator, a, count)));
        }
        let count = self.bits(b)?;
        if count == 0 {
            return Some(Simpler::Value(a));
        }
        let width = u128::from(ty.bits());
        if count >= width {
            return None;
        }
        let Some(&Operation::Binary(inner, x, inner_count)) = self.operation(a) else {
            return self.simplify_extract(operator, a, count, ty);
        };
        let inner_count = self.bits(inner_count).filter(|&count| count < width)?;
        let all = u128::MAX >> (128 - width);
        match (operator, inner) {
            (ShiftLeft, ShiftLeft) | (ShiftRightUnsigned, ShiftRightUnsigned) => {
                let total = count + inner_count;
                if total >= width {
                    return self.constant(ty, 0);
                }
                let total = self.integer(ty, total as i128);
                Some(Simpler::Operation(Operation::Binary(operator, x, total)))
            }
            (ShiftRightUnsigned, ShiftLeft) | (ShiftLeft, ShiftRightUnsigned) if count == inner_count => {
                let mask = if operator == ShiftLeft { all << count & all } else { all >> count };
                let mask = self.integer(ty, mask as i128);
                Some(Simpler::Operation(Operation::Binary(And, x, mask)))
            }
            _ => self.simplify_extract(operator, a, count, ty),
        }
    }

    /// A right shift that leaves nothing but the bits of a narrower value.
    fn simplify_extract(&mut self, operator: BinaryOperator, a: ValueId, count: u128, ty: Type) -> Option<Simpler> {
        if operator != BinaryOperator::ShiftRightUnsigned {
            return None;
        }
        let narrow = Type::integer(ty.bits() - count as u32)?;
        let value = self.extract(a, count as u32, narrow)?;
        Some(Simpler::Operation(Operation::Cast(CastOperator::ZeroExtend, value)))
    }

    fn simplify_extremum(&mut self, operator: BinaryOperator, a: ValueId, b: ValueId, ty: Type) -> Option<Simpler> {
        use BinaryOperator::*;
        if a == b {
            return Some(Simpler::Value(a));
        }
        let limit = self.signed(b)?;
        let unused = 128 - ty.bits();
        let (smallest, largest) = match operator {
            MinUnsigned | MaxUnsigned => (0, -1),
            _ => (i128::MIN >> unused, i128::MAX >> unused),
        };
        let minimum = matches!(operator, MinUnsigned | MinSigned);
        if limit == if minimum { smallest } else { largest } {
            return Some(Simpler::Value(b));
        }
        if limit == if minimum { largest } else { smallest } {
            return Some(Simpler::Value(a));
        }
        if let Some(&Operation::Binary(inner, x, y)) = self.operation(a)
            && inner == operator
            && let Some(combined) = crate::passes::fold::fold(self.function, &Operation::Binary(operator, y, b), ty)
        {
            let combined = self.function.add_constant(combined);
            return Some(Simpler::Operation(Operation::Binary(operator, x, combined)));
        }
        None
    }

    pub(super) fn simplify_neg(&mut self, a: ValueId) -> Option<Simpler> {
        match self.operation(a)? {
            Operation::Unary(UnaryOperator::Neg, x) => Some(Simpler::Value(*x)),
            Operation::Binary(BinaryOperator::Sub, x, y) => Some(Simpler::Operation(Operation::Binary(BinaryOperator::Sub, *y, *x))),
            _ => None,
        }
    }
}
