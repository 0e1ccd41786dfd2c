//! The relations between lengths and integer parameters that `requires(...)` states.
//!
//! The macro parses them, the compiler assumes them, and the host checks them before each launch.

use serde::{Deserialize, Serialize};

/// One comparison of a `requires(...)` clause; a clause is the conjunction of its relations.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
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

/// A non-negative integer expression over a kernel's parameters. Arithmetic is exact: it never wraps.
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
