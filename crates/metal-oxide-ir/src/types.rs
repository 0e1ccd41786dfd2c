//! Types: those of SSA values, and those that describe the layout of memory.
//! A memory type gives address arithmetic its names and strides; loads and stores do not depend on it.

use std::fmt;

use crate::TypeId;

/// An address space of Metal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Space {
    /// Not yet inferred.
    Generic,
    /// Buffers.
    Device,
    /// Constant tables and the argument block; read-only.
    Constant,
    /// Memory shared by the threads of a block.
    Threadgroup,
    /// A thread's own memory.
    Thread,
}

/// The type of an SSA value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Type {
    /// `bool`: one byte in memory.
    Bool,
    /// 8-bit integer.
    I8,
    /// 16-bit integer.
    I16,
    /// 32-bit integer.
    I32,
    /// 64-bit integer.
    I64,
    /// 128-bit integer; has no form in MSL.
    I128,
    /// IEEE half precision.
    F16,
    /// bfloat16.
    BF16,
    /// IEEE single precision.
    F32,
    /// IEEE double precision; has no form in MSL.
    F64,
    /// A 64-bit address.
    Pointer(Space),
}

impl Type {
    /// Bytes in memory; also the natural alignment, except that 128-bit integers are aligned to 16 as in Rust.
    pub fn size(self) -> u64 {
        match self {
            Type::Bool | Type::I8 => 1,
            Type::I16 | Type::F16 | Type::BF16 => 2,
            Type::I32 | Type::F32 => 4,
            Type::I64 | Type::F64 | Type::Pointer(_) => 8,
            Type::I128 => 16,
        }
    }

    /// The number of significant bits: 1 for `bool`.
    pub fn bits(self) -> u32 {
        if self == Type::Bool { 1 } else { self.size() as u32 * 8 }
    }

    /// Whether this is an integer; `bool` is not.
    pub fn is_integer(self) -> bool {
        matches!(self, Type::I8 | Type::I16 | Type::I32 | Type::I64 | Type::I128)
    }

    /// Whether this is a float.
    pub fn is_float(self) -> bool {
        matches!(self, Type::F16 | Type::BF16 | Type::F32 | Type::F64)
    }

    /// Whether this is a pointer.
    pub fn is_pointer(self) -> bool {
        matches!(self, Type::Pointer(_))
    }

    /// The integer type with this many bits.
    pub fn integer(bits: u32) -> Option<Type> {
        Some(match bits {
            8 => Type::I8,
            16 => Type::I16,
            32 => Type::I32,
            64 => Type::I64,
            128 => Type::I128,
            _ => return None,
        })
    }
}

impl fmt::Display for Space {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Space::Generic => "generic",
            Space::Device => "device",
            Space::Constant => "constant",
            Space::Threadgroup => "threadgroup",
            Space::Thread => "thread",
        })
    }
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Type::Bool => "bool",
            Type::I8 => "i8",
            Type::I16 => "i16",
            Type::I32 => "i32",
            Type::I64 => "i64",
            Type::I128 => "i128",
            Type::F16 => "f16",
            Type::BF16 => "bf16",
            Type::F32 => "f32",
            Type::F64 => "f64",
            Type::Pointer(Space::Generic) => "ptr",
            Type::Pointer(space) => return write!(f, "ptr<{space}>"),
        })
    }
}

/// The layout of a region of memory.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct MemoryType {
    /// The name as the user knows it, such as `Particle` or `[f32; 4]`; for structs it names the MSL struct.
    pub name: String,
    /// Bytes, including padding at the end.
    pub size: u64,
    /// Alignment in bytes.
    pub align: u64,
    /// What is inside.
    pub kind: MemoryKind,
}

/// What a memory type is made of.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum MemoryKind {
    /// One value. `signed` only chooses how MSL declares an integer.
    Scalar {
        /// The value's type.
        ty: Type,
        /// A signed integer.
        signed: bool,
    },
    /// `count` elements, each `element.size` bytes after the one before.
    Array {
        /// The element.
        element: TypeId,
        /// How many.
        count: u64,
    },
    /// Fields at their offsets, in order of offset, without overlap; gaps are padding.
    Struct {
        /// The fields; zero-sized ones are left out.
        fields: Vec<Field>,
    },
    /// Bytes that mean different things at different times: enums with data and unions.
    Opaque,
}

/// A field of a struct.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Field {
    /// Its name in the source; tuple fields are `_0`, `_1`, …
    pub name: String,
    /// Bytes from the start of the struct.
    pub offset: u64,
    /// Its type.
    pub ty: TypeId,
}
