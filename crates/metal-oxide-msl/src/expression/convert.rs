//! Casts: those that the IR asks for, and those that C++ needs to compute the same.

use metal_oxide_ir::{CastOperator, Type, ValueId};

use super::{Expression, Level, Writer};
use crate::scalar::Scalar;
use crate::support::Support;

impl Writer<'_> {
    /// An expression converted to exactly a type.
    pub(crate) fn cast(&self, expression: Expression, ty: Scalar) -> Expression {
        if expression.ty == ty {
            return expression;
        }
        Expression::atom(format!("{}({})", ty.name(), expression.text), ty)
    }

    pub(super) fn cast_operation(&self, operator: CastOperator, operand: ValueId, ty: Type) -> Expression {
        let from = self.function.ty(operand);
        match operator {
            CastOperator::Truncate if ty == Type::Bool => {
                let operand = self.natural(operand);
                Expression::new(format!("({} & 1) != 0", operand.within(Level::BitAnd)), Scalar::Bool, Level::Equality)
            }
            CastOperator::Truncate => {
                let operand = self.natural(operand);
                self.cast(operand, Scalar::of(ty, false))
            }
            // C++ extends by itself, according to the sign of the type.
            CastOperator::ZeroExtend => self.exact_if_not(operand, Scalar::of(from, false)),
            CastOperator::SignExtend => self.exact_if_not(operand, Scalar::of(from, true)),
            CastOperator::FloatToUnsigned => self.saturating(operand, Scalar::of(ty, false)),
            CastOperator::FloatToSigned => self.saturating(operand, Scalar::of(ty, true)),
            CastOperator::UnsignedToFloat => {
                let operand = self.exact_if_not(operand, Scalar::of(from, false));
                self.cast(operand, Scalar::of(ty, false))
            }
            CastOperator::SignedToFloat => {
                let operand = self.exact_if_not(operand, Scalar::of(from, true));
                self.cast(operand, Scalar::of(ty, false))
            }
            CastOperator::FloatToFloat => {
                let operand = self.natural(operand);
                self.cast(operand, Scalar::of(ty, false))
            }
            CastOperator::Bitcast if from.is_integer() && ty.is_integer() => self.natural(operand),
            CastOperator::Bitcast => {
                let operand = if from.is_integer() { self.exact(operand, self.exact_type(operand, from)) } else { self.natural(operand) };
                self.reinterpret(operand, Scalar::of(ty, false))
            }
            CastOperator::PointerToInteger => self.address_as_number(operand),
            CastOperator::IntegerToPointer => self.exact(operand, Scalar::ULONG),
            CastOperator::Space => self.natural(operand),
        }
    }

    /// The same bits as another type of the same size.
    pub(super) fn reinterpret(&self, expression: Expression, ty: Scalar) -> Expression {
        if expression.ty == ty {
            return expression;
        }
        Expression::atom(format!("as_type<{}>({})", ty.name(), expression.text), ty)
    }

    /// A value that C++ extends as this type would be: of this type, or narrower and extended so already.
    fn exact_if_not(&self, value: ValueId, ty: Scalar) -> Expression {
        let expression = self.natural(value);
        let extends_alike = match expression.ty {
            Scalar::Bool => true,
            // An unsigned number that has become wider is not negative, whatever it is taken for from then on.
            Scalar::Integer { bits, signed } => bits <= ty.bits() && (signed == ty.is_signed() || (!signed && bits < ty.bits())),
            _ => false,
        };
        if extends_alike { expression } else { self.exact(value, ty) }
    }

    fn saturating(&self, operand: ValueId, ty: Scalar) -> Expression {
        let operand = self.natural(operand);
        let name = self.support(Support::Saturate(ty));
        let argument = if operand.ty == Scalar::Float { operand } else { self.cast(operand, Scalar::Float) };
        Expression::atom(format!("{name}({})", argument.text), ty)
    }
}
