//! What is known at one point of a function: inequalities, equalities as substitutions, bounds of atoms.
//! Everything is undone in reverse when the walk over the dominator tree leaves the region where it holds.

use std::collections::{HashMap, HashSet};

use super::polynomial::{Atom, Monomial, Monomials, Polynomial};
use crate::{Axis, Coordinate, ValueId};

/// What an atom stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum AtomKind {
    /// A value as an unsigned number.
    Unsigned(ValueId),
    /// A value as a signed number.
    Signed(ValueId),
    /// The quotient of two values as unsigned numbers.
    Quotient(ValueId, Divisor),
    /// Their remainder.
    Remainder(ValueId, Divisor),
    /// A thread coordinate.
    Coordinate(Coordinate, Axis),
}

/// What an unsigned division divides by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Divisor {
    /// A constant, which is not zero.
    Constant(i128),
    /// A value.
    Value(ValueId),
}

/// Bounds of an atom or a monomial; none where it is not bounded or the bound is too large to compute with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Bounds {
    pub(super) low: Option<i128>,
    pub(super) high: Option<i128>,
}

/// How a value was read when it was expressed by atoms.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Sign {
    Unsigned,
    Signed,
}

/// A value in terms of atoms.
#[derive(Clone, Debug)]
pub(super) struct Expansion {
    pub(super) polynomial: Polynomial,
    /// How many facts there were when the value could not be taken apart; more facts may change that. None if it was.
    pub(super) gave_up_at: Option<usize>,
}

#[derive(Default)]
pub(super) struct State {
    pub(super) monomials: Monomials,
    kinds: Vec<AtomKind>,
    atoms: HashMap<AtomKind, Atom>,
    /// The bounds that atoms have everywhere.
    bounds: Vec<Bounds>,
    /// Polynomials that are not negative, and whether they are in use: a fact is retired when a normalised copy replaces it.
    pub(super) facts: Vec<(Polynomial, bool)>,
    index: HashMap<Monomial, Vec<u32>>,
    substitutions: HashMap<Atom, Polynomial>,
    pub(super) expansions: HashMap<(ValueId, Sign), Expansion>,
    pub(super) known: HashMap<ValueId, bool>,
    pub(super) described: HashSet<Atom>,
    /// Polynomials that are not zero.
    pub(super) distinct: Vec<Polynomial>,
    /// The facts contradict one another: the point is never reached.
    pub(super) impossible: bool,
    log: Vec<Undo>,
}

enum Undo {
    Fact,
    Retired(u32),
    Substitution(Atom),
    Bounds(Atom, Bounds),
    Expansion((ValueId, Sign), Option<Expansion>),
    Known(ValueId),
    Described(Atom),
    Distinct,
    Possible,
}

impl State {
    pub(super) fn mark(&self) -> usize {
        self.log.len()
    }

    pub(super) fn undo_to(&mut self, mark: usize) {
        while self.log.len() > mark {
            match self.log.pop() {
                Some(Undo::Fact) => {
                    if let Some((fact, _)) = self.facts.pop() {
                        for (monomial, _) in fact.terms {
                            self.index.get_mut(&monomial).map(Vec::pop);
                        }
                    }
                }
                Some(Undo::Retired(fact)) => self.facts[fact as usize].1 = true,
                Some(Undo::Substitution(atom)) => drop(self.substitutions.remove(&atom)),
                Some(Undo::Bounds(atom, bounds)) => self.bounds[atom as usize] = bounds,
                Some(Undo::Expansion(key, Some(old))) => drop(self.expansions.insert(key, old)),
                Some(Undo::Expansion(key, None)) => drop(self.expansions.remove(&key)),
                Some(Undo::Known(value)) => drop(self.known.remove(&value)),
                Some(Undo::Described(atom)) => drop(self.described.remove(&atom)),
                Some(Undo::Distinct) => drop(self.distinct.pop()),
                Some(Undo::Possible) => self.impossible = false,
                None => {}
            }
        }
    }

    /// The atom for something, with the bounds that it has everywhere if it is new.
    pub(super) fn atom(&mut self, kind: AtomKind, bounds: impl FnOnce() -> Bounds) -> Atom {
        if let Some(&atom) = self.atoms.get(&kind) {
            return atom;
        }
        let atom = self.kinds.len() as Atom;
        self.kinds.push(kind);
        self.bounds.push(bounds());
        self.atoms.insert(kind, atom);
        self.monomials.atom(atom);
        atom
    }

    /// The atom for something that was spoken of before.
    pub(super) fn existing_atom(&self, kind: AtomKind) -> Option<Atom> {
        self.atoms.get(&kind).copied()
    }

