//! Assignments to something that the new value is computed from: `x += y` and its relatives, where they mean the same.

use metal_oxide_ir::{BinaryOperator, Constant, Operation, ValueId};

use super::{Expression, Level, Writer};
use crate::flow::fold::Form;
use crate::scalar::Scalar;

impl Writer<'_> {
    /// The assignment of a value to `text`, of a declared type, if the value is an operator on what `text` held.
    /// `own` says that the value is computed here although it is a variable: the one that is assigned to.
    pub(crate) fn compound_assignment(
        &self,
        text: &str,
        scalar: Scalar,
        value: ValueId,
        own: bool,
        is_target: &dyn Fn(ValueId) -> bool,
    ) -> Option<String> {
        if (!own && self.forms.of(self.function, value) != Form::Folded)
            || Scalar::of(self.function.ty(value), scalar.is_signed()) != scalar
        {
            return None;
        }
        let Some(Operation::Binary(operator, a, b)) = self.function.defining_operation(value) else { return None };
        let operand = if is_target(*a) {
            *b
        } else if is_target(*b) && operator.is_commutative() {
            *a
        } else {
            return None;
        };
        let symbol = self.symbol(*operator, scalar, self.steady.contains(&value))?;
        if scalar.is_integer()
            && matches!(symbol, "+" | "-")
            && let Some(step) = self.function.constant(operand).and_then(Constant::as_signed)
        {
            return Some(self.step(text, scalar, if symbol == "+" { step } else { -step }));
        }
        let operand = match symbol {
            "<<" | ">>" => match self.function.constant(operand) {
                Some(constant) => self.plain_literal(constant, Scalar::unsigned(scalar.bits())),
                None => self.exact(operand, self.exact_type(operand, self.function.ty(operand))),
            },
            _ => self.beside(operand, scalar),
        };
        Some(format!("{text} {symbol}= {}", operand.text))
    }

    fn step(&self, text: &str, scalar: Scalar, step: i128) -> String {
        match step {
            1 => format!("++{text}"),
            -1 => format!("--{text}"),
            _ if step < 0 => {
                let amount = super::literal::plain_literal(step.unsigned_abs(), Scalar::unsigned(scalar.bits()));
                format!("{text} -= {}", amount.text)
            }
            _ => format!("{text} += {}", super::literal::plain_literal(step as u128, Scalar::unsigned(scalar.bits())).text),
        }
    }

    /// The right side of a compound assignment: C++ must compute in the type of the left side.
    fn beside(&self, value: ValueId, scalar: Scalar) -> Expression {
        let natural = match self.function.constant(value) {
            Some(constant) => self.plain_literal(constant, scalar),
            None => self.natural(value),
        };
        let fits = natural.ty == scalar
            || (scalar.is_integer()
                && natural.ty.is_integer()
                && natural.ty.bits() <= scalar.bits()
                && natural.ty.common(scalar) == scalar);
        if fits && natural.level > Level::Choice { natural } else { self.exact(value, scalar) }
    }

    /// The operator, if C++ computes it in the declared type as the IR does.
    fn symbol(&self, operator: BinaryOperator, scalar: Scalar, steady: bool) -> Option<&'static str> {
        use BinaryOperator::*;
        if !scalar.is_integer() {
            return Some(match operator {
                FloatAdd => "+",
                FloatSub => "-",
                FloatMul => "*",
                FloatDiv => "/",
                _ => return None,
            });
        }
        let wraps = scalar.bits() >= 32 && !scalar.is_signed();
        Some(match operator {
            Add if wraps || steady => "+",
            Sub if wraps || steady => "-",
            Mul if wraps => "*",
            DivUnsigned if wraps => "/",
            RemUnsigned if wraps => "%",
            And if scalar.bits() >= 32 => "&",
            Or if scalar.bits() >= 32 => "|",
            Xor if scalar.bits() >= 32 => "^",
            ShiftLeft if wraps => "<<",
            ShiftRightUnsigned if wraps => ">>",
            ShiftRightSigned if scalar.is_signed() && scalar.bits() >= 32 => ">>",
            _ => return None,
        })
    }
}
