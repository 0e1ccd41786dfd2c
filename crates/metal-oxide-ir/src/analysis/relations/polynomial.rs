//! Polynomials with whole coefficients over unknown whole numbers. Arithmetic is exact: where it would overflow there is no result.

use std::collections::HashMap;

/// An unknown whole number.
pub(super) type Atom = u32;

/// A product of atoms, by its number in [`Monomials`].
pub(super) type Monomial = u32;

/// Products of more atoms than this are not formed.
const DEGREE: usize = 4;

/// All products of atoms that were formed.
#[derive(Debug, Default)]
pub(super) struct Monomials {
    factors: Vec<Box<[Atom]>>,
    numbers: HashMap<Box<[Atom]>, Monomial>,
}

impl Monomials {
    /// The product of the factors, in any order.
    pub(super) fn product(&mut self, mut factors: Vec<Atom>) -> Option<Monomial> {
        if factors.is_empty() || factors.len() > DEGREE {
            return None;
        }
        factors.sort_unstable();
        let factors = factors.into_boxed_slice();
        if let Some(&number) = self.numbers.get(&factors) {
            return Some(number);
        }
        let number = self.factors.len() as Monomial;
        self.factors.push(factors.clone());
        self.numbers.insert(factors, number);
        Some(number)
    }

    /// The atom as a product of one factor.
    pub(super) fn atom(&mut self, atom: Atom) -> Monomial {
        self.product(vec![atom]).expect("one factor is few enough")
    }

    /// The factors, in increasing order.
    pub(super) fn factors(&self, monomial: Monomial) -> &[Atom] {
        &self.factors[monomial as usize]
    }

    /// The only factor, if there is only one.
    pub(super) fn as_atom(&self, monomial: Monomial) -> Option<Atom> {
        match self.factors(monomial) {
            [atom] => Some(*atom),
            _ => None,
        }
    }
}

/// Coefficients and constants stay below this, so that they can be negated and compared without care.
const LIMIT: u128 = 1 << 126;

/// The number, unless it is too large.
fn limited(number: i128) -> Option<i128> {
    (number.unsigned_abs() < LIMIT).then_some(number)
}

/// A sum of monomials with coefficients that are not zero, by increasing number, and a constant.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Polynomial {
    pub(super) terms: Vec<(Monomial, i128)>,
    pub(super) constant: i128,
}

impl Polynomial {
    pub(super) fn constant(constant: i128) -> Self {
        Polynomial { terms: Vec::new(), constant }
    }

    pub(super) fn monomial(monomial: Monomial) -> Self {
        Polynomial { terms: vec![(monomial, 1)], constant: 0 }
    }

    pub(super) fn as_constant(&self) -> Option<i128> {
        self.terms.is_empty().then_some(self.constant)
    }

    pub(super) fn coefficient(&self, monomial: Monomial) -> i128 {
        self.terms.binary_search_by_key(&monomial, |term| term.0).map_or(0, |index| self.terms[index].1)
    }

    /// `self * x + other * y`.
    pub(super) fn combine(&self, x: i128, other: &Polynomial, y: i128) -> Option<Polynomial> {
        let mut terms = Vec::with_capacity(self.terms.len() + other.terms.len());
        let (mut left, mut right) = (self.terms.iter().peekable(), other.terms.iter().peekable());
        loop {
            let (monomial, coefficient) = match (left.peek(), right.peek()) {
                (Some(&&(a, c)), Some(&&(b, d))) if a == b => {
                    left.next();
                    right.next();
                    (a, limited(c.checked_mul(x)?.checked_add(d.checked_mul(y)?)?)?)
                }
                (Some(&&(a, c)), Some(&&(b, _))) if a < b => {
                    left.next();
                    (a, limited(c.checked_mul(x)?)?)
                }
                (Some(&&(a, c)), None) => {
                    left.next();
                    (a, limited(c.checked_mul(x)?)?)
                }
                (_, Some(&&(b, d))) => {
                    right.next();
                    (b, limited(d.checked_mul(y)?)?)
                }
                (None, None) => break,
            };
            if coefficient != 0 {
                terms.push((monomial, coefficient));
            }
        }
        let constant = limited(self.constant.checked_mul(x)?.checked_add(other.constant.checked_mul(y)?)?)?;
        Some(Polynomial { terms, constant })
    }

    pub(super) fn plus(&self, other: &Polynomial) -> Option<Polynomial> {
        self.combine(1, other, 1)
    }

    pub(super) fn minus(&self, other: &Polynomial) -> Option<Polynomial> {
        self.combine(1, other, -1)
    }

    pub(super) fn plus_constant(&self, constant: i128) -> Option<Polynomial> {
        Some(Polynomial { terms: self.terms.clone(), constant: limited(self.constant.checked_add(constant)?)? })
    }

    pub(super) fn scaled(&self, factor: i128) -> Option<Polynomial> {
        self.combine(factor, &Polynomial::default(), 0)
    }

    pub(super) fn times(&self, other: &Polynomial, monomials: &mut Monomials) -> Option<Polynomial> {
        let mut result = other.scaled(self.constant)?;
        for &(monomial, coefficient) in &self.terms {
            let part = other.times_monomial(monomial, monomials)?;
            result = result.combine(1, &part, coefficient)?;
        }
        Some(result)
    }

    pub(super) fn times_monomial(&self, monomial: Monomial, monomials: &mut Monomials) -> Option<Polynomial> {
        let mut terms = Vec::with_capacity(self.terms.len() + 1);
        for &(own, coefficient) in &self.terms {
            let factors = [monomials.factors(own), monomials.factors(monomial)].concat();
            terms.push((monomials.product(factors)?, coefficient));
        }
        if self.constant != 0 {
            terms.push((monomial, self.constant));
        }
        // Different monomials have different products with a third.
        terms.sort_unstable();
        Some(Polynomial { terms, constant: 0 })
    }

    /// The strongest whole-number form of `self >= 0`: coefficients without a common divisor, and the constant rounded down accordingly.
    pub(super) fn tightened(mut self) -> Polynomial {
        let divisor = self.terms.iter().fold(0, |divisor, &(_, coefficient)| gcd(divisor, coefficient));
        if divisor > 1 {
            self.terms.iter_mut().for_each(|term| term.1 /= divisor);
            self.constant = self.constant.div_euclid(divisor);
        }
        self
    }
}

/// The greatest common divisor, not negative.
pub(super) fn gcd(a: i128, b: i128) -> i128 {
    let (mut a, mut b) = (a.unsigned_abs(), b.unsigned_abs());
    while b != 0 {
        (a, b) = (b, a % b);
    }
    i128::try_from(a).unwrap_or(1)
}