    pub(super) fn kind(&self, atom: Atom) -> AtomKind {
        self.kinds[atom as usize]
    }

    pub(super) fn bounds(&self, atom: Atom) -> Bounds {
        self.bounds[atom as usize]
    }

    pub(super) fn monomial_bounds(&self, monomial: Monomial) -> Bounds {
        let mut factors = self.monomials.factors(monomial).iter();
        let first = factors.next().map_or(Bounds { low: Some(1), high: Some(1) }, |&atom| self.bounds(atom));
        factors.fold(first, |product, &atom| product.times(self.bounds(atom)))
    }

    /// The bounds of a polynomial by those of its monomials.
    pub(super) fn polynomial_bounds(&self, polynomial: &Polynomial) -> Bounds {
        let start = Bounds { low: Some(polynomial.constant), high: Some(polynomial.constant) };
        polynomial.terms.iter().fold(start, |sum, &(monomial, coefficient)| {
            let term = self.monomial_bounds(monomial).scaled(coefficient);
            let add = |a: Option<i128>, b: Option<i128>| a?.checked_add(b?);
            Bounds { low: add(sum.low, term.low), high: add(sum.high, term.high) }
        })
    }

    /// Facts in use that mention a monomial, the latest first.
    pub(super) fn facts_about(&self, monomial: Monomial) -> impl Iterator<Item = &Polynomial> {
        let about = self.index.get(&monomial).map(Vec::as_slice).unwrap_or_default();
        about.iter().rev().map(|&fact| &self.facts[fact as usize]).filter(|fact| fact.1).map(|fact| &fact.0)
    }

    /// A polynomial with all substitutions made.
    pub(super) fn normalized(&mut self, polynomial: &Polynomial) -> Option<Polynomial> {
        let mut current = polynomial.clone();
        // Substitutions never lead back to an atom that was replaced, but a chain of products may grow: give up early.
        for _ in 0..64 {
            let replaced = current.terms.iter().find_map(|&(monomial, coefficient)| {
                let factors = self.monomials.factors(monomial);
                let atom = factors.iter().find(|atom| self.substitutions.contains_key(atom))?;
                Some((monomial, coefficient, *atom))
            });
            let Some((monomial, coefficient, atom)) = replaced else { return Some(current) };
            let mut others = self.monomials.factors(monomial).to_vec();
            let position = others.iter().position(|factor| *factor == atom)?;
            others.remove(position);
            let mut product = self.substitutions[&atom].clone();
            if !others.is_empty() {
                let rest = self.monomials.product(others)?;
                product = product.times_monomial(rest, &mut self.monomials)?;
            }
            current.terms.retain(|term| term.0 != monomial);
            current = current.combine(1, &product, coefficient)?;
            if current.terms.len() > 24 {
                return None;
            }
        }
        None
    }

    pub(super) fn substitution(&self, atom: Atom) -> Option<&Polynomial> {
        self.substitutions.get(&atom)
    }

    /// Adds the fact that a normalised polynomial is not negative. Returns whether it says anything new.
    pub(super) fn add_fact(&mut self, fact: Polynomial) -> bool {
        let fact = fact.tightened();
        let bounds = self.polynomial_bounds(&fact);
        if bounds.low.is_some_and(|low| low >= 0) {
            return false;
        }
        if bounds.high.is_some_and(|high| high < 0) {
            self.set_impossible();
            return true;
        }
        if let [(monomial, coefficient)] = fact.terms[..]
            && let Some(atom) = self.monomials.as_atom(monomial)
        {
            // After tightening the coefficient is 1 or -1.
            let mut bounds = self.bounds(atom);
            if coefficient > 0 {
                bounds.low = Some(bounds.low.map_or(-fact.constant, |low| low.max(-fact.constant)));
            } else {
                bounds.high = Some(bounds.high.map_or(fact.constant, |high| high.min(fact.constant)));
            }
            self.set_bounds(atom, bounds);
            return true;
        }
        if fact.terms.first().is_some_and(|term| self.facts_about(term.0).any(|known| *known == fact)) {
            return false;
        }
        let number = self.facts.len() as u32;
        for &(monomial, _) in &fact.terms {
            self.index.entry(monomial).or_default().push(number);
        }
        self.facts.push((fact.clone(), true));
        self.log.push(Undo::Fact);
        self.bound_factors(&fact);
        true
    }

