//! The relations between lengths and integer parameters that `requires(...)` states.
//!
//! The macro parses them, the compiler assumes them, and the host checks them before each launch.

use serde::{Deserialize, Serialize};

/// One comparison of a `requires(...)` clause; a clause is the conjunction of its relations.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Relation {
    /// The relation as the user wrote it, for messages.
    pub text: String,
    /// How the two sides compare.
    pub operator: RelationOperator,
    /// The left-hand side.
    pub left: Quantity,
    /// The right-hand side.
    pub right: Quantity,
}

/// A comparison between two quantities. `>` and `>=` are stored with their sides exchanged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RelationOperator {
    /// `==`
    Equal,
    /// `<`
    Less,
    /// `<=`
    LessEqual,
}

/// An integer expression over a kernel's parameters. Arithmetic is exact: it never wraps. The value of a signed parameter counts with
/// its sign; everything else is non-negative.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Quantity {
    /// An integer literal.
    Constant(u64),
    /// The element count of the buffer parameter with this index.
    Length(usize),
    /// The value of the integer parameter with this index.
    Value(usize),
    /// A sum.
    Add(Box<Quantity>, Box<Quantity>),
    /// A product.
    Multiply(Box<Quantity>, Box<Quantity>),
}

/// A quantity of a relation left the range of 128-bit integers. The relation must then count as violated: the compiler assumes it in
/// exact arithmetic.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a side of the relation is too large to compute")]
pub struct QuantityOverflow;

impl Relation {
    /// Whether the relation holds, given the length or value of each parameter by its index.
    pub fn holds(&self, parameter: &dyn Fn(usize) -> i128) -> Result<bool, QuantityOverflow> {
        let (left, right) = (self.left.evaluate(parameter)?, self.right.evaluate(parameter)?);
        Ok(match self.operator {
            RelationOperator::Equal => left == right,
            RelationOperator::Less => left < right,
            RelationOperator::LessEqual => left <= right,
        })
    }

    /// The parameters that the relation speaks of, by index, in the order of their first mention and each once.
    #[must_use]
    pub fn parameters(&self) -> Vec<usize> {
        let mut found = Vec::new();
        self.left.collect_parameters(&mut found);
        self.right.collect_parameters(&mut found);
        found
    }
}

impl Quantity {
    /// The quantity's value, given the length or value of each parameter by its index.
    pub fn evaluate(&self, parameter: &dyn Fn(usize) -> i128) -> Result<i128, QuantityOverflow> {
        let both = |left: &Quantity, right: &Quantity| Ok((left.evaluate(parameter)?, right.evaluate(parameter)?));
        match self {
            Self::Constant(value) => Ok(i128::from(*value)),
            Self::Length(index) | Self::Value(index) => Ok(parameter(*index)),
            Self::Add(left, right) => both(left, right).and_then(|(left, right)| left.checked_add(right).ok_or(QuantityOverflow)),
            Self::Multiply(left, right) => both(left, right).and_then(|(left, right)| left.checked_mul(right).ok_or(QuantityOverflow)),
        }
    }

    fn collect_parameters(&self, found: &mut Vec<usize>) {
        match self {
            Self::Constant(_) => {}
            Self::Length(index) | Self::Value(index) => {
                if !found.contains(index) {
                    found.push(*index);
                }
            }
            Self::Add(left, right) | Self::Multiply(left, right) => {
                left.collect_parameters(found);
                right.collect_parameters(found);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn relation(operator: RelationOperator, left: Quantity, right: Quantity) -> Relation {
        Relation { text: String::new(), operator, left, right }
    }

    fn product(left: Quantity, right: Quantity) -> Quantity {
        Quantity::Multiply(Box::new(left), Box::new(right))
    }

    fn sum(left: Quantity, right: Quantity) -> Quantity {
        Quantity::Add(Box::new(left), Box::new(right))
    }

    #[test]
    fn operators_compare_left_with_right() {
        use RelationOperator::{Equal, Less, LessEqual};
        for (operator, left, right, expected) in [
            (Equal, 3, 3, true),
            (Equal, 3, 4, false),
            (Less, 3, 4, true),
            (Less, 4, 4, false),
            (LessEqual, 4, 4, true),
            (LessEqual, 5, 4, false),
        ] {
            let relation = relation(operator, Quantity::Constant(left), Quantity::Constant(right));
            assert_eq!(relation.holds(&|_| unreachable!()), Ok(expected), "{left} {operator:?} {right}");
        }
    }

    #[test]
    fn arithmetic_does_not_wrap_at_64_bits() {
        let area = product(Quantity::Value(1), Quantity::Value(2));
        let relation = relation(RelationOperator::LessEqual, area, Quantity::Length(0));
        // 2^33 · 2^31 = 2^64, which is 0 in 64 bits and would fit any buffer.
        let values = [3, 1 << 33, 1 << 31];
        assert_eq!(relation.holds(&|index| values[index]), Ok(false));
    }

    #[test]
    fn signed_values_keep_their_sign() {
        let relation = relation(RelationOperator::Less, sum(Quantity::Value(0), Quantity::Constant(1)), Quantity::Constant(0));
        assert_eq!(relation.holds(&|_| -2), Ok(true));
        assert_eq!(relation.holds(&|_| 0), Ok(false));
    }

    #[test]
    fn what_cannot_be_computed_is_an_error() {
        let cube = product(product(Quantity::Value(0), Quantity::Value(0)), Quantity::Value(0));
        let relation = relation(RelationOperator::Less, Quantity::Constant(0), cube);
        assert_eq!(relation.holds(&|_| i128::from(u64::MAX)), Err(QuantityOverflow));
    }

    #[test]
    fn parameters_in_order_of_mention() {
        let left = sum(product(Quantity::Value(4), Quantity::Length(2)), Quantity::Constant(1));
        assert_eq!(relation(RelationOperator::Equal, left, Quantity::Length(2)).parameters(), [4, 2]);
    }
}
