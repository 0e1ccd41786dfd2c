//! What the host has checked before a launch, stated as assumptions at a kernel's entry.
//! The host computes relations exactly; a relation is stated only where 64-bit arithmetic gives the same answer.

use metal_oxide_artifact::{Quantity, Relation, RelationOperator};
use metal_oxide_ir::{BinaryOperator, CastOperator, CompareOperator, Constant, Function, Operation, Type, ValueId};

/// A buffer's bytes fit in an `isize`, and so does its element count.
const MAX_LENGTH: i128 = i64::MAX as i128;

/// Appends assumptions to a function's entry block.
pub struct Assumptions<'a> {
    function: &'a mut Function,
    quantities: &'a [Option<(ValueId, bool)>],
}

/// The values that a quantity can have.
#[derive(Clone, Copy)]
struct Range {
    low: i128,
    high: i128,
}

impl<'a> Assumptions<'a> {
    /// `quantities` holds each parameter's length or integer value, and whether that is signed.
    pub fn new(function: &'a mut Function, quantities: &'a [Option<(ValueId, bool)>]) -> Self {
        Assumptions { function, quantities }
    }

    /// States what can be stated of the relations.
    pub fn state(&mut self, relations: &[Relation]) {
        for relation in relations {
            if let Some(condition) = self.relation(relation) {
                let block = self.function.entry();
                self.function.append_effect(block, Operation::Assume(condition), None);
            }
        }
    }

    fn relation(&mut self, relation: &Relation) -> Option<ValueId> {
        let (left, right) = (self.range(&relation.left)?, self.range(&relation.right)?);
        let unsigned = |range: Range| range.high <= i128::from(u64::MAX);
        let signed = |range: Range| range.low >= i128::from(i64::MIN) && range.high <= i128::from(i64::MAX);
        let equal = relation.operator == RelationOperator::Equal;
        // Modulo 2^64 both sides are what they are exactly if they fit, and the smaller one fits if the larger one does.
        let (less, less_equal, fits) = if left.low >= 0 && right.low >= 0 && (unsigned(right) || equal && unsigned(left)) {
            (CompareOperator::LessUnsigned, CompareOperator::LessEqualUnsigned, true)
        } else if signed(left) && signed(right) {
            (CompareOperator::LessSigned, CompareOperator::LessEqualSigned, false)
        } else {
            return None;
        };
        let operator = match relation.operator {
            RelationOperator::Equal => CompareOperator::Equal,
            RelationOperator::Less => less,
            RelationOperator::LessEqual => less_equal,
        };
        let (left, right) = (self.value(&relation.left, fits)?, self.value(&relation.right, fits)?);
        let block = self.function.entry();
        Some(self.function.append(block, Operation::Compare(operator, left, right), Type::Bool, None))
    }

    fn range(&self, quantity: &Quantity) -> Option<Range> {
        match quantity {
            Quantity::Constant(value) => Some(Range { low: i128::from(*value), high: i128::from(*value) }),
            Quantity::Length(_) => Some(Range { low: 0, high: MAX_LENGTH }),
            Quantity::Value(index) => {
                let (value, signed) = (*self.quantities.get(*index)?)?;
                let bits = self.function.ty(value).bits().min(64);
                let span = 1i128 << bits;
                Some(if signed { Range { low: -(span / 2), high: span / 2 - 1 } } else { Range { low: 0, high: span - 1 } })
            }
            Quantity::Add(left, right) => {
                let (left, right) = (self.range(left)?, self.range(right)?);
                Some(Range { low: left.low.saturating_add(right.low), high: left.high.saturating_add(right.high) })
            }
            Quantity::Multiply(left, right) => {
                let (left, right) = (self.range(left)?, self.range(right)?);
                let products = [left.low, left.high].map(|a| [right.low, right.high].map(|b| a.saturating_mul(b)));
                let products = products.iter().flatten();
                Some(Range { low: *products.clone().min()?, high: *products.max()? })
            }
        }
    }

    /// The quantity modulo 2^64. Where its exact value is known to fit, that is stated too.
    fn value(&mut self, quantity: &Quantity, fits: bool) -> Option<ValueId> {
        match quantity {
            Quantity::Constant(value) => Some(self.function.add_constant(Constant::integer(Type::I64, i128::from(*value)))),
            Quantity::Length(index) | Quantity::Value(index) => {
                let (value, signed) = (*self.quantities.get(*index)?)?;
                if self.function.ty(value) == Type::I64 {
                    return Some(value);
                }
                let operator = if signed { CastOperator::SignExtend } else { CastOperator::ZeroExtend };
                let block = self.function.entry();
                Some(self.function.append(block, Operation::Cast(operator, value), Type::I64, None))
            }
            Quantity::Add(left, right) => {
                // Parts of a sum fit where the sum does.
                let checked = fits && self.may_wrap(quantity);
                let (left, right) = (self.value(left, fits)?, self.value(right, fits)?);
                let sum = self.append(Operation::Binary(BinaryOperator::Add, left, right), Type::I64);
                if checked {
                    self.assume(CompareOperator::GreaterEqualUnsigned, sum, left);
                }
                Some(sum)
            }
            Quantity::Multiply(left, right) => {
                // Parts of a product need not fit where the product does: another factor may be zero.
                let simple = |part: &Quantity| matches!(part, Quantity::Constant(_) | Quantity::Length(_) | Quantity::Value(_));
                let checked = fits && simple(left) && simple(right) && self.may_wrap(quantity);
                let (left, right) = (self.value(left, false)?, self.value(right, false)?);
                let product = self.append(Operation::Binary(BinaryOperator::Mul, left, right), Type::I64);
                if checked {
                    let high = self.append(Operation::Binary(BinaryOperator::MulHighUnsigned, left, right), Type::I64);
                    let zero = self.function.add_constant(Constant::integer(Type::I64, 0));
                    self.assume(CompareOperator::Equal, high, zero);
                }
                Some(product)
            }
        }
    }

    /// Whether 64-bit arithmetic could give something else than the exact result.
    fn may_wrap(&self, quantity: &Quantity) -> bool {
        self.range(quantity).is_none_or(|range| range.high > i128::from(u64::MAX))
    }

    fn assume(&mut self, operator: CompareOperator, left: ValueId, right: ValueId) {
        let condition = self.append(Operation::Compare(operator, left, right), Type::Bool);
        let block = self.function.entry();
        self.function.append_effect(block, Operation::Assume(condition), None);
    }

    fn append(&mut self, operation: Operation, ty: Type) -> ValueId {
        let block = self.function.entry();
        self.function.append(block, operation, ty, None)
    }
}
