//! What instructions do.
//! The crate documentation states the semantics that all of them share.

use crate::{FunctionId, Type, TypeId, ValueId};

/// What an instruction does. Its operands are values; its result, if any, has the type that [`Instruction`](crate::Instruction) records.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Operation {
    /// Arithmetic on two values of the result's type.
    Binary(BinaryOperator, ValueId, ValueId),
    /// Arithmetic on one value of the result's type.
    Unary(UnaryOperator, ValueId),
    /// A comparison of two values of one type; the result is a `bool`.
    Compare(CompareOperator, ValueId, ValueId),
    /// The second operand if the first is true, else the third.
    Select(ValueId, ValueId, ValueId),
    /// A conversion to the result's type.
    Cast(CastOperator, ValueId),
    /// A function of MSL's standard library.
    Math(MathFunction, Vec<ValueId>),
    /// Fresh thread memory of a type; the result is its address.
    Slot(TypeId),
    /// Reads a value of the result's type.
    Load(ValueId),
    /// Writes `value` at `pointer`.
    Store {
        /// Where.
        pointer: ValueId,
        /// What.
        value: ValueId,
    },
    /// Copies `bytes` bytes between places that do not overlap, both aligned to `align`.
    Copy {
        /// The destination.
        to: ValueId,
        /// The source.
        from: ValueId,
        /// How many.
        bytes: u64,
        /// The alignment of both, in bytes.
        align: u64,
    },
    /// The address `base + index * size of ty`; `index` is an `i64`, taken as signed.
    Element {
        /// Where element 0 stands.
        base: ValueId,
        /// Which element.
        index: ValueId,
        /// The element's type.
        ty: TypeId,
    },
    /// The address of a field of the struct `ty` at `base`.
    Field {
        /// Where the struct stands.
        base: ValueId,
        /// The struct type.
        ty: TypeId,
        /// An index into its fields.
        field: u32,
    },
    /// The address `base + bytes`; `bytes` is an `i64`, taken as signed.
    Offset {
        /// The address to start from.
        base: ValueId,
        /// The distance in bytes.
        bytes: ValueId,
    },
    /// Calls a function of the module with its parameters.
    Call(FunctionId, Vec<ValueId>),
    /// One component of a thread coordinate, an `i32` taken as unsigned.
    Coordinate(Coordinate, Axis),
    /// States that a `bool` is true here; otherwise the program is undefined.
    Assume(ValueId),
}

impl Operation {
    /// Whether the operation does nothing but compute its result, so that it can be removed, repeated or moved to where its operands are known.
    ///
    /// Division is pure although its divisor must not be zero; moving it to where the divisor is unknown needs care.
    pub fn is_pure(&self) -> bool {
        !matches!(
            self,
            Operation::Slot(_)
                | Operation::Load(_)
                | Operation::Store { .. }
                | Operation::Copy { .. }
                | Operation::Call(..)
                | Operation::Assume(_)
        )
    }

    /// Whether the operation must stay even if its result is not used. Calls count; a pass that knows the callee may know better.
    pub fn has_effect(&self) -> bool {
        matches!(self, Operation::Store { .. } | Operation::Copy { .. } | Operation::Call(..) | Operation::Assume(_))
    }

    /// Whether threads may wait for one another in it, so that it must not be repeated, nor moved into, out of or across branches.
    pub fn is_convergent(&self) -> bool {
        matches!(self, Operation::Call(..))
    }

    /// Calls `visit` with each operand in order.
    pub fn operands(&self, mut visit: impl FnMut(ValueId)) {
        match self {
            Operation::Binary(_, a, b) | Operation::Compare(_, a, b) => [*a, *b].into_iter().for_each(visit),
            Operation::Unary(_, a) | Operation::Cast(_, a) | Operation::Load(a) | Operation::Assume(a) => visit(*a),
            Operation::Select(a, b, c) => [*a, *b, *c].into_iter().for_each(visit),
            Operation::Math(_, values) | Operation::Call(_, values) => values.iter().copied().for_each(visit),
            Operation::Slot(_) | Operation::Coordinate(..) => {}
            Operation::Store { pointer, value } => [*pointer, *value].into_iter().for_each(visit),
            Operation::Copy { to, from, .. } => [*to, *from].into_iter().for_each(visit),
            Operation::Element { base, index, .. } => [*base, *index].into_iter().for_each(visit),
            Operation::Field { base, .. } => visit(*base),
            Operation::Offset { base, bytes } => [*base, *bytes].into_iter().for_each(visit),
        }
    }

