//! Expresses values by atoms: looks through arithmetic wherever it is shown not to wrap.
//! A value that cannot be taken apart is an atom itself.

use super::Relations;
use super::polynomial::{Atom, Polynomial};
use super::state::{AtomKind, Bounds, Divisor, Expansion, Sign};
use crate::analysis::ranges::{signed_maximum, unsigned_maximum};
use crate::{BinaryOperator, CastOperator, Constant, MemoryKind, Operation, Type, UnaryOperator, ValueId};

/// Steps that a proof about wrapping may take.
const NODES: u32 = 30;
/// How deep expressions are looked into.
pub(super) const DEPTH: u32 = 24;

impl Relations<'_> {
    /// The value as an unsigned number, normalised.
    pub(super) fn unsigned(&mut self, value: ValueId) -> Option<Polynomial> {
        self.expand(value, Sign::Unsigned)
    }

    /// The value as a signed number, normalised.
    pub(super) fn signed(&mut self, value: ValueId) -> Option<Polynomial> {
        self.expand(value, Sign::Signed)
    }

    fn expand(&mut self, value: ValueId, sign: Sign) -> Option<Polynomial> {
        let bits = width(self.function.ty(value))?;
        if let Some(constant) = self.function.constant(value) {
            match (constant, sign) {
                (Constant::Bits { bits, .. }, Sign::Unsigned) => return Some(Polynomial::constant(bits as i128)),
                (Constant::Bits { .. }, Sign::Signed) => return constant.as_signed().map(Polynomial::constant),
                // Each use of an undefined value may see another number.
                (Constant::Undef(_), _) => return None,
                (Constant::Global(_), _) => {}
            }
        }
        if sign == Sign::Signed && self.ranges.get(self.function, value).unsigned.1 <= signed_maximum(bits) {
            return self.expand(value, Sign::Unsigned);
        }
        let key = (value, sign);
        if let Some(known) = self.state.expansions.get(&key)
            && known.gave_up_at.is_none_or(|facts| facts == self.state.facts.len() || self.depth >= DEPTH)
        {
            let polynomial = known.polynomial.clone();
            return self.state.normalized(&polynomial);
        }
        if self.depth >= DEPTH || !self.spend(1) {
            let atom = self.leaf(value, sign);
            return self.state.normalized(&Polynomial::monomial(atom));
        }
        self.depth += 1;
        let taken_apart = self.take_apart(value, sign, bits);
        self.depth -= 1;
        let expansion = match taken_apart {
            Some(polynomial) => {
                // Facts from before may speak of the value as an atom.
                let kind = if sign == Sign::Unsigned { AtomKind::Unsigned(value) } else { AtomKind::Signed(value) };
                if let Some(atom) = self.state.existing_atom(kind) {
                    self.replace(atom, &polynomial);
                }
                Expansion { polynomial, gave_up_at: None }
            }
            None => {
                let atom = self.leaf(value, sign);
                Expansion { polynomial: Polynomial::monomial(atom), gave_up_at: Some(self.state.facts.len()) }
            }
        };
        let polynomial = expansion.polynomial.clone();
        self.state.set_expansion(key, expansion);
        self.state.normalized(&polynomial)
    }

    /// Substitutes a polynomial for an atom, unless it mentions the atom.
    pub(super) fn replace(&mut self, atom: Atom, by: &Polynomial) {
        if self.state.substitution(atom).is_some() {
            return;
        }
        let Some(by) = self.state.normalized(by) else { return };
        let mentions = by.terms.iter().any(|term| self.state.monomials.factors(term.0).contains(&atom));
        if !mentions {
            self.state.substitute(atom, by);
        }
    }

    /// The value as an atom, described by what is known of its operation.
    fn leaf(&mut self, value: ValueId, sign: Sign) -> super::polynomial::Monomial {
        let value_range = self.ranges.get(self.function, value);
        let atom = match (sign, self.function.defining_operation(value)) {
            (Sign::Unsigned, Some(&Operation::Coordinate(coordinate, axis))) => {
                let (low, high) = value_range.unsigned;
                self.state.atom(AtomKind::Coordinate(coordinate, axis), || Bounds::between(low, high))
            }
            (Sign::Unsigned, _) => {
                let (low, high) = value_range.unsigned;
                self.state.atom(AtomKind::Unsigned(value), || Bounds::between(low, high))
            }
            (Sign::Signed, _) => {
                let (low, high) = value_range.signed;
                self.state.atom(AtomKind::Signed(value), || Bounds::between(low, high))
            }
        };
        self.describe(atom);
        if self.state.existing_atom(AtomKind::Signed(value)).is_some() {
            self.link(value);
        }
        self.state.monomials.atom(atom)
    }

    /// Makes the signed number the unsigned one if the value is shown not to be negative.
    pub(super) fn link(&mut self, value: ValueId) {
        let Some(signed) = self.state.existing_atom(AtomKind::Signed(value)) else { return };
        if self.state.substitution(signed).is_some() || self.depth >= DEPTH {
            return;
        }
        let Some(bits) = width(self.function.ty(value)) else { return };
        let (low, high) = self.ranges.get(self.function, value).unsigned;
        let unsigned = match self.function.defining_operation(value) {
            Some(&Operation::Coordinate(coordinate, axis)) => AtomKind::Coordinate(coordinate, axis),
            _ => AtomKind::Unsigned(value),
        };
        let unsigned = self.state.atom(unsigned, || Bounds::between(low, high));
        let (unsigned_term, signed_term) = (self.state.monomials.atom(unsigned), self.state.monomials.atom(signed));
        self.depth += 1;
        let below_half = Polynomial::monomial(unsigned_term).scaled(-1).and_then(|negative| negative.plus_constant(signed_maximum(bits)));
        let positive = self.follows(&Polynomial::monomial(signed_term), NODES)
            || below_half.is_some_and(|below_half| self.follows(&below_half, NODES));
        self.depth -= 1;
        if positive && self.state.substitution(signed).is_none() {
            self.replace(signed, &Polynomial::monomial(unsigned_term));
            self.describe(unsigned);
        }
    }

    fn take_apart(&mut self, value: ValueId, sign: Sign, bits: u32) -> Option<Polynomial> {
        let operation = self.function.defining_operation(value)?.clone();
        let direct = match sign {
            Sign::Unsigned => self.unsigned_operation(&operation, bits),
            Sign::Signed => self.signed_operation(&operation, bits),
        };
        if direct.is_some() {
            return direct;
        }
        // The other reading gives the same number where both agree.
        match sign {
            Sign::Unsigned if worth_reading_signed(&operation) => {
                let other = self.signed_operation(&operation, bits).or_else(|| self.signed_atom(value, &operation))?;
                self.follows(&other, NODES).then_some(other)
            }
            Sign::Signed => {
                let other = self.unsigned_operation(&operation, bits)?;
                self.at_most(&other, signed_maximum(bits)).then_some(other)
            }
            Sign::Unsigned => None,
        }
    }

    /// An operation on signed numbers as an atom of its own, with what is known of it.
    fn signed_atom(&mut self, value: ValueId, operation: &Operation) -> Option<Polynomial> {
        use BinaryOperator::{MaxSigned, MinSigned, ShiftRightSigned};
        if !matches!(operation, Operation::Binary(MinSigned | MaxSigned | ShiftRightSigned, ..)) {
            return None;
        }
        let (low, high) = self.ranges.get(self.function, value).signed;
        let atom = self.state.atom(AtomKind::Signed(value), || Bounds::between(low, high));
        self.describe(atom);
        let term = self.state.monomials.atom(atom);
        if let Operation::Binary(MinSigned, a, b) = operation {
            // More may be known of the operands than when the atom was described.
            self.not_negative_if_both(&Polynomial::monomial(term), *a, *b);
        }
        self.state.normalized(&Polynomial::monomial(term))
    }

    /// The exact result of an operation read as unsigned, if it is shown not to wrap.
    fn unsigned_operation(&mut self, operation: &Operation, bits: u32) -> Option<Polynomial> {
        use BinaryOperator::*;
        match operation {
            Operation::Cast(operator, a) => match operator {
                CastOperator::ZeroExtend | CastOperator::PointerToInteger | CastOperator::IntegerToPointer | CastOperator::Space => {
                    self.unsigned(*a)
                }
                CastOperator::SignExtend => {
                    let a = self.signed(*a)?;
                    self.follows(&a, NODES).then_some(a)
                }
                CastOperator::Truncate => {
                    let a = self.unsigned(*a)?;
                    self.at_most(&a, unsigned_maximum(bits)).then_some(a)
                }
                _ => None,
            },
            Operation::Binary(operator, a, b) => {
                let (a, b) = (*a, *b);
                match operator {
                    Add => self.unsigned_sum(a, b, bits),
                    Sub => {
                        let difference = self.unsigned(a)?.minus(&self.unsigned(b)?)?;
                        self.follows(&difference, NODES).then_some(difference)
                    }
                    Mul => {
                        let (a, b) = (self.unsigned(a)?, self.unsigned(b)?);
                        let product = a.times(&b, &mut self.state.monomials)?;
                        self.at_most(&product, unsigned_maximum(bits)).then_some(product)
                    }
                    ShiftLeft => {
                        let shifted = self.unsigned(a)?.scaled(1 << self.shift_count(b, bits)?)?;
                        self.at_most(&shifted, unsigned_maximum(bits)).then_some(shifted)
                    }
                    ShiftRightUnsigned => {
                        let divisor = Divisor::Constant(1 << self.shift_count(b, bits)?);
                        self.division(AtomKind::Quotient(a, divisor))
                    }
                    DivUnsigned | DivSigned | RemUnsigned | RemSigned => self.unsigned_division(*operator, a, b),
                    And => self.masked(a, b, bits),
                    Or => self.disjoint_bits(a, b),
                    SubSaturatingUnsigned => {
                        let difference = self.unsigned(a)?.minus(&self.unsigned(b)?)?;
                        self.follows(&difference, NODES).then_some(difference)
                    }
                    AddSaturatingUnsigned => {
                        let sum = self.unsigned(a)?.plus(&self.unsigned(b)?)?;
                        self.at_most(&sum, unsigned_maximum(bits)).then_some(sum)
                    }
                    MulHighUnsigned => {
                        let (a, b) = (self.unsigned(a)?, self.unsigned(b)?);
                        let product = a.times(&b, &mut self.state.monomials)?;
                        self.at_most(&product, unsigned_maximum(bits)).then(Polynomial::default)
                    }
                    _ => None,
                }
            }
            Operation::Element { base, index, ty } => {
                let size = i128::from(self.module.ty(*ty).size);
                let distance = self.signed(*index)?.scaled(size)?;
                self.address(*base, &distance)
            }
            Operation::Offset { base, bytes } => {
                let distance = self.signed(*bytes)?;
                self.address(*base, &distance)
            }
            Operation::Field { base, ty, field } => {
                let MemoryKind::Struct { fields } = &self.module.ty(*ty).kind else { return None };
                let distance = Polynomial::constant(fields[*field as usize].offset.into());
                self.address(*base, &distance)
            }
            _ => None,
        }
    }

    /// The exact result of an operation read as signed, if it is shown not to wrap.
    fn signed_operation(&mut self, operation: &Operation, bits: u32) -> Option<Polynomial> {
        use BinaryOperator::*;
        let exact = match operation {
            Operation::Cast(CastOperator::SignExtend, a) => return self.signed(*a),
            Operation::Cast(CastOperator::Truncate, a) => self.signed(*a)?,
            Operation::Binary(Add, a, b) => self.signed(*a)?.plus(&self.signed(*b)?)?,
            Operation::Binary(Sub, a, b) => self.signed(*a)?.minus(&self.signed(*b)?)?,
            Operation::Binary(Mul, a, b) => {
                let (a, b) = (self.signed(*a)?, self.signed(*b)?);
                a.times(&b, &mut self.state.monomials)?
            }
            Operation::Binary(ShiftLeft, a, b) => self.signed(*a)?.scaled(1 << self.shift_count(*b, bits)?)?,
            Operation::Unary(UnaryOperator::Neg, a) => self.signed(*a)?.scaled(-1)?,
            Operation::Unary(UnaryOperator::Not, a) => self.signed(*a)?.scaled(-1)?.plus_constant(-1)?,
            _ => return None,
        };
        let highest = signed_maximum(bits);
        let above = exact.plus_constant(highest + 1)?;
        (self.at_most(&exact, highest) && self.follows(&above, NODES)).then_some(exact)
    }

    pub(super) fn at_most(&mut self, polynomial: &Polynomial, limit: i128) -> bool {
        let room = polynomial.scaled(-1).and_then(|negative| negative.plus_constant(limit));
        room.is_some_and(|room| self.follows(&room, NODES))
    }

    fn unsigned_sum(&mut self, a: ValueId, b: ValueId, bits: u32) -> Option<Polynomial> {
        let limit = unsigned_maximum(bits);
        let first = self.unsigned(a)?;
        // Adding a high constant is how subtraction looks after simplification.
        if let Some(constant) = self.function.constant(b).and_then(Constant::as_signed)
            && constant < 0
        {
            let difference = first.plus_constant(constant)?;
            return self.follows(&difference, NODES).then_some(difference);
        }
        let sum = first.plus(&self.unsigned(b)?)?;
        if self.at_most(&sum, limit) {
            return Some(sum);
        }
        // An unsigned number moved by a signed one.
        for (a, b) in [(a, b), (b, a)] {
            if self.ranges.get(self.function, b).signed.0 < 0 {
                let moved = self.unsigned(a)?.plus(&self.signed(b)?)?;
                if self.follows(&moved, NODES) && self.at_most(&moved, limit) {
                    return Some(moved);
                }
            }
        }
        None
    }

    fn address(&mut self, base: ValueId, distance: &Polynomial) -> Option<Polynomial> {
        let address = self.unsigned(base)?.plus(distance)?;
        (self.at_most(&address, unsigned_maximum(64)) && self.follows(&address, NODES)).then_some(address)
    }

    fn shift_count(&self, count: ValueId, bits: u32) -> Option<u32> {
        let count = self.function.constant(count)?.as_unsigned()?;
        (count < u128::from(bits)).then_some(count as u32)
    }

    fn unsigned_division(&mut self, operator: BinaryOperator, a: ValueId, b: ValueId) -> Option<Polynomial> {
        use BinaryOperator::{DivSigned, DivUnsigned, RemSigned};
        let divisor = match self.function.constant(b).and_then(Constant::as_unsigned) {
            Some(0) => return None,
            Some(constant) => Divisor::Constant(constant as i128),
            None => Divisor::Value(b),
        };
        if matches!(operator, DivSigned | RemSigned) {
            // Signed division is unsigned division where neither side is negative.
            for side in [a, b] {
                let signed = self.signed(side)?;
                if !self.follows(&signed, NODES) {
                    return None;
                }
            }
        }
        let quotient = matches!(operator, DivUnsigned | DivSigned);
        self.division(if quotient { AtomKind::Quotient(a, divisor) } else { AtomKind::Remainder(a, divisor) })
    }

    pub(super) fn division(&mut self, kind: AtomKind) -> Option<Polynomial> {
        let (AtomKind::Quotient(a, divisor) | AtomKind::Remainder(a, divisor)) = kind else { return None };
        let (low, high) = self.ranges.get(self.function, a).unsigned;
        let (least, most) = match divisor {
            Divisor::Constant(constant) => (constant, constant),
            Divisor::Value(value) => self.ranges.get(self.function, value).unsigned,
        };
        let bounds = match kind {
            AtomKind::Quotient(..) => Bounds::between(low / most.max(1), high / least.max(1)),
            _ => Bounds::between(0, high.min((most - 1).max(0))),
        };
        let atom = self.state.atom(kind, || bounds);
        self.describe(atom);
        let term = self.state.monomials.atom(atom);
        self.state.normalized(&Polynomial::monomial(term))
    }

    /// The low or the high bits of a value.
    fn masked(&mut self, a: ValueId, b: ValueId, bits: u32) -> Option<Polynomial> {
        let mask = self.function.constant(b)?.as_unsigned()? as i128;
        let low = mask + 1;
        if low & mask == 0 {
            return self.division(AtomKind::Remainder(a, Divisor::Constant(low)));
        }
        let divisor = unsigned_maximum(bits) - mask + 1;
        if divisor & (divisor - 1) == 0 {
            let remainder = self.division(AtomKind::Remainder(a, Divisor::Constant(divisor)))?;
            return self.unsigned(a)?.minus(&remainder);
        }
        None
    }

    /// The sum of two values of which one only has bits above those of the other.
    fn disjoint_bits(&mut self, a: ValueId, b: ValueId) -> Option<Polynomial> {
        for (high, low) in [(a, b), (b, a)] {
            let zeros = self.trailing_zeros(high, 4);
            if zeros > 0 {
                let low = self.unsigned(low)?;
                if self.at_most(&low, unsigned_maximum(zeros)) {
                    return self.unsigned(high)?.plus(&low);
                }
            }
        }
        None
    }

    /// How many of the lowest bits are zero, at least.
    fn trailing_zeros(&self, value: ValueId, depth: u32) -> u32 {
        use BinaryOperator::{And, Mul, ShiftLeft};
        if let Some(constant) = self.function.constant(value).and_then(Constant::as_unsigned) {
            return constant.trailing_zeros().min(63);
        }
        let (Some(operation), 1..) = (self.function.defining_operation(value), depth) else { return 0 };
        let inner = |value| self.trailing_zeros(value, depth - 1);
        match operation {
            Operation::Binary(ShiftLeft, a, b) => {
                let count = self.function.constant(*b).and_then(Constant::as_unsigned).map_or(0, |count| count.min(63) as u32);
                (inner(*a) + count).min(63)
            }
            Operation::Binary(Mul, a, b) => (inner(*a) + inner(*b)).min(63),
            Operation::Binary(And, a, b) => inner(*a).max(inner(*b)),
            Operation::Cast(CastOperator::ZeroExtend | CastOperator::SignExtend, a) => inner(*a),
            _ => 0,
        }
    }
}

/// The width of values that can be expressed. Wider integers do not fit the arithmetic.
pub(super) fn width(ty: Type) -> Option<u32> {
    (ty == Type::Bool || ty.is_pointer() || ty.is_integer() && ty != Type::I128).then(|| ty.bits())
}

/// Whether an operation may mean something as a signed one that it does not as an unsigned one.
fn worth_reading_signed(operation: &Operation) -> bool {
    use BinaryOperator::{Add, MaxSigned, MinSigned, Mul, ShiftRightSigned, Sub};
    matches!(
        operation,
        Operation::Binary(Add | Sub | Mul | MinSigned | MaxSigned | ShiftRightSigned, ..)
            | Operation::Unary(UnaryOperator::Neg, _)
            | Operation::Cast(CastOperator::Truncate | CastOperator::SignExtend, _)
    )
}
