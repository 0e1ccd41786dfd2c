//! Constants as C++ spells them, without a loss of bits.

use metal_oxide_ir::{Constant, Type};

use super::{Expression, Level, Writer};
use crate::scalar::Scalar;

impl Writer<'_> {
    /// A constant as an expression of exactly a type.
    pub(crate) fn literal(&self, constant: Constant, ty: Scalar) -> Expression {
        literal(bits(constant), ty)
    }

    /// A constant where C++ converts it to a type by itself: without a suffix if it needs none.
    pub(crate) fn plain_literal(&self, constant: Constant, ty: Scalar) -> Expression {
        plain_literal(bits(constant), ty)
    }
}

/// The bits of a constant. An undefined value may be anything, so it is zero.
fn bits(constant: Constant) -> u128 {
    constant.as_unsigned().unwrap_or(0)
}

/// A number as an expression of exactly a type.
pub(crate) fn literal(bits: u128, ty: Scalar) -> Expression {
    match ty {
        Scalar::Bool => Expression::atom(if bits & 1 == 1 { "true" } else { "false" }, ty),
        Scalar::Float => float(bits as u32),
        Scalar::Half => half(bits as u16),
        Scalar::Bfloat => bfloat(bits as u16),
        Scalar::Integer { bits: width, signed } => {
            let plain = plain_literal(bits, ty);
            match (width, signed) {
                (32, true) if plain.ty == Scalar::INT => plain,
                (32, false) => Expression::new(format!("{}u", unsigned_digits(bits, 32)), ty, Level::Atom),
                (64, false) => Expression::new(format!("{}ul", unsigned_digits(bits, 64)), ty, Level::Atom),
                (64, true) if plain.level == Level::Sum => plain,
                (64, true) if plain.ty.is_signed() => Expression::new(format!("{}l", plain.text), ty, plain.level),
                _ => Expression::atom(format!("{}({})", ty.name(), plain.text), ty),
            }
        }
    }
}

/// A number whose conversion to a type gives the bits.
pub(crate) fn plain_literal(bits: u128, ty: Scalar) -> Expression {
    let Scalar::Integer { bits: width, signed } = ty else { return literal(bits, ty) };
    let unsigned = bits & (u128::MAX >> (128 - width));
    if !signed {
        // Up to the largest `int` a number needs no suffix.
        return if unsigned <= i32::MAX as u128 {
            Expression::atom(unsigned.to_string(), Scalar::INT)
        } else if unsigned <= u128::from(u32::MAX) {
            Expression::atom(format!("{}u", unsigned_digits(unsigned, width)), Scalar::UINT)
        } else {
            Expression::atom(format!("{}ul", unsigned_digits(unsigned, width)), Scalar::ULONG)
        };
    }
    let value = (unsigned << (128 - width)) as i128 >> (128 - width);
    let long = Scalar::signed(64);
    if value == i128::from(i64::MIN) {
        // There is no literal for it: the minus sign is an operator.
        return Expression::new(format!("{} - 1", i64::MIN + 1), long, Level::Sum);
    }
    let own = if i32::try_from(value).is_ok() && value != i128::from(i32::MIN) { Scalar::INT } else { long };
    Expression::new(value.to_string(), own, if value < 0 { Level::Unary } else { Level::Atom })
}

/// Masks and the like are easier to read in hexadecimal.
fn unsigned_digits(value: u128, width: u32) -> String {
    let value = value & (u128::MAX >> (128 - width));
    if value > 0xffff { format!("{value:#x}") } else { value.to_string() }
}

fn float(bits: u32) -> Expression {
    let value = f32::from_bits(bits);
    if !value.is_finite() {
        // In fast mode the compiler may take it that these do not occur, so they must not look like floats.
        return Expression::atom(format!("as_type<float>({bits:#010x}u)"), Scalar::Float);
    }
    // The shortest decimal that reads back as this number.
    let level = if value.is_sign_negative() { Level::Unary } else { Level::Atom };
    Expression::new(format!("{value:?}f"), Scalar::Float, level)
}

fn half(bits: u16) -> Expression {
    let (sign, exponent, fraction) = (bits >> 15, i32::from(bits >> 10 & 0x1f), f32::from(bits & 0x3ff));
    if exponent == 0x1f {
        return Expression::atom(format!("as_type<half>(ushort({bits:#06x}))"), Scalar::Half);
    }
    let magnitude = if exponent == 0 { fraction * 2f32.powi(-24) } else { (1024.0 + fraction) * 2f32.powi(exponent - 25) };
    let value = if sign == 1 { -magnitude } else { magnitude };
    Expression::atom(format!("half({value:?}f)"), Scalar::Half)
}

fn bfloat(bits: u16) -> Expression {
    let value = f32::from_bits(u32::from(bits) << 16);
    if !value.is_finite() {
        return Expression::atom(format!("as_type<bfloat>(ushort({bits:#06x}))"), Scalar::Bfloat);
    }
    Expression::atom(format!("bfloat({value:?}f)"), Scalar::Bfloat)
}

/// A literal of a float constant's type, for tables.
pub(crate) fn table_literal(bits: u128, ty: Type, signed: bool) -> String {
    plain_literal(bits, Scalar::of(ty, signed)).text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_are_exact() {
        let text = |bits, ty| literal(bits, ty).text;
        assert_eq!(text(1, Scalar::INT), "1");
        assert_eq!(text(1, Scalar::UINT), "1u");
        assert_eq!(text(0xffff_ffff, Scalar::INT), "-1");
        assert_eq!(text(0xffff_ffff, Scalar::UINT), "0xffffffffu");
        assert_eq!(text(0x8000_0000, Scalar::INT), "int(-2147483648)");
        assert_eq!(text(200, Scalar::signed(8)), "char(-56)");
        assert_eq!(text(1 << 63, Scalar::signed(64)), "-9223372036854775807 - 1");
        assert_eq!(text(1 << 40, Scalar::signed(64)), "1099511627776l");
        assert_eq!(text(3, Scalar::ULONG), "3ul");
    }

    #[test]
    fn floats_read_back() {
        assert_eq!(float(1.0f32.to_bits()).text, "1.0f");
        assert_eq!(float(0.1f32.to_bits()).text, "0.1f");
        assert_eq!(float((-0.0f32).to_bits()).text, "-0.0f");
        assert_eq!(float(f32::MAX.to_bits()).text, "3.4028235e38f");
        assert_eq!(float(1).text, "1e-45f");
        assert_eq!(float(0x7fc0_0000).text, "as_type<float>(0x7fc00000u)");
        assert_eq!(half(0x3c00).text, "half(1.0f)");
        assert_eq!(half(0x8001).text, "half(-5.9604645e-8f)");
        assert_eq!(bfloat(0x4049).text, "bfloat(3.140625f)");
    }
}