    /// Calls `visit` with a mutable reference to each operand, in the order of [`Operation::operands`].
    pub fn operands_mut(&mut self, mut visit: impl FnMut(&mut ValueId)) {
        match self {
            Operation::Binary(_, a, b) | Operation::Compare(_, a, b) => [a, b].into_iter().for_each(visit),
            Operation::Unary(_, a) | Operation::Cast(_, a) | Operation::Load(a) | Operation::Assume(a) => visit(a),
            Operation::Select(a, b, c) => [a, b, c].into_iter().for_each(visit),
            Operation::Math(_, values) | Operation::Call(_, values) => values.iter_mut().for_each(visit),
            Operation::Slot(_) | Operation::Coordinate(..) => {}
            Operation::Store { pointer, value } => [pointer, value].into_iter().for_each(visit),
            Operation::Copy { to, from, .. } => [to, from].into_iter().for_each(visit),
            Operation::Element { base, index, .. } => [base, index].into_iter().for_each(visit),
            Operation::Field { base, .. } => visit(base),
            Operation::Offset { base, bytes } => [base, bytes].into_iter().for_each(visit),
        }
    }
}

/// Declares an enum whose variants have a keyword in the text form.
macro_rules! keywords {
    ($(#[$doc:meta])* $name:ident { $($(#[$variant_doc:meta])* $variant:ident = $text:literal,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum $name {
            $($(#[$variant_doc])* $variant,)*
        }

        impl $name {
            /// The keyword in the text form.
            pub fn keyword(self) -> &'static str {
                match self { $($name::$variant => $text,)* }
            }

            /// The variant that a keyword of the text form names.
            pub fn from_keyword(keyword: &str) -> Option<Self> {
                Some(match keyword { $($text => $name::$variant,)* _ => return None })
            }

            /// All variants.
            pub const ALL: &'static [Self] = &[$($name::$variant,)*];
        }
    };
}

pub(crate) use keywords;

keywords! {
    /// An operator on two values of the result's type.
    BinaryOperator {
        /// Wrapping addition.
        Add = "add",
        /// Wrapping subtraction.
        Sub = "sub",
        /// Wrapping multiplication.
        Mul = "mul",
        /// The high half of the unsigned double-width product.
        MulHighUnsigned = "umulh",
        /// The high half of the signed double-width product.
        MulHighSigned = "smulh",
        /// Unsigned division; the divisor is not zero.
        DivUnsigned = "udiv",
        /// Signed division, rounding towards zero; the divisor is not zero and the quotient fits.
        DivSigned = "sdiv",
        /// Unsigned remainder; the divisor is not zero.
        RemUnsigned = "urem",
        /// Signed remainder with the dividend's sign; the divisor is not zero and the quotient fits.
        RemSigned = "srem",
        /// Bitwise and.
        And = "and",
        /// Bitwise or.
        Or = "or",
        /// Bitwise exclusive or.
        Xor = "xor",
        /// Shift left; the count is below the width.
        ShiftLeft = "shl",
        /// Shift right filling with zeros; the count is below the width.
        ShiftRightUnsigned = "lshr",
        /// Shift right filling with the sign; the count is below the width.
        ShiftRightSigned = "ashr",
        /// Rotate left; the count is taken modulo the width.
        RotateLeft = "rotl",
        /// The smaller as unsigned numbers.
        MinUnsigned = "umin",
        /// The larger as unsigned numbers.
        MaxUnsigned = "umax",
        /// The smaller as signed numbers.
        MinSigned = "smin",
        /// The larger as signed numbers.
        MaxSigned = "smax",
        /// Saturating unsigned addition.
        AddSaturatingUnsigned = "uaddsat",
        /// Saturating signed addition.
        AddSaturatingSigned = "saddsat",
        /// Saturating unsigned subtraction.
        SubSaturatingUnsigned = "usubsat",
        /// Saturating signed subtraction.
        SubSaturatingSigned = "ssubsat",
        /// Float addition.
        FloatAdd = "fadd",
        /// Float subtraction.
        FloatSub = "fsub",
        /// Float multiplication.
        FloatMul = "fmul",
        /// Float division.
        FloatDiv = "fdiv",
        /// Float remainder with the dividend's sign, exact as C's `fmod`.
        FloatRem = "frem",
        /// The smaller float; if one is NaN, the other.
        FloatMin = "fmin",
        /// The larger float; if one is NaN, the other.
        FloatMax = "fmax",
        /// The first operand with the second's sign.
        CopySign = "copysign",
    }
}

keywords! {
    /// An operator on one value of the result's type.
    UnaryOperator {
        /// Bitwise not; logical not of a `bool`.
        Not = "not",
        /// Two's complement negation, wrapping.
        Neg = "neg",
        /// Reverses the order of the bits.
        ReverseBits = "bitreverse",
        /// Reverses the order of the bytes.
        SwapBytes = "bswap",
        /// How many bits are set.
        CountOnes = "ctpop",
        /// How many zero bits stand above the highest set bit; the width for zero.
        LeadingZeros = "ctlz",
        /// How many zero bits stand below the lowest set bit; the width for zero.
        TrailingZeros = "cttz",
        /// Flips the sign bit.
        FloatNeg = "fneg",
        /// Clears the sign bit.
        FloatAbs = "fabs",
        /// Square root, correctly rounded.
        Sqrt = "sqrt",
        /// Rounds towards negative infinity.
        Floor = "floor",
        /// Rounds towards positive infinity.
        Ceil = "ceil",
        /// Rounds towards zero.
        Truncate = "ftrunc",
        /// Rounds to nearest, halves away from zero.
        Round = "round",
        /// Rounds to nearest, halves to even.
        RoundEven = "roundeven",
    }
}

keywords! {
    /// A comparison. Integers and pointers use the first ten, floats those with `f`: ordered ones are false and `fne` is true if an operand is NaN.
    CompareOperator {
        /// Equal bits.
        Equal = "eq",
        /// Different bits.
        NotEqual = "ne",
        /// Unsigned `<`.
        LessUnsigned = "ult",
        /// Unsigned `<=`.
        LessEqualUnsigned = "ule",
        /// Unsigned `>`.
        GreaterUnsigned = "ugt",
        /// Unsigned `>=`.
        GreaterEqualUnsigned = "uge",
        /// Signed `<`.
        LessSigned = "slt",
        /// Signed `<=`.
        LessEqualSigned = "sle",
        /// Signed `>`.
        GreaterSigned = "sgt",
        /// Signed `>=`.
        GreaterEqualSigned = "sge",
        /// Float `==`.
        FloatEqual = "feq",
        /// Float `!=`.
        FloatNotEqual = "fne",
        /// Float `<`.
        FloatLess = "flt",
        /// Float `<=`.
        FloatLessEqual = "fle",
        /// Float `>`.
        FloatGreater = "fgt",
        /// Float `>=`.
        FloatGreaterEqual = "fge",
    }
}

keywords! {
    /// A conversion from the operand's type to the result's type.
    CastOperator {
        /// Drops the high bits of an integer; to `bool` it keeps the lowest bit.
        Truncate = "trunc",
        /// Widens an integer or `bool` with zeros.
        ZeroExtend = "zext",
        /// Widens an integer with its sign.
        SignExtend = "sext",
        /// Float to unsigned integer, saturating; NaN gives zero.
        FloatToUnsigned = "ftou",
        /// Float to signed integer, saturating; NaN gives zero.
        FloatToSigned = "ftos",
        /// Unsigned integer to float, rounding to nearest even.
        UnsignedToFloat = "utof",
        /// Signed integer to float, rounding to nearest even.
        SignedToFloat = "stof",
        /// Between float types, rounding to nearest even.
        FloatToFloat = "ftof",
        /// The same bits as another type of the same size; neither is a pointer.
        Bitcast = "bitcast",
        /// The address as an `i64`.
        PointerToInteger = "ptrtoint",
        /// An `i64` as an address; it must not be dereferenced unless it came from a pointer.
        IntegerToPointer = "inttoptr",
        /// The same address in another address space; only to and from `generic`.
        Space = "spacecast",
    }
}

keywords! {
    /// A function of MSL's standard library on floats, with its documented precision unless noted.
    MathFunction {
        /// `a * b + c`, rounded once.
        Fma = "fma",
        /// Sine.
        Sin = "sin",
        /// Cosine.
        Cos = "cos",
        /// Tangent.
        Tan = "tan",
        /// Arc sine.
        Asin = "asin",
        /// Arc cosine.
        Acos = "acos",
        /// Arc tangent.
        Atan = "atan",
        /// Arc tangent of a quotient, in the right quadrant.
        Atan2 = "atan2",
        /// Hyperbolic sine.
        Sinh = "sinh",
        /// Hyperbolic cosine.
        Cosh = "cosh",
        /// Hyperbolic tangent.
        Tanh = "tanh",
        /// Inverse hyperbolic sine.
        Asinh = "asinh",
        /// Inverse hyperbolic cosine.
        Acosh = "acosh",
        /// Inverse hyperbolic tangent.
        Atanh = "atanh",
        /// e to a power.
        Exp = "exp",
        /// 2 to a power.
        Exp2 = "exp2",
        /// 10 to a power.
        Exp10 = "exp10",
        /// Natural logarithm.
        Log = "log",
        /// Logarithm to base 2.
        Log2 = "log2",
        /// Logarithm to base 10.
        Log10 = "log10",
        /// Power.
        Pow = "pow",
        /// Reciprocal of the square root.
        Rsqrt = "rsqrt",
    }
}

impl MathFunction {
    /// How many operands it takes.
    pub fn arity(self) -> usize {
        match self {
            MathFunction::Fma => 3,
            MathFunction::Atan2 | MathFunction::Pow => 2,
            _ => 1,
        }
    }
}

keywords! {
    /// A thread coordinate.
    Coordinate {
        /// The thread's position in the grid.
        ThreadInGrid = "thread_in_grid",
        /// The thread's position in its block.
        ThreadInBlock = "thread_in_block",
        /// The block's position in the grid.
        BlockInGrid = "block_in_grid",
        /// Threads in a block.
        BlockSize = "block_size",
        /// Blocks in the grid.
        GridSize = "grid_size",
        /// The thread's lane in its SIMD-group; has only an x component.
        LaneInSimdGroup = "lane_in_simd_group",
        /// The SIMD-group's index in its block; has only an x component.
        SimdGroupInBlock = "simd_group_in_block",
    }
}

keywords! {
    /// A component of a coordinate.
    Axis {
        /// The first.
        X = "x",
        /// The second.
        Y = "y",
        /// The third.
        Z = "z",
    }
}

impl CompareOperator {
    /// Whether it compares floats.
    pub fn is_float(self) -> bool {
        use CompareOperator::*;
        matches!(self, FloatEqual | FloatNotEqual | FloatLess | FloatLessEqual | FloatGreater | FloatGreaterEqual)
    }

    /// The operator that gives the same answer with the operands exchanged.
    pub fn swapped(self) -> Self {
        use CompareOperator::*;
        match self {
            Equal | NotEqual | FloatEqual | FloatNotEqual => self,
            LessUnsigned => GreaterUnsigned,
            LessEqualUnsigned => GreaterEqualUnsigned,
            GreaterUnsigned => LessUnsigned,
            GreaterEqualUnsigned => LessEqualUnsigned,
            LessSigned => GreaterSigned,
            LessEqualSigned => GreaterEqualSigned,
            GreaterSigned => LessSigned,
            GreaterEqualSigned => LessEqualSigned,
            FloatLess => FloatGreater,
            FloatLessEqual => FloatGreaterEqual,
            FloatGreater => FloatLess,
            FloatGreaterEqual => FloatLessEqual,
        }
    }

    /// The operator that gives the opposite answer; ordered float comparisons have none, because of NaN.
    pub fn negated(self) -> Option<Self> {
        use CompareOperator::*;
        Some(match self {
            Equal => NotEqual,
            NotEqual => Equal,
            LessUnsigned => GreaterEqualUnsigned,
            LessEqualUnsigned => GreaterUnsigned,
            GreaterUnsigned => LessEqualUnsigned,
            GreaterEqualUnsigned => LessUnsigned,
            LessSigned => GreaterEqualSigned,
            LessEqualSigned => GreaterSigned,
            GreaterSigned => LessEqualSigned,
            GreaterEqualSigned => LessSigned,
            FloatEqual => FloatNotEqual,
            FloatNotEqual => FloatEqual,
            FloatLess | FloatLessEqual | FloatGreater | FloatGreaterEqual => return None,
        })
    }
}

impl BinaryOperator {
    /// Whether the operands may be exchanged.
    pub fn is_commutative(self) -> bool {
        use BinaryOperator::*;
        matches!(
            self,
            Add | Mul
                | MulHighUnsigned
                | MulHighSigned
                | And
                | Or
                | Xor
                | MinUnsigned
                | MaxUnsigned
                | MinSigned
                | MaxSigned
                | AddSaturatingUnsigned
                | AddSaturatingSigned
                | FloatAdd
                | FloatMul
        )
    }

    /// Whether operands of this type make sense.
    pub fn accepts(self, ty: Type) -> bool {
        use BinaryOperator::*;
        match self {
            And | Or | Xor => ty.is_integer() || ty == Type::Bool,
            FloatAdd | FloatSub | FloatMul | FloatDiv | FloatRem | FloatMin | FloatMax | CopySign => ty.is_float(),
            _ => ty.is_integer(),
        }
    }
}

impl UnaryOperator {
    /// Whether an operand of this type makes sense.
    pub fn accepts(self, ty: Type) -> bool {
        use UnaryOperator::*;
        match self {
            Not => ty.is_integer() || ty == Type::Bool,
            Neg | ReverseBits | SwapBytes | CountOnes | LeadingZeros | TrailingZeros => ty.is_integer(),
            FloatNeg | FloatAbs | Sqrt | Floor | Ceil | Truncate | Round | RoundEven => ty.is_float(),
        }
    }
}
