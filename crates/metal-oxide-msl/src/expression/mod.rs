//! From values to C++ expressions that compute exactly the IR's bits.
//!
//! Every [`Expression`] knows the type that C++ gives it. The rule between it and the IR value it stands for: *converting the expression
//! to an integer of the IR's width gives the IR's bits*. Its own type may be narrower, when C++ widens it as the IR does, or wider, when
//! C++ promoted small integers and the high bits mean nothing. Whoever needs more asks for an exact type and may pay with a cast.

mod access;
mod address;
mod compare;
mod compound;
mod convert;
mod float;
mod integer;
mod literal;

pub(crate) use access::Access;
pub(crate) use address::{Pointee, PointerType};
pub(crate) use literal::table_literal;

use std::collections::HashSet;

use metal_oxide_artifact::MathMode;
use metal_oxide_ir::{
    Axis, BinaryOperator, Constant, Coordinate, Function, FunctionId, Module, Operation, Type, TypeId, UnaryOperator, ValueId,
};

use crate::flow::coalesce::{Source, VariableId, Variables};
use crate::flow::fold::{Form, Forms};
use crate::program::Program;
use crate::scalar::Scalar;
use crate::support::{Support, Supports};

/// How strongly an operator holds its operands together, as C++ orders them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Level {
    Choice,
    Or,
    And,
    BitOr,
    BitXor,
    BitAnd,
    Equality,
    Relation,
    Shift,
    Sum,
    Product,
    Unary,
    Atom,
}

/// The text of an expression.
#[derive(Clone, Debug)]
pub(crate) struct Expression {
    pub(crate) text: String,
    pub(crate) ty: Scalar,
    pub(crate) level: Level,
}

impl Expression {
    pub(crate) fn new(text: impl Into<String>, ty: Scalar, level: Level) -> Self {
        Expression { text: text.into(), ty, level }
    }

    pub(crate) fn atom(text: impl Into<String>, ty: Scalar) -> Self {
        Expression::new(text, ty, Level::Atom)
    }

    /// The text as an operand that must hold together at least as strongly as a level.
    pub(crate) fn within(&self, level: Level) -> String {
        if self.level < level { format!("({})", self.text) } else { self.text.clone() }
    }
}

/// What a variable is declared as.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum VariableType {
    Scalar(Scalar),
    Pointer(PointerType),
    Memory(TypeId),
}

/// What a parameter of a function appears as.
#[derive(Clone, Debug)]
pub(crate) enum Parameter {
    /// A scalar.
    Scalar(Expression),
    /// A pointer.
    Pointer { text: String, ty: PointerType },
    /// An aggregate in the argument block, whose address the parameter is.
    Aggregate { text: String, ty: TypeId },
}

/// Writes the expressions of one function.
pub(crate) struct Writer<'a> {
    pub(crate) module: &'a Module,
    pub(crate) program: &'a Program,
    pub(crate) function: &'a Function,
    pub(crate) forms: &'a Forms,
    pub(crate) variables: &'a Variables,
    pub(crate) types: &'a [VariableType],
    /// Sums that do not wrap as signed numbers.
    pub(crate) steady: &'a HashSet<ValueId>,
    /// The names of the variables that have been declared so far.
    pub(crate) names: Vec<String>,
    pub(crate) parameters: &'a [(ValueId, Parameter)],
    /// The names by which the thread coordinates go.
    pub(crate) coordinates: &'a dyn Fn(Coordinate) -> String,
    /// The name by which the state of failures goes.
    pub(crate) failure: &'a str,
    pub(crate) math: MathMode,
    pub(crate) supports: &'a Supports,
}

