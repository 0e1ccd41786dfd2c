//! Comparisons as sets of outcomes: less, equal, greater, unordered.
//! Two comparisons of the same operands are joined, and one answers another, by set operations.

use crate::CompareOperator;

/// The outcomes of comparing two values for which a comparison is true.
#[derive(Clone, Copy, Debug)]
pub(super) struct Outcomes {
    /// A union of the constants below.
    pub set: u8,
    /// The order that is meant.
    pub family: Family,
}

/// How values are ordered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Family {
    /// Only equality is asked.
    Equality,
    Unsigned,
    Signed,
    Float,
}

pub(super) const LESS: u8 = 1;
pub(super) const EQUAL: u8 = 2;
pub(super) const GREATER: u8 = 4;
const UNORDERED: u8 = 8;

impl Family {
    /// The order in which two comparisons can be joined.
    pub fn join(self, other: Self) -> Option<Self> {
        match (self, other) {
            _ if self == other => Some(self),
            (Family::Equality, Family::Unsigned | Family::Signed) => Some(other),
            (Family::Unsigned | Family::Signed, Family::Equality) => Some(self),
            _ => None,
        }
    }

    /// All outcomes that are possible.
    pub fn all(self) -> u8 {
        if self == Family::Float { LESS | EQUAL | GREATER | UNORDERED } else { LESS | EQUAL | GREATER }
    }

    /// Whether an outcome in this order can answer a question about another. Different values are less in one order and greater in another.
    pub fn answers(self, asked: Self) -> bool {
        self == asked || matches!((self, asked), (Family::Unsigned | Family::Signed, Family::Equality))
    }
}

impl Outcomes {
    /// The outcomes for which an operator is true.
    pub fn of(operator: CompareOperator) -> Self {
        use CompareOperator::*;
        let (set, family) = match operator {
            Equal => (EQUAL, Family::Equality),
            NotEqual => (LESS | GREATER, Family::Equality),
            LessUnsigned => (LESS, Family::Unsigned),
            LessEqualUnsigned => (LESS | EQUAL, Family::Unsigned),
            GreaterUnsigned => (GREATER, Family::Unsigned),
            GreaterEqualUnsigned => (GREATER | EQUAL, Family::Unsigned),
            LessSigned => (LESS, Family::Signed),
            LessEqualSigned => (LESS | EQUAL, Family::Signed),
            GreaterSigned => (GREATER, Family::Signed),
            GreaterEqualSigned => (GREATER | EQUAL, Family::Signed),
            FloatEqual => (EQUAL, Family::Float),
            FloatNotEqual => (LESS | GREATER | UNORDERED, Family::Float),
            FloatLess => (LESS, Family::Float),
            FloatLessEqual => (LESS | EQUAL, Family::Float),
            FloatGreater => (GREATER, Family::Float),
            FloatGreaterEqual => (GREATER | EQUAL, Family::Float),
        };
        Outcomes { set, family }
    }

    /// The operator that is true for exactly these outcomes, or the answer if it is always the same. `None` if there is no such operator.
    pub fn operator(self) -> Option<Result<CompareOperator, bool>> {
        if self.set == 0 {
            return Some(Err(false));
        }
        if self.set == self.family.all() {
            return Some(Err(true));
        }
        let fits = |operator: CompareOperator| {
            let outcomes = Outcomes::of(operator);
            outcomes.set == self.set && outcomes.family.join(self.family) == Some(self.family)
        };
        CompareOperator::ALL.iter().find(|&&operator| fits(operator)).map(|&operator| Ok(operator))
    }
}
