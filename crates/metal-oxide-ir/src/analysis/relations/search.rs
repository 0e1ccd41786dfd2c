//! Proves that a polynomial is not negative: takes away multiples of facts until the bounds of what is left suffice.
//! Every step is sound by itself, so a proof needs no checking; a search that ends without one says nothing.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashSet};

use super::Relations;
use super::polynomial::{Monomial, Polynomial, gcd};
use super::state::Bounds;

/// A goal `scale * original - facts`, which proves the original if it is above `-scale`.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Goal {
    polynomial: Polynomial,
    scale: i128,
}

/// How many facts a proof may use.
const DEPTH: u32 = 9;

impl Relations<'_> {
    /// Whether the facts make a polynomial at least zero, as far as `nodes` steps can tell.
    pub(super) fn follows(&mut self, goal: &Polynomial, nodes: u32) -> bool {
        if self.state.impossible {
            return true;
        }
        let Some(goal) = self.state.normalized(goal) else { return false };
        let bounds = self.state.polynomial_bounds(&goal);
        if bounds.low.is_some_and(|low| low >= 0) {
            return true;
        }
        if bounds.high.is_some_and(|high| high < 0) {
            return false;
        }
        self.search(goal, nodes)
    }

    fn search(&mut self, goal: Polynomial, nodes: u32) -> bool {
        let mut seen = HashSet::new();
        // The goals still to look at, those with few terms and facts first.
        let mut queue = BinaryHeap::new();
        let mut goals = vec![(Goal { polynomial: goal, scale: 1 }, 0)];
        queue.push(Reverse((0, 0)));
        for _ in 0..nodes {
            let Some(Reverse((_, number))) = queue.pop() else { return false };
            if !self.spend(1) {
                return false;
            }
            let (goal, depth) = goals[number].clone();
            if depth == DEPTH {
                continue;
            }
            for next in self.steps(&goal) {
                let low = self.state.polynomial_bounds(&next.polynomial).low;
                if low.is_some_and(|low| low > -next.scale) {
                    return true;
                }
                if seen.insert(next.clone()) {
                    let unbounded = next.polynomial.terms.iter().filter(|term| self.worst(**term).is_none_or(|worst| worst < -1 << 20));
                    let cost = depth * 2 + 2 * next.polynomial.terms.len() as u32 + 3 * unbounded.count() as u32;
                    queue.push(Reverse((cost, goals.len())));
                    goals.push((next, depth + 1));
                }
            }
        }
        false
    }

    /// The least that a term can be.
    fn worst(&self, (monomial, coefficient): (Monomial, i128)) -> Option<i128> {
        let Bounds { low, high } = self.state.monomial_bounds(monomial);
        if coefficient > 0 { low?.checked_mul(coefficient) } else { high?.checked_mul(coefficient) }
    }

    /// The goals from which this one follows by one fact.
    fn steps(&mut self, goal: &Goal) -> Vec<Goal> {
        // Something must be done about the terms that pull the bound down most.
        let mut terms: Vec<_> = goal.polynomial.terms.iter().map(|&term| (self.worst(term), term)).collect();
        terms.sort_unstable_by_key(|(worst, _)| worst.unwrap_or(i128::MIN));
        let mut steps = Vec::new();
        for &(_, (monomial, coefficient)) in terms.iter().take(3) {
            let mut facts: Vec<Polynomial> = self
                .state
                .facts_about(monomial)
                .filter(|fact| (fact.coefficient(monomial) > 0) == (coefficient > 0))
                .take(24)
                .cloned()
                .collect();
            self.products(monomial, coefficient > 0, &mut facts);
            steps.extend(facts.iter().filter_map(|fact| step(goal, fact, monomial)));
        }
        steps
    }

    /// Facts about a part of a product, multiplied by the rest of it where that is not negative.
    fn products(&mut self, monomial: Monomial, positive: bool, facts: &mut Vec<Polynomial>) {
        let factors = self.state.monomials.factors(monomial).to_vec();
        if factors.len() < 2 {
            return;
        }
        // Every way to leave out a part that is neither nothing nor everything.
        for parts in 1..(1u32 << factors.len()) - 1 {
            let chosen = |inside: bool| -> Vec<_> {
                let indices = (0..factors.len()).filter(|index| (parts >> index & 1 == 1) == inside);
                indices.map(|index| factors[index]).collect()
            };
            let (Some(part), Some(rest)) = (self.state.monomials.product(chosen(true)), self.state.monomials.product(chosen(false))) else {
                continue;
            };
            if self.state.monomial_bounds(rest).low.is_none_or(|low| low < 0) {
                continue;
            }
            let mut about: Vec<Polynomial> =
                self.state.facts_about(part).filter(|fact| (fact.coefficient(part) > 0) == positive).take(12).cloned().collect();
            let Bounds { low, high } = self.state.monomial_bounds(part);
            let bound = Polynomial::monomial(part);
            match (positive, low, high) {
                (true, Some(low), _) => about.extend(low.checked_neg().and_then(|low| bound.plus_constant(low))),
                (false, _, Some(high)) => about.extend(bound.scaled(-1).and_then(|bound| bound.plus_constant(high))),
                _ => {}
            }
            for fact in about {
                let product = fact.times_monomial(rest, &mut self.state.monomials);
                facts.extend(product.and_then(|product| self.state.normalized(&product)));
            }
        }
    }
}

/// The goal without a monomial, which the fact has with the same sign.
fn step(goal: &Goal, fact: &Polynomial, monomial: Monomial) -> Option<Goal> {
    let (a, b) = (goal.polynomial.coefficient(monomial), fact.coefficient(monomial));
    if a.signum() != b.signum() || a == 0 {
        return None;
    }
    let divisor = gcd(a, b);
    let (of_goal, of_fact) = ((b / divisor).abs(), (a / divisor).abs());
    let polynomial = goal.polynomial.combine(of_goal, fact, -of_fact)?;
    Some(Goal { polynomial, scale: goal.scale.checked_mul(of_goal)? })
}
