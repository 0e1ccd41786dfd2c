//! Constants that instructions use as operands.
//! Equal constants of a function are one value.

use crate::{GlobalId, Space, Type};

/// A constant scalar.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Constant {
    /// The bits of a `bool`, integer, float or pointer, zero-extended. A pointer constant is an address that is never dereferenced.
    Bits {
        /// Its type.
        ty: Type,
        /// Its bits; those above the type's width are zero.
        bits: u128,
    },
    /// The address of a constant table, in the constant space.
    Global(GlobalId),
    /// Any value of the type, possibly a different one at each use.
    Undef(Type),
}

impl Constant {
    /// The type of the value.
    pub fn ty(self) -> Type {
        match self {
            Constant::Bits { ty, .. } | Constant::Undef(ty) => ty,
            Constant::Global(_) => Type::Pointer(Space::Constant),
        }
    }

    /// An integer, truncated to the width of `ty`.
    pub fn integer(ty: Type, value: i128) -> Self {
        Constant::Bits { ty, bits: value as u128 & mask(ty) }
    }

    /// A `bool`.
    pub fn bool(value: bool) -> Self {
        Constant::Bits { ty: Type::Bool, bits: value.into() }
    }

    /// A single-precision float.
    pub fn f32(value: f32) -> Self {
        Constant::Bits { ty: Type::F32, bits: value.to_bits().into() }
    }

    /// The bits as an unsigned number, unless the constant is an address of a table or undefined.
    pub fn as_unsigned(self) -> Option<u128> {
        match self {
            Constant::Bits { bits, .. } => Some(bits),
            _ => None,
        }
    }

    /// The bits as a signed number of the type's width.
    pub fn as_signed(self) -> Option<i128> {
        match self {
            Constant::Bits { ty, bits } => {
                let unused = 128 - ty.bits();
                Some((bits << unused) as i128 >> unused)
            }
            _ => None,
        }
    }
}

/// The bits that a value of this type can have set.
fn mask(ty: Type) -> u128 {
    u128::MAX >> (128 - ty.bits())
}
