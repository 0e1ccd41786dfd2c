//! Conditions: comparisons and logic, also of their opposite, so that no `!` stands in front of a comparison that has a name for it.

use metal_oxide_artifact::MathMode;
use metal_oxide_ir::{BinaryOperator, CompareOperator, Constant, Operation, Type, UnaryOperator, ValueId};

use super::{Expression, Level, Writer};
use crate::flow::fold::Form;
use crate::scalar::Scalar;
use crate::structure::Condition;
use crate::support::Support;

impl Writer<'_> {
    /// A condition as a `bool`.
    pub(crate) fn condition(&self, condition: &Condition) -> Expression {
        match condition {
            Condition::Value { value, negated } => self.test(*value, *negated),
            Condition::Equals { value, cases, negated } => {
                let ty = self.function.ty(*value);
                let (operator, glue, level) = if *negated { ("!=", " && ", Level::And) } else { ("==", " || ", Level::Or) };
                let tests: Vec<Expression> =
                    cases.iter().map(|&case| self.equals(*value, operator, Constant::Bits { ty, bits: case })).collect();
                match &tests[..] {
                    [only] => only.clone(),
                    _ => Expression::new(
                        tests.iter().map(|test| test.within(Level::Equality)).collect::<Vec<_>>().join(glue),
                        Scalar::Bool,
                        level,
                    ),
                }
            }
            Condition::Flag { flag, negated } => not(self.variable(*flag), *negated),
            Condition::And(a, b) => joined("&&", Level::And, self.condition(a), self.condition(b)),
            Condition::Or(a, b) => joined("||", Level::Or, self.condition(a), self.condition(b)),
        }
    }

    /// A `bool` value, or its opposite.
    pub(super) fn test(&self, value: ValueId, negated: bool) -> Expression {
        let folded = self.forms.of(self.function, value) == Form::Folded;
        match self.function.defining_operation(value) {
            Some(Operation::Compare(operator, a, b)) if folded => self.compare(*operator, *a, *b, negated),
            Some(Operation::Unary(UnaryOperator::Not, a)) if folded => self.test(*a, !negated),
            Some(Operation::Binary(BinaryOperator::And, a, b)) if folded => match negated {
                true => self.either(*a, *b, true),
                false => self.both(*a, *b, false),
            },
            Some(Operation::Binary(BinaryOperator::Or, a, b)) if folded => match negated {
                true => self.both(*a, *b, true),
                false => self.either(*a, *b, false),
            },
            Some(Operation::Binary(BinaryOperator::Xor, a, b)) if folded => self.compare_bools(if negated { "==" } else { "!=" }, *a, *b),
            _ => match self.function.constant(value).and_then(Constant::as_unsigned) {
                Some(bits) => Expression::atom(if (bits == 1) != negated { "true" } else { "false" }, Scalar::Bool),
                None => not(self.natural(value), negated),
            },
        }
    }

    /// Both, or if they are negated, neither.
    pub(super) fn both(&self, a: ValueId, b: ValueId, negated: bool) -> Expression {
        joined("&&", Level::And, self.test(a, negated), self.test(b, negated))
    }

    pub(super) fn either(&self, a: ValueId, b: ValueId, negated: bool) -> Expression {
        joined("||", Level::Or, self.test(a, negated), self.test(b, negated))
    }

    pub(super) fn compare_bools(&self, operator: &str, a: ValueId, b: ValueId) -> Expression {
        let (a, b) = (self.test(a, false), self.test(b, false));
        Expression::new(format!("{} {operator} {}", a.within(Level::Shift), b.within(Level::Shift)), Scalar::Bool, Level::Equality)
    }

    pub(super) fn compare(&self, operator: CompareOperator, a: ValueId, b: ValueId, negated: bool) -> Expression {
        let ty = self.function.ty(a);
        if operator.is_float() {
            return self.compare_floats(operator, a, b, negated);
        }
        let operator = if negated { operator.negated().unwrap_or(operator) } else { operator };
        match ty {
            Type::Bool => {
                // A comparison with a constant is the value or its opposite.
                for (value, other) in [(a, b), (b, a)] {
                    if let Some(bits) = self.function.constant(other).and_then(Constant::as_unsigned) {
                        return self.test(value, (bits == 1) != (operator == CompareOperator::Equal));
                    }
                }
                self.compare_bools(text(operator), a, b)
            }
            Type::Pointer(_) => self.compare_pointers(text(operator), level(operator), a, b),
            _ => self.compare_integers(operator, a, b, ty),
        }
    }

    fn equals(&self, value: ValueId, operator: &str, constant: Constant) -> Expression {
        let natural = self.natural(value);
        let width = constant.ty().bits();
        let exact = natural.ty.is_integer() && natural.ty.bits() == width;
        let natural = if exact { natural } else { self.exact(value, Scalar::unsigned(width)) };
        let constant = self.plain_literal(constant, natural.ty);
        Expression::new(
            format!("{} {operator} {}", natural.within(Level::Relation), constant.within(Level::Relation)),
            Scalar::Bool,
            Level::Equality,
        )
    }

    /// Compares the numbers that the operands are. C++ compares in the common type of the two, so that type must hold both numbers.
    fn compare_integers(&self, operator: CompareOperator, a: ValueId, b: ValueId, ty: Type) -> Expression {
        use CompareOperator::{Equal, NotEqual};
        let signs: &[bool] = match operator {
            Equal | NotEqual => &[false, true],
            _ if is_signed(operator) => &[true],
            _ => &[false],
        };
        let level = level(operator);
        let print = |a: Expression, b: Expression| {
            let above = if level == Level::Equality { Level::Relation } else { Level::Shift };
            Expression::new(format!("{} {} {}", a.within(above), text(operator), b.within(above)), Scalar::Bool, level)
        };
        for &signed in signs {
            let wanted = Scalar::of(ty, signed);
            let (left, right) = (self.operand(a, wanted), self.operand(b, wanted));
            if is_number(&left, wanted) && is_number(&right, wanted) && holds_both(&left, &right) {
                return print(left, right);
            }
        }
        // Prefers to cast a single operand.
        for &signed in signs {
            let wanted = Scalar::of(ty, signed);
            let (left, right) = (self.operand(a, wanted), self.operand(b, wanted));
            if is_number(&left, wanted) {
                let right = self.exact(b, wanted);
                if holds_both(&left, &right) {
                    return print(left, right);
                }
            }
            if is_number(&right, wanted) {
                let left = self.exact(a, wanted);
                if holds_both(&left, &right) {
                    return print(left, right);
                }
            }
        }
        let wanted = Scalar::of(ty, signs[0]);
        print(self.exact(a, wanted), self.exact(b, wanted))
    }

    /// An operand beside another one: constants without suffix.
    pub(super) fn operand(&self, value: ValueId, wanted: Scalar) -> Expression {
        match self.function.constant(value) {
            Some(constant) => self.plain_literal(constant, wanted),
            None => self.natural(value),
        }
    }

    fn compare_floats(&self, operator: CompareOperator, a: ValueId, b: ValueId, negated: bool) -> Expression {
        use CompareOperator::{FloatEqual, FloatNotEqual};
        if a == b && matches!(operator, FloatEqual | FloatNotEqual) {
            return not(self.is_nan(a), (operator == FloatEqual) != negated);
        }
        let (operator, negated) = match operator.negated().filter(|_| negated) {
            Some(opposite) => (opposite, false),
            None => (operator, negated),
        };
        let level = level(operator);
        let above = if level == Level::Equality { Level::Relation } else { Level::Shift };
        let text = format!("{} {} {}", self.natural(a).within(above), text(operator), self.natural(b).within(above));
        not(Expression::new(text, Scalar::Bool, level), negated)
    }

    /// Whether a float is a NaN. Fast mode lets the compiler assume that there are none, so there the bits decide.
    pub(super) fn is_nan(&self, value: ValueId) -> Expression {
        let value = self.natural(value);
        let (name, value) = match self.math {
            MathMode::Fast => (self.support(Support::IsNan), self.cast(value, Scalar::Float)),
            MathMode::Precise => ("isnan".to_owned(), value),
        };
        Expression::atom(format!("{name}({})", value.text), Scalar::Bool)
    }
}

