//! Proves that a polynomial is not negative: takes away multiples of facts until the bounds of what is left suffice.
//! Every step is sound by itself, so a proof needs no checking; a search that ends without one says nothing.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashSet};
use std::hash::{BuildHasherDefault, Hasher};

use super::Relations;
use super::polynomial::{Monomial, Polynomial, gcd};
use super::state::Bounds;

/// A goal `scale * original - facts`, which proves the original if it is above `-scale`.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Goal {
    polynomial: Polynomial,
    scale: i128,
}

/// Which term of a goal is dealt with first. The order matters because products are only formed to cancel products.
#[derive(Clone, Copy)]
enum Choice {
    /// The one that was spoken of last, among those that pull the bound down far: what is computed later follows from what was before.
    Latest,
    /// The one that pulls the bound down most.
    Worst,
}

/// A hasher that is good enough for goals: multiplies and rotates.
#[derive(Default)]
struct QuickHasher(u64);

impl Hasher for QuickHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.write_u64(byte.into()));
    }

    fn write_u32(&mut self, number: u32) {
        self.write_u64(number.into());
    }

    fn write_u64(&mut self, number: u64) {
        self.0 = (self.0.rotate_left(23) ^ number).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }

    fn write_i128(&mut self, number: i128) {
        self.write_u64(number as u64);
        self.write_u64((number >> 64) as u64);
    }

    fn write_usize(&mut self, number: usize) {
        self.write_u64(number as u64);
    }
}

/// How many facts a proof may use.
const DEPTH: u32 = 10;
/// How many facts about one monomial are tried, the latest first.
const FACTS: usize = 16;
/// How many more terms than at the start a goal may have on the way.
const SPREAD: usize = 2;
/// A term that may pull the bound down further than this needs a fact rather than its own bound.
const LARGE: i128 = 1 << 20;

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
        self.search(goal.clone(), nodes, Choice::Latest) || self.search(goal, nodes / 2, Choice::Worst)
    }

    fn search(&mut self, goal: Polynomial, nodes: u32, choice: Choice) -> bool {
        let mut seen: HashSet<Goal, BuildHasherDefault<QuickHasher>> = HashSet::default();
        // The goals still to look at, those with few terms and facts first.
        let mut queue = BinaryHeap::new();
        let most_terms = goal.terms.len() + SPREAD;
        let mut goals = vec![(Goal { polynomial: goal, scale: 1 }, 0)];
        queue.push(Reverse((0, 0)));
        for _ in 0..nodes {
            let Some(Reverse((_, number))) = queue.pop() else { return false };
            let (goal, depth) = goals[number].clone();
            for next in self.steps(&goal, choice) {
                if !self.spend(1) {
                    return false;
                }
                let Bounds { low, high } = self.state.polynomial_bounds(&next.polynomial);
                if low.is_some_and(|low| low > -next.scale) {
                    return true;
                }
                let hopeless = next.polynomial.terms.len() > most_terms || high.is_some_and(|high| high <= -next.scale);
                if !hopeless && depth + 1 < DEPTH && seen.insert(next.clone()) {
                    let bad = next.polynomial.terms.iter().filter(|term| self.worst(**term).is_none_or(|worst| worst < -LARGE)).count();
                    let cost = 2 * depth + 2 * next.polynomial.terms.len() as u32 + 3 * bad as u32;
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
    ///
    /// Every term must be dealt with in a proof: by a fact that cancels it, or by its own bound. So it is enough to look at one of them.
    fn steps(&mut self, goal: &Goal, choice: Choice) -> Vec<Goal> {
        let terms = goal.polynomial.terms.iter().map(|&term| (self.worst(term).unwrap_or(i128::MIN), term));
        let chosen = match choice {
            Choice::Latest => {
                terms.min_by_key(|&(worst, (monomial, _))| if worst < -LARGE { (0, -i128::from(monomial)) } else { (1, worst) })
            }
            Choice::Worst => terms.min_by_key(|&(worst, _)| worst),
        };
        let Some((worst, (monomial, coefficient))) = chosen else { return Vec::new() };
        let about = self.state.facts_about(monomial).filter(|fact| (fact.coefficient(monomial) > 0) == (coefficient > 0));
        let mut facts: Vec<Polynomial> = about.take(FACTS).cloned().collect();
        self.products(monomial, coefficient > 0, &mut facts);
        let mut steps: Vec<Goal> = facts.iter().filter_map(|fact| step(goal, fact, monomial)).collect();
        if worst != i128::MIN {
            let mut polynomial = goal.polynomial.clone();
            polynomial.terms.retain(|term| term.0 != monomial);
            steps.extend(polynomial.plus_constant(worst).map(|polynomial| Goal { polynomial, scale: goal.scale }));
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
                self.state.facts_about(part).filter(|fact| (fact.coefficient(part) > 0) == positive).take(FACTS / 2).cloned().collect();
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
