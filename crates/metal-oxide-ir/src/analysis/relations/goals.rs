//! Proofs that need more than adding up facts: bounds of quotients, contradictions, and cases.

use super::Relations;
use super::polynomial::{Atom, Polynomial};
use super::state::{AtomKind, Divisor};
use crate::{BinaryOperator, Operation, Type, ValueId};

/// How much a proof may try beyond adding up facts.
#[derive(Clone, Copy)]
pub(super) struct Effort {
    /// Steps of each search.
    pub(super) nodes: u32,
    /// How many distinctions of cases may be nested.
    pub(super) cases: u32,
    /// Whether to look beyond what the goal itself speaks of.
    pub(super) wide: bool,
}

/// How many atoms a distinction is tried on.
const CANDIDATES: usize = 4;

/// One of the cases of a distinction: a condition or facts, and what the atom is.
struct Case {
    condition: Option<(ValueId, bool)>,
    /// Not negative in this case.
    fact: Option<Polynomial>,
    value: Outcome,
}

/// What an atom is in a case.
enum Outcome {
    Number(Polynomial),
    /// A value, which is read once the case is assumed and more of it is known.
    Value(ValueId),
}

impl Relations<'_> {
    /// Whether a polynomial is shown not to be negative.
    pub(super) fn proves(&mut self, goal: &Polynomial, effort: Effort) -> bool {
        if self.follows(goal, effort.nodes) {
            return true;
        }
        let Some(goal) = self.state.normalized(goal) else { return false };
        if self.bound_quotients(&goal) && self.follows(&goal, effort.nodes) {
            return true;
        }
        if effort.wide && self.contradicts(&goal, effort.nodes) {
            return true;
        }
        if effort.cases == 0 || self.budget == 0 {
            return false;
        }
        let atoms = if effort.wide { self.atoms_around(&goal) } else { self.atoms_of(&goal) };
        let inner = Effort { nodes: effort.nodes / 2, cases: effort.cases - 1, ..effort };
        let mut tried = 0;
        for atom in atoms {
            let Some(distinction) = self.cases(atom) else { continue };
            tried += 1;
            if tried > CANDIDATES {
                break;
            }
            if self.holds_in_all(atom, distinction, &goal, inner) {
                return true;
            }
        }
        self.proves_by_distinct(&goal, inner)
    }

    /// Bounds each quotient `a / b` in a goal by `t` where `a < b * t`, for the products `b * t` that facts speak of.
    fn bound_quotients(&mut self, goal: &Polynomial) -> bool {
        let mut found = false;
        for atom in self.atoms_of(goal) {
            let AtomKind::Quotient(a, divisor @ Divisor::Value(_)) = self.state.kind(atom) else { continue };
            let (Some(a), Some(divisor)) = (self.unsigned(a), self.divisor(divisor)) else { continue };
            let ([(divisor, 1)], 0) = (&divisor.terms[..], divisor.constant) else { continue };
            let Some(divisor) = self.state.monomials.as_atom(*divisor) else { continue };
            let mut products: Vec<u32> = Vec::new();
            for (fact, used) in &self.state.facts {
                if *used {
                    let with_divisor = |term: &&(u32, i128)| self.state.monomials.factors(term.0).contains(&divisor);
                    products.extend(fact.terms.iter().filter(with_divisor).map(|term| term.0));
                }
            }
            products.sort_unstable();
            products.dedup();
            for product in products.into_iter().take(12) {
                let mut others = self.state.monomials.factors(product).to_vec();
                others.retain(|factor| *factor != divisor);
                let Some(other) = self.state.monomials.product(others).map(Polynomial::monomial) else { continue };
                let below = Polynomial::monomial(product).minus(&a).and_then(|room| room.plus_constant(-1));
                if below.is_some_and(|below| self.follows(&below, 60)) {
                    let quotient = Polynomial::monomial(self.state.monomials.atom(atom));
                    if let Some(fact) = other.minus(&quotient).and_then(|room| room.plus_constant(-1)) {
                        found = true;
                        self.assume_fact(&fact);
                    }
                }
            }
        }
        found
    }

    /// Whether the opposite of a goal contradicts a fact.
    fn contradicts(&mut self, goal: &Polynomial, nodes: u32) -> bool {
        let Some(opposite) = goal.scaled(-1).and_then(|negative| negative.plus_constant(-1)) else { return false };
        let mark = self.state.mark();
        let facts = self.state.facts.len();
        self.assume_fact(&opposite);
        let mut contradiction = self.state.impossible;
        // A substitution that the opposite brought about may have made facts false.
        for number in (facts..self.state.facts.len()).take(8) {
            if contradiction {
                break;
            }
            let fact = self.state.facts[number].0.clone();
            let negative = fact.scaled(-1).and_then(|negative| negative.plus_constant(-1));
            contradiction = negative.is_some_and(|negative| self.follows(&negative, nodes / 4));
        }
        self.state.undo_to(mark);
        contradiction
    }

    fn atoms_of(&self, polynomial: &Polynomial) -> Vec<Atom> {
        let mut atoms = Vec::new();
        for (monomial, _) in &polynomial.terms {
            for &atom in self.state.monomials.factors(*monomial) {
                if !atoms.contains(&atom) {
                    atoms.push(atom);
                }
            }
        }
        atoms
    }

    /// The atoms of a goal, then those of the facts that share one with it.
    fn atoms_around(&self, goal: &Polynomial) -> Vec<Atom> {
        let mut atoms = self.atoms_of(goal);
        for (monomial, _) in &goal.terms {
            for fact in self.state.facts_about(*monomial).take(8) {
                for atom in self.atoms_of(fact) {
                    if !atoms.contains(&atom) {
                        atoms.push(atom);
                    }
                }
            }
        }
        atoms
    }

    /// The cases of an atom that is one of two things.
    fn cases(&mut self, atom: Atom) -> Option<[Case; 2]> {
        use BinaryOperator::{MaxSigned, MaxUnsigned, MinSigned, MinUnsigned, SubSaturatingUnsigned};
        let (value, signed) = match self.state.kind(atom) {
            AtomKind::Unsigned(value) => (value, false),
            AtomKind::Signed(value) => (value, true),
            _ => return None,
        };
        if self.function.ty(value) == Type::Bool {
            let case = |truth: bool| Case {
                condition: Some((value, truth)),
                fact: None,
                value: Outcome::Number(Polynomial::constant(truth.into())),
            };
            return Some([true, false].map(case));
        }
        let operation = self.function.defining_operation(value)?.clone();
        let mut read = |value| if signed { self.signed(value) } else { self.unsigned(value) };
        match operation {
            Operation::Select(condition, a, b) => {
                let case = |truth, value| Case { condition: Some((condition, truth)), fact: None, value: Outcome::Value(value) };
                Some([case(true, a), case(false, b)])
            }
            Operation::Binary(operator, a, b) => {
                let matching = match operator {
                    MinUnsigned | MaxUnsigned | SubSaturatingUnsigned => !signed,
                    MinSigned | MaxSigned => signed,
                    _ => false,
                };
                if !matching {
                    return None;
                }
                let (a, b) = (read(a)?, read(b)?);
                let above = a.minus(&b)?;
                let below = above.scaled(-1)?;
                let (when_above, when_below) = match operator {
                    MinUnsigned | MinSigned => (b, a),
                    MaxUnsigned | MaxSigned => (a, b),
                    _ => (above.clone(), Polynomial::default()),
                };
                let case = |fact, value| Case { condition: None, fact: Some(fact), value: Outcome::Number(value) };
                Some([case(above, when_above), case(below, when_below)])
            }
            _ => None,
        }
    }

    fn holds_in_all(&mut self, atom: Atom, cases: [Case; 2], goal: &Polynomial, effort: Effort) -> bool {
        cases.into_iter().all(|case| {
            let mark = self.state.mark();
            if let Some((condition, truth)) = case.condition {
                self.assume_condition(condition, truth);
            }
            if let Some(fact) = &case.fact {
                let opposite = fact.scaled(-1).and_then(|negative| negative.plus_constant(-1));
                if opposite.is_some_and(|opposite| self.follows(&opposite, effort.nodes)) {
                    // The case does not arise.
                    return true;
                }
                self.assume_fact(fact);
            }
            let value = match case.value {
                Outcome::Number(number) => Some(number),
                Outcome::Value(value) if matches!(self.state.kind(atom), AtomKind::Signed(_)) => self.signed(value),
                Outcome::Value(value) => self.unsigned(value),
            };
            if let Some(value) = value {
                self.replace(atom, &value);
            }
            let holds = self.state.impossible || self.proves(goal, effort);
            self.state.undo_to(mark);
            holds
        })
    }

    /// Tries both sides of what is known not to be zero.
    fn proves_by_distinct(&mut self, goal: &Polynomial, effort: Effort) -> bool {
        let atoms = self.atoms_of(goal);
        let distinct = self.state.distinct.clone();
        let mut tried = 0;
        for known in distinct.iter().rev() {
            let Some(known) = self.state.normalized(known) else { continue };
            if !self.atoms_of(&known).iter().any(|atom| atoms.contains(atom)) {
                continue;
            }
            tried += 1;
            if tried > 2 {
                return false;
            }
            let holds = [1, -1].into_iter().all(|sign| {
                let Some(side) = known.scaled(sign).and_then(|side| side.plus_constant(-1)) else { return false };
                let mark = self.state.mark();
                self.assume_fact(&side);
                let holds = self.state.impossible || self.proves(goal, effort);
                self.state.undo_to(mark);
                holds
            });
            if holds {
                return true;
            }
        }
        false
    }
}