    /// Where a fact needs a product to be positive, no factor is zero.
    fn bound_factors(&mut self, fact: &Polynomial) {
        for (index, &(monomial, coefficient)) in fact.terms.iter().enumerate() {
            let factors = self.monomials.factors(monomial).to_vec();
            if coefficient < 0 || factors.len() < 2 || factors.iter().any(|&factor| self.bounds(factor).low.is_none_or(|low| low < 0)) {
                continue;
            }
            let mut rest = fact.clone();
            rest.terms.remove(index);
            if self.polynomial_bounds(&rest).high.is_some_and(|high| high < 0) {
                for factor in factors {
                    let bounds = self.bounds(factor);
                    if bounds.low == Some(0) {
                        self.set_bounds(factor, Bounds { low: Some(1), ..bounds });
                    }
                }
            }
        }
    }

    fn set_bounds(&mut self, atom: Atom, bounds: Bounds) {
        self.log.push(Undo::Bounds(atom, self.bounds(atom)));
        self.bounds[atom as usize] = bounds;
        if let (Some(low), Some(high)) = (bounds.low, bounds.high) {
            if low > high {
                self.set_impossible();
            } else if low == high && self.substitution(atom).is_none() {
                self.substitute(atom, Polynomial::constant(low));
            }
        }
    }

    pub(super) fn set_impossible(&mut self) {
        if !self.impossible {
            self.impossible = true;
            self.log.push(Undo::Possible);
        }
    }

    /// Replaces an atom everywhere. The polynomial is normalised and does not mention the atom.
    pub(super) fn substitute(&mut self, atom: Atom, by: Polynomial) {
        debug_assert!(!self.substitutions.contains_key(&atom), "an atom is substituted once");
        let bounds = self.bounds(atom);
        self.substitutions.insert(atom, by.clone());
        self.log.push(Undo::Substitution(atom));
        // The atom's own bounds are facts about what replaces it.
        if let Some(low) = bounds.low.and_then(i128::checked_neg)
            && let Some(fact) = by.plus_constant(low)
        {
            self.add_fact(fact);
        }
        if let Some(high) = bounds.high
            && let Some(fact) = by.scaled(-1).and_then(|negative| negative.plus_constant(high))
        {
            self.add_fact(fact);
        }
        let mut stale: Vec<u32> = Vec::new();
        for (number, (fact, used)) in self.facts.iter().enumerate() {
            let mentions = |term: &(Monomial, i128)| self.monomials.factors(term.0).contains(&atom);
            if *used && fact.terms.iter().any(mentions) {
                stale.push(number as u32);
            }
        }
        for number in stale {
            let (fact, used) = self.facts[number as usize].clone();
            if !used {
                // A bound that this very loop found has replaced it already.
                continue;
            }
            self.facts[number as usize].1 = false;
            self.log.push(Undo::Retired(number));
            if let Some(fact) = self.normalized(&fact) {
                self.add_fact(fact);
            }
        }
    }

    pub(super) fn set_expansion(&mut self, key: (ValueId, Sign), expansion: Expansion) {
        let old = self.expansions.insert(key, expansion);
        self.log.push(Undo::Expansion(key, old));
    }

    pub(super) fn set_known(&mut self, value: ValueId, truth: bool) {
        if self.known.insert(value, truth).is_none() {
            self.log.push(Undo::Known(value));
        }
    }

    /// Notes that an atom is being described; false if it was before.
    pub(super) fn set_described(&mut self, atom: Atom) -> bool {
        let new = self.described.insert(atom);
        if new {
            self.log.push(Undo::Described(atom));
        }
        new
    }

    pub(super) fn add_distinct(&mut self, polynomial: Polynomial) {
        self.distinct.push(polynomial);
        self.log.push(Undo::Distinct);
    }
}

impl Bounds {
    pub(super) fn between(low: i128, high: i128) -> Self {
        Bounds { low: Some(low), high: Some(high) }
    }

    fn scaled(self, factor: i128) -> Bounds {
        let scale = |bound: Option<i128>| bound?.checked_mul(factor);
        let (low, high) = (scale(self.low), scale(self.high));
        if factor >= 0 { Bounds { low, high } } else { Bounds { low: high, high: low } }
    }

    fn times(self, other: Bounds) -> Bounds {
        // With both factors not negative, each end only needs its own bounds.
        if let (Some(a @ 0..), Some(b @ 0..)) = (self.low, other.low) {
            let high = self.high.zip(other.high).and_then(|(a, b)| a.checked_mul(b));
            return Bounds { low: a.checked_mul(b), high };
        }
        let (Some(a), Some(b), Some(c), Some(d)) = (self.low, self.high, other.low, other.high) else {
            return Bounds { low: None, high: None };
        };
        let ends = [a.checked_mul(c), a.checked_mul(d), b.checked_mul(c), b.checked_mul(d)];
        if ends.iter().any(Option::is_none) {
            return Bounds { low: None, high: None };
        }
        let ends = ends.into_iter().flatten();
        Bounds { low: ends.clone().min(), high: ends.max() }
    }
}