impl Writer<'_> {
    /// The text of a scalar value.
    pub(crate) fn natural(&self, value: ValueId) -> Expression {
        match self.forms.of(self.function, value) {
            Form::Leaf => self.leaf(value),
            Form::Variable => {
                let Some(variable) = self.variables.of(value) else { return self.undefined(value) };
                self.variable(variable)
            }
            Form::Folded => match self.function.defining_operation(value) {
                Some(operation) => self.operation(operation, value),
                None => self.undefined(value),
            },
            Form::Absent | Form::Slot => self.undefined(value),
        }
    }

    /// A value as an expression of exactly this type.
    pub(crate) fn exact(&self, value: ValueId, ty: Scalar) -> Expression {
        if let Some(constant) = self.function.constant(value) {
            return self.literal(constant, ty);
        }
        self.cast(self.natural(value), ty)
    }

    /// A value where C++ converts to a type by itself: initialisers, assignments, arguments, results.
    pub(crate) fn converted(&self, value: ValueId, ty: Scalar) -> String {
        if let Some(constant) = self.function.constant(value) {
            return self.plain_literal(constant, ty).text;
        }
        self.implicitly(self.natural(value), ty)
    }

    fn implicitly(&self, expression: Expression, ty: Scalar) -> String {
        match (expression.ty, ty) {
            (Scalar::Integer { .. } | Scalar::Bool, Scalar::Integer { .. }) => expression.text,
            (from, to) if from == to => expression.text,
            _ => self.cast(expression, ty).text,
        }
    }

    /// The result of an instruction that a variable of a scalar type holds.
    pub(crate) fn result(&self, value: ValueId, ty: Scalar) -> String {
        let Some(operation) = self.function.defining_operation(value) else { return String::new() };
        self.implicitly(self.operation(operation, value), ty)
    }

    /// A variable of scalar type.
    pub(crate) fn variable(&self, variable: VariableId) -> Expression {
        let name = &self.names[variable.index()];
        match &self.types[variable.index()] {
            VariableType::Scalar(ty) => Expression::atom(name.clone(), *ty),
            VariableType::Pointer(_) | VariableType::Memory(_) => Expression::atom(format!("ulong({name})"), Scalar::ULONG),
        }
    }

    /// What a scalar variable is set to.
    pub(crate) fn source(&self, source: Source, ty: Scalar) -> String {
        match source {
            Source::Value(value) => self.converted(value, ty),
            Source::Variable(variable) => self.names[variable.index()].clone(),
        }
    }

    fn leaf(&self, value: ValueId) -> Expression {
        if let Some(constant) = self.function.constant(value) {
            return self.literal(constant, Scalar::of(constant.ty(), false));
        }
        match self.parameter(value) {
            Some(Parameter::Scalar(expression)) => expression.clone(),
            Some(Parameter::Pointer { .. } | Parameter::Aggregate { .. }) => self.address_as_number(value),
            None => self.undefined(value),
        }
    }

    pub(crate) fn parameter(&self, value: ValueId) -> Option<&Parameter> {
        self.parameters.iter().find(|(known, _)| *known == value).map(|(_, parameter)| parameter)
    }

    /// Something of a value's type. Only code that is never executed asks for it.
    fn undefined(&self, value: ValueId) -> Expression {
        let ty = self.function.ty(value);
        self.literal(Constant::Bits { ty, bits: 0 }, Scalar::of(ty, false))
    }

    fn operation(&self, operation: &Operation, value: ValueId) -> Expression {
        let ty = self.function.ty(value);
        match operation {
            Operation::Binary(operator @ (BinaryOperator::And | BinaryOperator::Or | BinaryOperator::Xor), a, b) if ty == Type::Bool => {
                match operator {
                    BinaryOperator::And => self.both(*a, *b, false),
                    BinaryOperator::Or => self.either(*a, *b, false),
                    _ => self.compare_bools("!=", *a, *b),
                }
            }
            Operation::Binary(operator, a, b) if ty.is_float() => self.float_binary(*operator, *a, *b),
            Operation::Binary(operator, a, b) => self.integer_binary(*operator, *a, *b, ty, self.steady.contains(&value)),
            Operation::Unary(UnaryOperator::Not, a) if ty == Type::Bool => self.test(*a, true),
            Operation::Unary(operator, a) if ty.is_float() => self.float_unary(*operator, *a),
            Operation::Unary(operator, a) => self.integer_unary(*operator, *a, ty),
            Operation::Compare(operator, a, b) => self.compare(*operator, *a, *b, false),
            Operation::Select(condition, a, b) => self.select(*condition, *a, *b, ty),
            Operation::Cast(operator, a) => self.cast_operation(*operator, *a, ty),
            Operation::Math(function, operands) => self.math(*function, operands),
            Operation::Load(pointer) => self.load(*pointer, ty),
            Operation::Call(callee, arguments) => self.call(*callee, arguments),
            Operation::Coordinate(coordinate, axis) => self.coordinate(*coordinate, *axis),
            Operation::Slot(_) | Operation::Element { .. } | Operation::Field { .. } | Operation::Offset { .. } => {
                self.address_as_number(value)
            }
            // These have no result.
            Operation::Store { .. } | Operation::Copy { .. } | Operation::Assume(_) => self.undefined(value),
        }
    }

    fn coordinate(&self, coordinate: Coordinate, axis: Axis) -> Expression {
        let name = (self.coordinates)(coordinate);
        let text = match coordinate {
            Coordinate::LaneInSimdGroup | Coordinate::SimdGroupInBlock => name,
            _ => format!("{name}.{}", axis.keyword()),
        };
        Expression::atom(text, Scalar::UINT)
    }

    fn select(&self, condition: ValueId, a: ValueId, b: ValueId, ty: Type) -> Expression {
        let is_constant = |value: ValueId| self.function.constant(value).is_some();
        let (a, b, ty) = match ty {
            Type::I8 | Type::I16 | Type::I32 | Type::I64 => {
                let wanted = match (is_constant(a), is_constant(b)) {
                    (false, _) => self.exact_type(a, ty),
                    (_, false) => self.exact_type(b, ty),
                    _ => Scalar::of(ty, true),
                };
                // C++ brings both sides to a common type; a constant needs a suffix only if that would be another one.
                let plain = (self.operand(a, wanted), self.operand(b, wanted));
                let exact = (self.exact(a, wanted), self.exact(b, wanted));
                let side = |constant: bool, plain: Expression, exact: Expression| if constant { plain } else { exact };
                let sides = (side(is_constant(a), plain.0, exact.0.clone()), side(is_constant(b), plain.1, exact.1.clone()));
                let (left, right) = if sides.0.ty.common(sides.1.ty) == wanted { sides } else { exact };
                (left, right, wanted)
            }
            _ => (self.natural(a), self.natural(b), Scalar::of(ty, false)),
        };
        let condition = self.test(condition, false);
        let text = format!("{} ? {} : {}", condition.within(Level::Or), a.within(Level::Or), b.within(Level::Or));
        Expression::new(text, ty, Level::Choice)
    }

    /// The type of a value's text, if it has the width of the IR's type; else the unsigned one that has.
    pub(crate) fn exact_type(&self, value: ValueId, ty: Type) -> Scalar {
        let natural = self.natural(value).ty;
        if natural.is_integer() && natural.bits() == ty.bits() { natural } else { Scalar::of(ty, false) }
    }

    /// A call of a function of the module.
    pub(crate) fn call(&self, callee: FunctionId, arguments: &[ValueId]) -> Expression {
        let signature = self.program.signature(callee);
        let mut list: Vec<String> = Vec::new();
        for (parameter, &argument) in signature.parameters.iter().zip(arguments) {
            match parameter {
                VariableType::Scalar(ty) => list.push(self.converted(argument, *ty)),
                VariableType::Pointer(ty) => list.push(self.pointer(argument, ty)),
                VariableType::Memory(_) => {}
            }
        }
        list.extend(signature.coordinates.iter().map(|&coordinate| (self.coordinates)(coordinate)));
        if signature.can_fail {
            list.push(self.failure.to_owned());
        }
        let ty = match signature.result {
            Some(VariableType::Scalar(ty)) => ty,
            _ => Scalar::ULONG,
        };
        Expression::atom(format!("{}({})", signature.name, list.join(", ")), ty)
    }

    /// Notes that a piece of support code is needed, and names it.
    pub(crate) fn support(&self, support: Support) -> String {
        self.supports.use_of(support)
    }
}

/// Zero, or false.
pub(crate) fn zero(ty: Scalar) -> String {
    literal::plain_literal(0, ty).text
}