/// Whether an expression's value, taken as the number that C++ sees, is the IR's number of this type.
fn is_number(expression: &Expression, wanted: Scalar) -> bool {
    match expression.ty {
        Scalar::Bool => true,
        // Literals are not negative unless the number is.
        Scalar::Integer { .. } if is_literal(expression) => true,
        Scalar::Integer { bits, signed } if bits == wanted.bits() => signed == wanted.is_signed(),
        Scalar::Integer { bits, signed } => bits < wanted.bits() && (wanted.is_signed() || !signed),
        _ => false,
    }
}

/// Whether the common type of two numbers holds both of them.
fn holds_both(a: &Expression, b: &Expression) -> bool {
    let common = a.ty.common(b.ty);
    let fits = |expression: &Expression| {
        common.is_signed() || !expression.ty.is_signed() || (is_literal(expression) && !expression.text.starts_with('-'))
    };
    fits(a) && fits(b)
}

fn is_literal(expression: &Expression) -> bool {
    expression.text.strip_prefix('-').unwrap_or(&expression.text).starts_with(|first: char| first.is_ascii_digit())
        && expression.level >= Level::Unary
}

fn is_signed(operator: CompareOperator) -> bool {
    use CompareOperator::*;
    matches!(operator, LessSigned | LessEqualSigned | GreaterSigned | GreaterEqualSigned)
}

fn text(operator: CompareOperator) -> &'static str {
    use CompareOperator::*;
    match operator {
        Equal | FloatEqual => "==",
        NotEqual | FloatNotEqual => "!=",
        LessUnsigned | LessSigned | FloatLess => "<",
        LessEqualUnsigned | LessEqualSigned | FloatLessEqual => "<=",
        GreaterUnsigned | GreaterSigned | FloatGreater => ">",
        GreaterEqualUnsigned | GreaterEqualSigned | FloatGreaterEqual => ">=",
    }
}

fn level(operator: CompareOperator) -> Level {
    if matches!(text(operator), "==" | "!=") { Level::Equality } else { Level::Relation }
}

fn not(expression: Expression, negated: bool) -> Expression {
    if !negated {
        return expression;
    }
    Expression::new(format!("!{}", expression.within(Level::Unary)), Scalar::Bool, Level::Unary)
}

/// Two conditions with `&&` or `||` between them; the other of the two inside gets parentheses, as compilers advise.
fn joined(operator: &str, level: Level, a: Expression, b: Expression) -> Expression {
    let side = |expression: &Expression| if expression.level == level { expression.text.clone() } else { expression.within(Level::BitOr) };
    Expression::new(format!("{} {operator} {}", side(&a), side(&b)), Scalar::Bool, level)
}
