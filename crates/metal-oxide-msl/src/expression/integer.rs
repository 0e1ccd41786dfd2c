//! Integer arithmetic. Rust wraps where C++ says that signed overflow cannot happen, so sums and products are computed unsigned.
//! Types narrower than `int` are computed as `int`, as C++ does; whoever needs the narrow value converts the result.

use metal_oxide_ir::{BinaryOperator, Constant, Type, UnaryOperator, ValueId};

use super::{Expression, Level, Writer};
use crate::scalar::Scalar;
use crate::support::Support;

impl Writer<'_> {
    pub(super) fn integer_binary(&self, operator: BinaryOperator, a: ValueId, b: ValueId, ty: Type, steady: bool) -> Expression {
        use BinaryOperator::*;
        let bits = ty.bits();
        let (unsigned, signed) = (Scalar::unsigned(bits), Scalar::signed(bits));
        // What does not wrap can keep its sign.
        let sum = if steady && self.exact_type(a, ty) == signed { signed } else { unsigned };
        match operator {
            Add => match self.negative_constant(b) {
                Some(constant) => self.arithmetic("-", Level::Sum, a, Operand::Constant(constant), sum),
                None => self.arithmetic("+", Level::Sum, a, Operand::Value(b), sum),
            },
            Sub => self.arithmetic("-", Level::Sum, a, Operand::Value(b), sum),
            Mul => self.arithmetic("*", Level::Product, a, Operand::Value(b), unsigned),
            DivUnsigned => self.arithmetic("/", Level::Product, a, Operand::Value(b), unsigned),
            RemUnsigned => self.arithmetic("%", Level::Product, a, Operand::Value(b), unsigned),
            DivSigned => self.arithmetic("/", Level::Product, a, Operand::Value(b), signed),
            RemSigned => self.arithmetic("%", Level::Product, a, Operand::Value(b), signed),
            And => self.bitwise("&", Level::BitAnd, a, b, ty),
            Or => self.bitwise("|", Level::BitOr, a, b, ty),
            Xor => self.bitwise("^", Level::BitXor, a, b, ty),
            ShiftLeft => self.shift("<<", a, b, unsigned),
            ShiftRightUnsigned => self.shift(">>", a, b, unsigned),
            ShiftRightSigned => self.shift(">>", a, b, signed),
            MulHighUnsigned => self.function_of_two("mulhi", a, b, unsigned),
            MulHighSigned => self.function_of_two("mulhi", a, b, signed),
            RotateLeft => self.function_of_two("rotate", a, b, unsigned),
            MinUnsigned => self.function_of_two("min", a, b, unsigned),
            MaxUnsigned => self.function_of_two("max", a, b, unsigned),
            MinSigned => self.function_of_two("min", a, b, signed),
            MaxSigned => self.function_of_two("max", a, b, signed),
            AddSaturatingUnsigned => self.function_of_two("addsat", a, b, unsigned),
            AddSaturatingSigned => self.function_of_two("addsat", a, b, signed),
            SubSaturatingUnsigned => self.function_of_two("subsat", a, b, unsigned),
            SubSaturatingSigned => self.function_of_two("subsat", a, b, signed),
            // Operators on floats do not come here.
            FloatAdd | FloatSub | FloatMul | FloatDiv | FloatRem | FloatMin | FloatMax | CopySign => self.exact(a, unsigned),
        }
    }

    pub(super) fn integer_unary(&self, operator: UnaryOperator, a: ValueId, ty: Type) -> Expression {
        use UnaryOperator::*;
        let unsigned = Scalar::unsigned(ty.bits());
        let call = |name: &str| Expression::atom(format!("{name}({})", self.exact(a, unsigned).text), unsigned);
        match operator {
            Not => {
                let operand = self.exact(a, self.exact_type(a, ty));
                Expression::new(format!("~{}", operand.within(Level::Unary)), operand.ty.promoted(), Level::Unary)
            }
            Neg => {
                // Two minus signs would be one operator.
                let operand = self.exact(a, unsigned);
                Expression::new(format!("-{}", operand.within(Level::Atom)), unsigned.promoted(), Level::Unary)
            }
            ReverseBits => call("reverse_bits"),
            SwapBytes if ty == Type::I8 => self.exact(a, unsigned),
            SwapBytes => call(&self.support(Support::SwapBytes(ty.bits()))),
            CountOnes => call("popcount"),
            LeadingZeros => call("clz"),
            TrailingZeros => call("ctz"),
            // Operators on floats do not come here.
            FloatNeg | FloatAbs | Sqrt | Floor | Ceil | Truncate | Round | RoundEven => self.exact(a, unsigned),
        }
    }

    /// An operator that C++ computes in the common type of its operands, which must come out as `wanted`, or as what that is promoted to.
    fn arithmetic(&self, operator: &str, level: Level, a: ValueId, b: Operand, wanted: Scalar) -> Expression {
        let right_of = |exact: bool| match b {
            Operand::Value(value) if exact => self.exact(value, wanted),
            Operand::Value(value) => self.operand(value, wanted),
            Operand::Constant(constant) if exact => self.literal(constant, wanted),
            Operand::Constant(constant) => self.plain_literal(constant, wanted),
        };
        let print = |left: Expression, right: Expression, ty: Scalar| {
            // The right side of `-`, `/` and `%` must not fall apart; for the others it reads the same way.
            let above = if level == Level::Sum { Level::Product } else { Level::Unary };
            Expression::new(format!("{} {operator} {}", left.within(level), right.within(above)), ty, level)
        };
        if wanted.bits() < 32 {
            // As `int` nothing overflows, except the product of two large unsigned 16-bit numbers.
            let wide = operator == "*" && wanted.bits() == 16 && !wanted.is_signed();
            let left = if self.function.constant(a).is_some() { self.operand(a, wanted) } else { self.exact(a, wanted) };
            let left = if wide { self.cast(left, Scalar::UINT) } else { left };
            let right = match b {
                Operand::Value(value) if self.function.constant(value).is_none() => right_of(true),
                _ => right_of(false),
            };
            let ty = left.ty.common(right.ty);
            return print(left, right, ty);
        }
        let (left, right) = (self.operand(a, wanted), right_of(false));
        let fits =
            |left: &Expression, right: &Expression| left.ty.common(right.ty) == wanted && extends(left, wanted) && extends(right, wanted);
        if fits(&left, &right) {
            return print(left, right, wanted);
        }
        // A suffix is less to read than a cast.
        let right_is_constant =
            matches!(b, Operand::Constant(_)) || matches!(b, Operand::Value(value) if self.function.constant(value).is_some());
        let exact_right = right_of(true);
        if right_is_constant && fits(&left, &exact_right) {
            return print(left, exact_right, wanted);
        }
        let exact_left = self.exact(a, wanted);
        if fits(&exact_left, &right) {
            return print(exact_left, right, wanted);
        }
        if fits(&left, &exact_right) {
            return print(left, exact_right, wanted);
        }
        print(exact_left, exact_right, wanted)
    }

    /// `&`, `|` and `^` give the same bits whatever the signs are.
    fn bitwise(&self, operator: &str, level: Level, a: ValueId, b: ValueId, ty: Type) -> Expression {
        let of = |value: ValueId| if self.function.constant(value).is_some() { None } else { Some(self.exact_type(value, ty)) };
        let wanted = match (of(a), of(b)) {
            (Some(a), Some(b)) if a == b => a,
            (Some(a), None) | (None, Some(a)) => a,
            _ => Scalar::of(ty, false),
        };
        let mask = |value: ValueId| match self.function.constant(value) {
            Some(constant) => self.mask(constant, wanted),
            None => self.exact(value, wanted),
        };
        let (left, right) = (mask(a), mask(b));
        // Their levels surprise people, so anything but a chain of the same operator gets parentheses.
        let side = |expression: &Expression| {
            if expression.level == level { expression.text.clone() } else { expression.within(Level::Unary) }
        };
        Expression::new(format!("{} {operator} {}", side(&left), side(&right)), wanted.promoted(), level)
    }

    /// A constant as the bits it consists of.
    fn mask(&self, constant: Constant, wanted: Scalar) -> Expression {
        let bits = constant.as_unsigned().unwrap_or(0);
        if bits <= 9 || wanted.is_signed() {
            return self.plain_literal(constant, wanted);
        }
        let suffix = match bits {
            0..=0x7fff_ffff => "",
            0x8000_0000..=0xffff_ffff => "u",
            _ => "ul",
        };
        let ty = if wanted.bits() < 32 { Scalar::INT } else { wanted };
        Expression::atom(format!("{bits:#x}{suffix}"), ty)
    }

    fn shift(&self, operator: &str, a: ValueId, b: ValueId, wanted: Scalar) -> Expression {
        let left = self.exact(a, wanted);
        let right = match self.function.constant(b) {
            Some(constant) => self.plain_literal(constant, Scalar::unsigned(wanted.bits())),
            None => {
                // Only the number counts, but the high bits of a promoted operand are not part of it.
                let natural = self.natural(b);
                if natural.ty.bits() > wanted.bits() { self.exact(b, Scalar::unsigned(wanted.bits())) } else { natural }
            }
        };
        // Additions inside shifts are easily misread.
        let text = format!("{} {operator} {}", left.within(Level::Unary), right.within(Level::Unary));
        Expression::new(text, wanted.promoted(), Level::Shift)
    }

    fn function_of_two(&self, name: &str, a: ValueId, b: ValueId, ty: Scalar) -> Expression {
        Expression::atom(format!("{name}({}, {})", self.exact(a, ty).text, self.exact(b, ty).text), ty)
    }

    /// The opposite of a negative constant.
    fn negative_constant(&self, value: ValueId) -> Option<Constant> {
        let constant = self.function.constant(value)?;
        let number = constant.as_signed()?;
        let smallest = -(1i128 << (constant.ty().bits() - 1));
        (number < 0 && number > smallest).then(|| Constant::integer(constant.ty(), -number))
    }
}

/// The right operand of an arithmetic operator.
#[derive(Clone, Copy)]
enum Operand {
    Value(ValueId),
    Constant(Constant),
}

/// Whether C++ converts an expression to a type as the IR means it.
fn extends(expression: &Expression, wanted: Scalar) -> bool {
    expression.ty == Scalar::Bool || (expression.ty.is_integer() && expression.ty.bits() <= wanted.bits())
}
