//! What conditions say when they are known, and when they follow.

use super::Relations;
use super::expand::width;
use super::goals::Effort;
use super::polynomial::Polynomial;
use super::state::{AtomKind, Expansion, Sign};
use crate::{BinaryOperator, CompareOperator, Constant, Operation, Type, UnaryOperator, ValueId};

/// How deep conditions are looked into.
const DEPTH: u32 = 8;
/// For a proof of a condition.
const EFFORT: Effort = Effort { nodes: 80, cases: 2, wide: true };
/// Steps of a proof that only strengthens a fact.
const FEW_NODES: u32 = 40;

/// A comparison as polynomials that must not be negative.
enum Meaning {
    /// The polynomial is not negative.
    NotNegative(Polynomial),
    /// The polynomial is zero.
    Zero(Polynomial),
    /// The polynomial is not zero.
    NotZero(Polynomial),
}

impl Relations<'_> {
    /// Adds what a condition says.
    pub(super) fn assume_condition(&mut self, condition: ValueId, truth: bool) {
        self.assume_condition_to(condition, truth, DEPTH);
    }

    fn assume_condition_to(&mut self, condition: ValueId, truth: bool, depth: u32) {
        use BinaryOperator::{And, Or};
        if let Some(Constant::Bits { bits, .. }) = self.function.constant(condition) {
            if (bits != 0) != truth {
                self.state.set_impossible();
            }
            return;
        }
        if self.state.known.get(&condition) == Some(&!truth) {
            return self.state.set_impossible();
        }
        self.state.set_known(condition, truth);
        let (Some(operation), 1..) = (self.function.defining_operation(condition).cloned(), depth) else { return };
        match operation {
            Operation::Unary(UnaryOperator::Not, a) => self.assume_condition_to(a, !truth, depth - 1),
            Operation::Binary(And, a, b) if truth => {
                self.assume_condition_to(a, true, depth - 1);
                self.assume_condition_to(b, true, depth - 1);
            }
            Operation::Binary(Or, a, b) if !truth => {
                self.assume_condition_to(a, false, depth - 1);
                self.assume_condition_to(b, false, depth - 1);
            }
            Operation::Select(c, a, b) => {
                // `c && a` and `c || b` in their other form.
                let constant = |value| self.function.constant(value).and_then(Constant::as_unsigned);
                let (then, otherwise) = (constant(a), constant(b));
                if otherwise.is_some_and(|otherwise| (otherwise != 0) != truth) {
                    self.assume_condition_to(c, true, depth - 1);
                    self.assume_condition_to(a, truth, depth - 1);
                } else if then.is_some_and(|then| (then != 0) != truth) {
                    self.assume_condition_to(c, false, depth - 1);
                    self.assume_condition_to(b, truth, depth - 1);
                }
            }
            Operation::Compare(operator, a, b) => match self.meaning(operator, a, b, truth) {
                Some(Meaning::NotNegative(fact)) => self.assume_fact(&fact),
                Some(Meaning::Zero(difference)) => self.assume_equality(&difference),
                Some(Meaning::NotZero(difference)) => self.assume_distinct(&difference),
                None => {}
            },
            _ => {}
        }
    }

    /// What a comparison says.
    fn meaning(&mut self, operator: CompareOperator, a: ValueId, b: ValueId, truth: bool) -> Option<Meaning> {
        use CompareOperator::*;
        width(self.function.ty(a))?;
        let operator = if truth { operator } else { operator.negated()? };
        let signed = matches!(operator, LessSigned | LessEqualSigned | GreaterSigned | GreaterEqualSigned);
        let (a, b) = if signed { (self.signed(a)?, self.signed(b)?) } else { (self.unsigned(a)?, self.unsigned(b)?) };
        Some(match operator {
            Equal => Meaning::Zero(a.minus(&b)?),
            NotEqual => Meaning::NotZero(a.minus(&b)?),
            LessUnsigned | LessSigned => Meaning::NotNegative(b.minus(&a)?.plus_constant(-1)?),
            LessEqualUnsigned | LessEqualSigned => Meaning::NotNegative(b.minus(&a)?),
            GreaterUnsigned | GreaterSigned => Meaning::NotNegative(a.minus(&b)?.plus_constant(-1)?),
            GreaterEqualUnsigned | GreaterEqualSigned => Meaning::NotNegative(a.minus(&b)?),
            _ => return None,
        })
    }

    /// Adds that a polynomial is not negative.
    pub(super) fn assume_fact(&mut self, fact: &Polynomial) {
        let Some(fact) = self.state.normalized(fact) else { return };
        let atoms: Vec<_> = fact.terms.iter().filter_map(|term| self.state.monomials.as_atom(term.0)).collect();
        if !self.state.add_fact(fact) {
            return;
        }
        // The fact may decide the sign of a value that is also read as the other kind of number.
        for atom in atoms {
            match self.state.kind(atom) {
                AtomKind::Signed(value) | AtomKind::Unsigned(value) => self.link(value),
                _ => {}
            }
        }
    }

    /// Adds that a polynomial is zero.
    pub(super) fn assume_equality(&mut self, difference: &Polynomial) {
        let Some(difference) = self.state.normalized(difference) else { return };
        if let Some(constant) = difference.as_constant() {
            if constant != 0 {
                self.state.set_impossible();
            }
            return;
        }
        // An atom that stands alone can be replaced everywhere.
        for &(monomial, coefficient) in difference.terms.iter().rev() {
            let Some(atom) = self.state.monomials.as_atom(monomial) else { continue };
            let elsewhere = difference.terms.iter().any(|term| term.0 != monomial && self.state.monomials.factors(term.0).contains(&atom));
            if coefficient.abs() != 1 || elsewhere {
                continue;
            }
            let mut rest = difference.clone();
            rest.terms.retain(|term| term.0 != monomial);
            if let Some(by) = rest.scaled(-coefficient) {
                self.state.substitute(atom, by);
                return;
            }
        }
        if let Some(negative) = difference.scaled(-1) {
            self.assume_fact(&difference);
            self.assume_fact(&negative);
        }
    }

    /// Adds that a polynomial is not zero.
    fn assume_distinct(&mut self, difference: &Polynomial) {
        let Some(difference) = self.state.normalized(difference) else { return };
        if difference.as_constant() == Some(0) {
            return self.state.set_impossible();
        }
        for sign in [1, -1] {
            let Some(side) = difference.scaled(sign) else { continue };
            if self.follows(&side, FEW_NODES) {
                if let Some(fact) = side.plus_constant(-1) {
                    self.assume_fact(&fact);
                }
                return;
            }
        }
        self.state.add_distinct(difference);
    }

    pub(super) fn assume_case(&mut self, value: ValueId, case: u128) {
        if let Some(polynomial) = self.unsigned(value).and_then(|value| value.plus_constant(-i128::try_from(case).ok()?)) {
            self.assume_equality(&polynomial);
        }
    }

    pub(super) fn assume_not_case(&mut self, value: ValueId, case: u128) {
        if let Some(polynomial) = self.unsigned(value).and_then(|value| value.plus_constant(-i128::try_from(case).ok()?)) {
            self.assume_distinct(&polynomial);
        }
    }

    /// Two values are the same.
    pub(super) fn bind(&mut self, parameter: ValueId, argument: ValueId) {
        if self.function.ty(parameter) == Type::Bool
            && let Some(&truth) = self.state.known.get(&argument)
        {
            self.state.set_known(parameter, truth);
        }
        if width(self.function.ty(parameter)).is_none() {
            return;
        }
        for sign in [Sign::Unsigned, Sign::Signed] {
            let polynomial = match sign {
                Sign::Unsigned => self.unsigned(argument),
                Sign::Signed => self.signed(argument),
            };
            if let Some(polynomial) = polynomial {
                self.state.set_expansion((parameter, sign), Expansion { polynomial, gave_up_at: None });
            }
        }
    }

    /// Whether a condition is shown to have a value.
    pub(super) fn proves_condition(&mut self, condition: ValueId, truth: bool) -> bool {
        self.state.impossible || self.proves_condition_to(condition, truth, DEPTH)
    }

    fn proves_condition_to(&mut self, condition: ValueId, truth: bool, depth: u32) -> bool {
        use BinaryOperator::{And, Or};
        if let Some(constant) = self.function.constant(condition) {
            return constant.as_unsigned().is_some_and(|bits| (bits != 0) == truth);
        }
        if let Some(&known) = self.state.known.get(&condition) {
            return known == truth;
        }
        let (Some(operation), 1..) = (self.function.defining_operation(condition).cloned(), depth) else { return false };
        match operation {
            Operation::Unary(UnaryOperator::Not, a) => self.proves_condition_to(a, !truth, depth - 1),
            Operation::Binary(And, a, b) if truth => {
                self.proves_condition_to(a, true, depth - 1) && self.proves_condition_to(b, true, depth - 1)
            }
            Operation::Binary(And, a, b) => self.proves_condition_to(a, false, depth - 1) || self.proves_condition_to(b, false, depth - 1),
            Operation::Binary(Or, a, b) if truth => {
                self.proves_condition_to(a, true, depth - 1) || self.proves_condition_to(b, true, depth - 1)
            }
            Operation::Binary(Or, a, b) => self.proves_condition_to(a, false, depth - 1) && self.proves_condition_to(b, false, depth - 1),
            Operation::Select(c, a, b) => {
                let [then, otherwise] = [(true, a), (false, b)].map(|(case, side)| {
                    if self.proves_condition_to(c, !case, depth - 1) {
                        return true;
                    }
                    let mark = self.state.mark();
                    self.assume_condition(c, case);
                    let proved = self.state.impossible || self.proves_condition_to(side, truth, depth - 1);
                    self.state.undo_to(mark);
                    proved
                });
                then && otherwise
            }
            Operation::Compare(operator, a, b) => match self.meaning(operator, a, b, truth) {
                Some(Meaning::NotNegative(goal)) => self.proves(&goal, EFFORT),
                Some(Meaning::Zero(difference)) => {
                    let negative = difference.scaled(-1);
                    self.proves(&difference, EFFORT) && negative.is_some_and(|negative| self.proves(&negative, EFFORT))
                }
                Some(Meaning::NotZero(difference)) => self.proves_distinct(&difference),
                None => false,
            },
            _ => false,
        }
    }

    fn proves_distinct(&mut self, difference: &Polynomial) -> bool {
        let Some(difference) = self.state.normalized(difference) else { return false };
        let Some(negative) = difference.scaled(-1) else { return false };
        for known in self.state.distinct.clone() {
            if let Some(known) = self.state.normalized(&known)
                && (known == difference || known == negative)
            {
                return true;
            }
        }
        [difference, negative].into_iter().any(|side| side.plus_constant(-1).is_some_and(|goal| self.proves(&goal, EFFORT)))
    }

    /// Whether a value is shown to be at most a limit, as an unsigned number.
    pub(super) fn is_at_most(&mut self, value: ValueId, limit: i128) -> bool {
        if self.state.impossible {
            return true;
        }
        let Some(polynomial) = self.unsigned(value) else { return false };
        self.at_most(&polynomial, limit)
    }
}
