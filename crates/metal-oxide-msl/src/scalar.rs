//! The scalar types of C++ as MSL spells them, and the conversions that operators apply by themselves.
//! The IR's integers have no sign; choosing one, and paying for a cast only where C++ would compute something else, is done with these.

use metal_oxide_ir::Type;

/// The type that C++ gives an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Scalar {
    Bool,
    Integer { bits: u32, signed: bool },
    Half,
    Bfloat,
    Float,
}

impl Scalar {
    pub(crate) const INT: Scalar = Scalar::Integer { bits: 32, signed: true };
    pub(crate) const UINT: Scalar = Scalar::Integer { bits: 32, signed: false };
    pub(crate) const ULONG: Scalar = Scalar::Integer { bits: 64, signed: false };

    /// The type of values of an IR type. Types without a form in MSL do not reach the back end; pointers held as numbers are `ulong`.
    pub(crate) fn of(ty: Type, signed: bool) -> Scalar {
        match ty {
            Type::Bool => Scalar::Bool,
            Type::F16 => Scalar::Half,
            Type::BF16 => Scalar::Bfloat,
            Type::F32 => Scalar::Float,
            Type::Pointer(_) => Scalar::ULONG,
            Type::I8 | Type::I16 | Type::I32 | Type::I64 | Type::I128 | Type::F64 => Scalar::Integer { bits: ty.bits(), signed },
        }
    }

    /// The unsigned integer with this many bits.
    pub(crate) fn unsigned(bits: u32) -> Scalar {
        Scalar::Integer { bits, signed: false }
    }

    /// The signed integer with this many bits.
    pub(crate) fn signed(bits: u32) -> Scalar {
        Scalar::Integer { bits, signed: true }
    }

    pub(crate) fn is_integer(self) -> bool {
        matches!(self, Scalar::Integer { .. })
    }

    /// The bits of an integer; a `bool` converts to integers as a number of one bit would.
    pub(crate) fn bits(self) -> u32 {
        match self {
            Scalar::Bool => 1,
            Scalar::Integer { bits, .. } => bits,
            Scalar::Half | Scalar::Bfloat => 16,
            Scalar::Float => 32,
        }
    }

    pub(crate) fn is_signed(self) -> bool {
        matches!(self, Scalar::Integer { signed: true, .. })
    }

    /// The type after integral promotion: everything narrower than `int` becomes `int`.
    pub(crate) fn promoted(self) -> Scalar {
        match self {
            Scalar::Bool => Scalar::INT,
            Scalar::Integer { bits, .. } if bits < 32 => Scalar::INT,
            other => other,
        }
    }

    /// The type in which C++ computes with operands of two arithmetic types.
    pub(crate) fn common(self, other: Scalar) -> Scalar {
        match (self.promoted(), other.promoted()) {
            (Scalar::Integer { bits: a, signed: left }, Scalar::Integer { bits: b, signed: right }) => match a.cmp(&b) {
                std::cmp::Ordering::Less => Scalar::Integer { bits: b, signed: right },
                std::cmp::Ordering::Greater => Scalar::Integer { bits: a, signed: left },
                std::cmp::Ordering::Equal => Scalar::Integer { bits: a, signed: left && right },
            },
            (a, _) => a,
        }
    }

    /// The name in MSL.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Scalar::Bool => "bool",
            Scalar::Half => "half",
            Scalar::Bfloat => "bfloat",
            Scalar::Float => "float",
            Scalar::Integer { bits: 8, signed } => pick(signed, "char", "uchar"),
            Scalar::Integer { bits: 16, signed } => pick(signed, "short", "ushort"),
            Scalar::Integer { bits: 32, signed } => pick(signed, "int", "uint"),
            Scalar::Integer { signed, .. } => pick(signed, "long", "ulong"),
        }
    }
}

fn pick(signed: bool, yes: &'static str, no: &'static str) -> &'static str {
    if signed { yes } else { no }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operators_convert_as_cpp_does() {
        assert_eq!(Scalar::unsigned(16).common(Scalar::unsigned(16)), Scalar::INT);
        assert_eq!(Scalar::INT.common(Scalar::UINT), Scalar::UINT);
        assert_eq!(Scalar::UINT.common(Scalar::signed(64)), Scalar::signed(64));
        assert_eq!(Scalar::signed(64).common(Scalar::ULONG), Scalar::ULONG);
        assert_eq!(Scalar::Bool.common(Scalar::signed(8)), Scalar::INT);
    }
}
