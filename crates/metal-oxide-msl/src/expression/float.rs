//! Float arithmetic and functions. In precise mode the functions are named so that no compiler option makes them anything less;
//! in fast mode only those that must survive NaN are spelled out.

use metal_oxide_artifact::MathMode;
use metal_oxide_ir::{BinaryOperator, MathFunction, UnaryOperator, ValueId};

use super::{Expression, Level, Writer};
use crate::scalar::Scalar;
use crate::support::Support;

impl Writer<'_> {
    pub(super) fn float_binary(&self, operator: BinaryOperator, a: ValueId, b: ValueId) -> Expression {
        use BinaryOperator::*;
        match operator {
            FloatAdd => self.float_operator("+", Level::Sum, a, b),
            FloatSub => self.float_operator("-", Level::Sum, a, b),
            FloatMul => self.float_operator("*", Level::Product, a, b),
            FloatDiv => self.float_operator("/", Level::Product, a, b),
            FloatMin => self.number_function("fmin", Support::NumberMin, a, b),
            FloatMax => self.number_function("fmax", Support::NumberMax, a, b),
            FloatRem => self.float_function("fmod", &[a, b]),
            _ => {
                let (a, b) = (self.natural(a), self.natural(b));
                Expression::atom(format!("copysign({}, {})", a.text, b.text), a.ty)
            }
        }
    }

    pub(super) fn float_unary(&self, operator: UnaryOperator, a: ValueId) -> Expression {
        let operand = self.natural(a);
        let name = match operator {
            UnaryOperator::FloatNeg => {
                return Expression::new(format!("-{}", operand.within(Level::Atom)), operand.ty, Level::Unary);
            }
            UnaryOperator::Sqrt => return self.float_function("sqrt", &[a]),
            UnaryOperator::FloatAbs => "fabs",
            UnaryOperator::Floor => "floor",
            UnaryOperator::Ceil => "ceil",
            UnaryOperator::Truncate => "trunc",
            UnaryOperator::Round => "round",
            // Operators on integers do not come here.
            _ => "rint",
        };
        Expression::atom(format!("{name}({})", operand.text), operand.ty)
    }

    pub(super) fn math(&self, function: MathFunction, operands: &[ValueId]) -> Expression {
        match function {
            MathFunction::Fma => {
                let list: Vec<Expression> = operands.iter().map(|&value| self.natural(value)).collect();
                let ty = list.first().map_or(Scalar::Float, |operand| operand.ty);
                Expression::atom(format!("fma({})", texts(&list)), ty)
            }
            _ => self.float_function(function.keyword(), operands),
        }
    }

    /// A function that has a precise and a fast variant for `float`.
    fn float_function(&self, name: &str, operands: &[ValueId]) -> Expression {
        let list: Vec<Expression> = operands.iter().map(|&value| self.natural(value)).collect();
        let ty = list.first().map_or(Scalar::Float, |operand| operand.ty);
        let variant = match (ty, self.math) {
            (Scalar::Float, MathMode::Precise) => "precise::",
            (Scalar::Float, MathMode::Fast) => "fast::",
            _ => "",
        };
        Expression::atom(format!("{variant}{name}({})", texts(&list)), ty)
    }

    /// The smaller or larger of two; if one is NaN, the other.
    fn number_function(&self, name: &str, fast: Support, a: ValueId, b: ValueId) -> Expression {
        let (a, b) = (self.natural(a), self.natural(b));
        let name = match (a.ty, self.math) {
            (Scalar::Float, MathMode::Precise) => format!("precise::{name}"),
            (Scalar::Float, MathMode::Fast) => self.support(fast),
            _ => name.to_owned(),
        };
        Expression::atom(format!("{name}({}, {})", a.text, b.text), a.ty)
    }

    fn float_operator(&self, operator: &str, level: Level, a: ValueId, b: ValueId) -> Expression {
        let (a, b) = (self.natural(a), self.natural(b));
        // Float arithmetic is not associative: what stands on the right stays together.
        let above = if level == Level::Sum { Level::Product } else { Level::Unary };
        Expression::new(format!("{} {operator} {}", a.within(level), b.within(above)), a.ty, level)
    }
}

fn texts(list: &[Expression]) -> String {
    list.iter().map(|operand| operand.text.as_str()).collect::<Vec<_>>().join(", ")
}
