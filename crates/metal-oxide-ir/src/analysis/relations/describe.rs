//! What the operation that computes an atom says about it.
//! Every statement holds wherever the operation has been executed, wrapping or not.

use super::Relations;
use super::expand::DEPTH;
use super::polynomial::{Atom, Monomial, Polynomial};
use super::state::{AtomKind, Bounds, Divisor};
use crate::analysis::ranges::unsigned_maximum;
use crate::{Axis, BinaryOperator, CastOperator, Constant, Coordinate, FunctionKind, KernelParameterKind, Operation, ValueId};

impl Relations<'_> {
    /// Adds the facts about an atom, once.
    pub(super) fn describe(&mut self, atom: Atom) {
        if self.depth >= DEPTH || !self.state.set_described(atom) || !self.spend(1) {
            return;
        }
        self.depth += 1;
        self.describe_kind(atom);
        self.depth -= 1;
    }

    fn describe_kind(&mut self, atom: Atom) {
        let term = self.state.monomials.atom(atom);
        let this = Polynomial::monomial(term);
        match self.state.kind(atom) {
            AtomKind::Unsigned(value) => {
                if let Some(operation) = self.function.defining_operation(value).cloned() {
                    self.describe_unsigned(&this, &operation, value);
                } else {
                    self.describe_buffer(&this, value);
                }
            }
            AtomKind::Signed(value) => {
                if let Some(operation) = self.function.defining_operation(value).cloned() {
                    self.describe_signed(&this, &operation);
                }
            }
            AtomKind::Quotient(a, divisor) => self.describe_division(atom, a, divisor),
            AtomKind::Remainder(a, divisor) => {
                // The quotient says what the two have in common.
                let _ = self.division(AtomKind::Quotient(a, divisor));
            }
            AtomKind::Coordinate(coordinate, axis) => self.describe_coordinate(term, coordinate, axis),
        }
    }

    /// `small <= large`.
    fn at_least(&mut self, large: Option<Polynomial>, small: Option<Polynomial>) {
        if let (Some(large), Some(small)) = (large, small)
            && let Some(fact) = large.minus(&small)
        {
            self.assume_fact(&fact);
        }
    }

    fn describe_unsigned(&mut self, this: &Polynomial, operation: &Operation, value: ValueId) {
        use BinaryOperator::*;
        let bits = self.function.ty(value).bits();
        let wrap = unsigned_maximum(bits) + 1;
        let this = Some(this.clone());
        match operation {
            Operation::Binary(operator, a, b) => {
                let (Some(x), Some(y)) = (self.unsigned(*a), self.unsigned(*b)) else { return };
                let sum = x.plus(&y);
                match operator {
                    MinUnsigned => {
                        self.at_least(Some(x), this.clone());
                        self.at_least(Some(y), this);
                    }
                    MaxUnsigned => {
                        self.at_least(this.clone(), Some(x));
                        self.at_least(this.clone(), Some(y));
                        self.at_least(sum, this);
                    }
                    And => {
                        self.at_least(Some(x), this.clone());
                        self.at_least(Some(y), this);
                    }
                    Or => {
                        self.at_least(this.clone(), Some(x));
                        self.at_least(this.clone(), Some(y));
                        self.at_least(sum, this);
                    }
                    Xor => self.at_least(sum, this),
                    Add => {
                        match self.function.constant(*b).and_then(Constant::as_signed) {
                            Some(constant) if constant < 0 => self.at_least(this.clone(), x.plus_constant(constant)),
                            _ => self.at_least(this.clone(), sum.as_ref().and_then(|sum| sum.plus_constant(-wrap))),
                        }
                        self.at_least(sum, this);
                    }
                    AddSaturatingUnsigned => {
                        self.at_least(this.clone(), Some(x));
                        self.at_least(this.clone(), Some(y));
                        self.at_least(sum, this);
                    }
                    Sub => {
                        let difference = x.minus(&y);
                        self.at_least(this.clone(), difference.clone());
                        self.at_least(difference.and_then(|difference| difference.plus_constant(wrap)), this);
                    }
                    SubSaturatingUnsigned => {
                        self.at_least(this.clone(), x.minus(&y));
                        self.at_least(Some(x), this);
                    }
                    Mul => {
                        let product = x.times(&y, &mut self.state.monomials);
                        self.at_least(product, this);
                    }
                    MulHighUnsigned => {
                        let product = x.times(&y, &mut self.state.monomials);
                        let high = this.as_ref().and_then(|this| this.scaled(wrap));
                        self.at_least(product.clone(), high.clone());
                        self.at_least(high.and_then(|high| high.plus_constant(wrap - 1)), product);
                    }
                    ShiftLeft => {
                        if let Some(count) = self.function.constant(*b).and_then(Constant::as_unsigned).filter(|count| *count < 64) {
                            self.at_least(x.scaled(1 << count), this);
                        }
                    }
                    _ => {}
                }
            }
            Operation::Cast(CastOperator::Truncate, a) => {
                let a = self.unsigned(*a);
                self.at_least(a, this);
            }
            Operation::Slot(ty) => {
                let end = this.and_then(|this| this.plus_constant(self.module.ty(*ty).size.into()));
                self.at_least(Some(Polynomial::constant(unsigned_maximum(64))), end);
            }
            _ => {}
        }
    }

    fn describe_signed(&mut self, this: &Polynomial, operation: &Operation) {
        use BinaryOperator::{MaxSigned, MinSigned, ShiftRightSigned};
        match operation {
            Operation::Binary(MinSigned, a, b) | Operation::Select(_, a, b) => self.not_negative_if_both(this, *a, *b),
            _ => {}
        }
        let this = Some(this.clone());
        match operation {
            Operation::Binary(MinSigned, a, b) => {
                for side in [a, b] {
                    let side = self.signed(*side);
                    self.at_least(side, this.clone());
                }
            }
            Operation::Binary(MaxSigned, a, b) => {
                for side in [a, b] {
                    let side = self.signed(*side);
                    self.at_least(this.clone(), side);
                }
            }
            Operation::Binary(ShiftRightSigned, a, count) => {
                let Some(count) = self.function.constant(*count).and_then(Constant::as_unsigned).filter(|count| *count < 63) else {
                    return;
                };
                let (a, scaled) = (self.signed(*a), this.and_then(|this| this.scaled(1 << count)));
                self.at_least(a.clone(), scaled.clone());
                self.at_least(scaled.and_then(|scaled| scaled.plus_constant((1 << count) - 1)), a);
            }
            _ => {}
        }
    }

    /// One of two values is not negative if neither is.
    pub(super) fn not_negative_if_both(&mut self, this: &Polynomial, a: ValueId, b: ValueId) {
        let both = [a, b].into_iter().all(|side| self.signed(side).is_some_and(|side| self.follows(&side, 60)));
        if both {
            self.assume_fact(this);
        }
    }

    /// `a = quotient * divisor + remainder`, with the remainder below the divisor. The division was executed, so the divisor is not zero.
    fn describe_division(&mut self, quotient: Atom, a: ValueId, divisor: Divisor) {
        let quotient = self.state.monomials.atom(quotient);
        let Some(remainder) = self.division(AtomKind::Remainder(a, divisor)) else { return };
        let (Some(a), Some(divisor)) = (self.unsigned(a), self.divisor(divisor)) else { return };
        self.at_least(Some(divisor.clone()), Some(Polynomial::constant(1)));
        self.at_least(divisor.plus_constant(-1), Some(remainder.clone()));
        self.at_least(Some(a.clone()), Some(remainder.clone()));
        self.at_least(Some(a.clone()), Some(Polynomial::monomial(quotient)));
        let product = divisor.times(&Polynomial::monomial(quotient), &mut self.state.monomials);
        if let Some(sum) = product.and_then(|product| product.plus(&remainder)) {
            self.equate(&a, &sum);
        }
    }

    pub(super) fn divisor(&mut self, divisor: Divisor) -> Option<Polynomial> {
        match divisor {
            Divisor::Constant(constant) => Some(Polynomial::constant(constant)),
            Divisor::Value(value) => self.unsigned(value),
        }
    }

    /// Two polynomials are equal: the first is replaced by the second if it is an atom.
    fn equate(&mut self, a: &Polynomial, b: &Polynomial) {
        let (Some(a), Some(b)) = (self.state.normalized(a), self.state.normalized(b)) else { return };
        if let ([(monomial, 1)], 0) = (&a.terms[..], a.constant)
            && let Some(atom) = self.state.monomials.as_atom(*monomial)
            && !b.terms.iter().any(|term| self.state.monomials.factors(term.0).contains(&atom))
        {
            self.state.substitute(atom, b);
        } else if let Some(difference) = a.minus(&b) {
            self.assume_equality(&difference);
        }
    }

    /// Coordinates lie below their extents, and a launch has at most 2³² threads on each axis.
    fn describe_coordinate(&mut self, this: Monomial, coordinate: Coordinate, axis: Axis) {
        use Coordinate::{BlockInGrid, BlockSize, GridSize, ThreadInBlock, ThreadInGrid};
        let mut other = |coordinate, low: i128| {
            let atom = self.state.atom(AtomKind::Coordinate(coordinate, axis), || Bounds::between(low, unsigned_maximum(32)));
            (atom, self.state.monomials.atom(atom))
        };
        let extent = match coordinate {
            ThreadInBlock => other(BlockSize, 1),
            BlockInGrid => other(GridSize, 1),
            BlockSize => {
                let ((_, grid), (_, position)) = (other(GridSize, 1), other(ThreadInGrid, 0));
                let threads = Polynomial::monomial(this).times_monomial(grid, &mut self.state.monomials);
                self.at_least(Some(Polynomial::constant(1 << 32)), threads.clone());
                self.at_least(threads, Polynomial::monomial(position).plus_constant(1));
                return;
            }
            _ => return,
        };
        self.describe(extent.0);
        self.at_least(Polynomial::monomial(extent.1).plus_constant(-1), Some(Polynomial::monomial(this)));
    }

    /// The elements of a buffer end below the end of the address space.
    fn describe_buffer(&mut self, this: &Polynomial, value: ValueId) {
        let FunctionKind::Kernel { parameters } = &self.function.kind else { return };
        let mut values = self.function.parameters().iter();
        for parameter in parameters {
            let Some(&address) = values.next() else { return };
            let KernelParameterKind::Buffer { element, .. } = parameter.kind else { continue };
            let Some(&length) = values.next() else { return };
            if address == value {
                let size = i128::from(self.module.ty(element).size);
                let bytes = self.unsigned(length).and_then(|length| length.scaled(size));
                let end = bytes.and_then(|bytes| this.plus(&bytes));
                self.at_least(Some(Polynomial::constant(unsigned_maximum(64))), end);
                return;
            }
        }
    }
}
