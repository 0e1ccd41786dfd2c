//! Random computations on values that are at hand. None of them divides by zero or shifts too far.

use metal_oxide_ir::{
    Axis, BinaryOperator, CastOperator, CompareOperator, Constant, Coordinate, MathFunction, Operation, Type, UnaryOperator, ValueId,
};

use super::body::Body;

/// A number that is likely to find mistakes at the edges.
pub fn interesting(number: u32) -> u64 {
    match number % 8 {
        0..4 => u64::from(number / 8 % 9),
        4 => u64::MAX - u64::from(number / 8 % 4),
        5 => (1 << 31) + u64::from(number / 8 % 3) - 1,
        6 => (1 << 63) + u64::from(number / 8 % 3) - 1,
        _ => u64::from(number).wrapping_mul(0x9e37_79b9_7f4a_7c15),
    }
}

const SCALARS: [Type; 6] = [Type::I32, Type::I64, Type::Bool, Type::F32, Type::I8, Type::I16];

impl Body<'_, '_> {
    /// A type of values that can be computed.
    pub fn scalar(&mut self) -> Type {
        let index = self.choices.below(SCALARS.len());
        SCALARS[index]
    }

    /// A constant, or a value that is at hand.
    pub fn value(&mut self, ty: Type) -> ValueId {
        let known: Vec<_> = self.scope.iter().copied().filter(|&value| self.function.ty(value) == ty).collect();
        let choice = self.choices.below(known.len() + 2);
        if choice < known.len() { known[known.len() - 1 - choice] } else { self.constant(ty) }
    }

    pub fn constant(&mut self, ty: Type) -> ValueId {
        let number = self.choices.number();
        let bits = match ty {
            Type::Bool => u128::from(number & 1),
            Type::F32 => (number as f32 / 4.0 - 8.0).to_bits().into(),
            _ => u128::from(interesting(number)) & (u128::MAX >> (128 - ty.bits())),
        };
        self.function.add_constant(Constant::Bits { ty, bits })
    }

    pub fn integer(&mut self, ty: Type, value: i128) -> ValueId {
        self.function.add_constant(Constant::integer(ty, value))
    }

    /// Computes something of a type, which is then at hand.
    pub fn compute(&mut self, ty: Type) -> ValueId {
        let value = match ty {
            Type::Bool => self.condition(),
            Type::F32 => self.float(),
            _ => self.number(ty),
        };
        self.scope.push(value);
        value
    }

    pub fn condition(&mut self) -> ValueId {
        use CompareOperator::*;
        const INTEGER: [CompareOperator; 10] = [
            LessUnsigned,
            Equal,
            NotEqual,
            LessEqualUnsigned,
            GreaterUnsigned,
            GreaterEqualUnsigned,
            LessSigned,
            LessEqualSigned,
            GreaterSigned,
            GreaterEqualSigned,
        ];
        const FLOAT: [CompareOperator; 6] = [FloatLess, FloatEqual, FloatNotEqual, FloatLessEqual, FloatGreater, FloatGreaterEqual];
        match self.choices.below(8) {
            0..5 => {
                let ty = [Type::I32, Type::I64, Type::I8, Type::I16][self.choices.below(4)];
                let operator = INTEGER[self.choices.below(INTEGER.len())];
                let (a, b) = (self.value(ty), self.value(ty));
                self.emit(Operation::Compare(operator, a, b), Type::Bool)
            }
            5 => {
                let operator = FLOAT[self.choices.below(FLOAT.len())];
                let (a, b) = (self.value(Type::F32), self.value(Type::F32));
                self.emit(Operation::Compare(operator, a, b), Type::Bool)
            }
            6 => {
                let operator = [BinaryOperator::And, BinaryOperator::Or, BinaryOperator::Xor][self.choices.below(3)];
                let (a, b) = (self.value(Type::Bool), self.value(Type::Bool));
                self.emit(Operation::Binary(operator, a, b), Type::Bool)
            }
            _ => {
                let a = self.value(Type::Bool);
                self.emit(Operation::Unary(UnaryOperator::Not, a), Type::Bool)
            }
        }
    }

    fn float(&mut self) -> ValueId {
        use BinaryOperator::*;
        let (a, b) = (self.value(Type::F32), self.value(Type::F32));
        let operation = match self.choices.below(6) {
            0..3 => {
                let operator = [FloatAdd, FloatMul, FloatSub, FloatDiv, FloatMin, FloatMax, CopySign, FloatRem][self.choices.below(8)];
                Operation::Binary(operator, a, b)
            }
            3 => {
                let operator = [UnaryOperator::FloatNeg, UnaryOperator::FloatAbs, UnaryOperator::Sqrt, UnaryOperator::Floor];
                Operation::Unary(operator[self.choices.below(4)], a)
            }
            4 => Operation::Math(MathFunction::Fma, vec![a, b, a]),
            _ => {
                let from = [Type::I32, Type::I64][self.choices.below(2)];
                let cast = [CastOperator::SignedToFloat, CastOperator::UnsignedToFloat][self.choices.below(2)];
                Operation::Cast(cast, self.value(from))
            }
        };
        self.emit(operation, Type::F32)
    }

    fn number(&mut self, ty: Type) -> ValueId {
        use BinaryOperator::*;
        const PLAIN: [BinaryOperator; 18] = [
            Add,
            Sub,
            Mul,
            And,
            Or,
            Xor,
            MinUnsigned,
            MaxUnsigned,
            MinSigned,
            MaxSigned,
            MulHighUnsigned,
            MulHighSigned,
            RotateLeft,
            AddSaturatingUnsigned,
            SubSaturatingUnsigned,
            AddSaturatingSigned,
            SubSaturatingSigned,
            Add,
        ];
        let operation = match self.choices.below(10) {
            0..4 => {
                let operator = PLAIN[self.choices.below(PLAIN.len())];
                Operation::Binary(operator, self.value(ty), self.value(ty))
            }
            4 => {
                let operator = [ShiftLeft, ShiftRightUnsigned, ShiftRightSigned][self.choices.below(3)];
                let (a, count, mask) = (self.value(ty), self.value(ty), self.integer(ty, i128::from(ty.bits()) - 1));
                let count = self.emit(Operation::Binary(And, count, mask), ty);
                Operation::Binary(operator, a, count)
            }
            5 => {
                let operator = [DivUnsigned, RemUnsigned, DivSigned, RemSigned][self.choices.below(4)];
                let (mut a, b, one) = (self.value(ty), self.value(ty), self.integer(ty, 1));
                if matches!(operator, DivSigned | RemSigned) {
                    // Without the lowest number no quotient overflows.
                    a = self.emit(Operation::Binary(ShiftRightUnsigned, a, one), ty);
                }
                let b = self.emit(Operation::Binary(Or, b, one), ty);
                Operation::Binary(operator, a, b)
            }
            6 => {
                use UnaryOperator::*;
                let operator = [Not, Neg, CountOnes, LeadingZeros, TrailingZeros, ReverseBits, SwapBytes][self.choices.below(7)];
                Operation::Unary(operator, self.value(ty))
            }
            7 => Operation::Select(self.value(Type::Bool), self.value(ty), self.value(ty)),
            8 => {
                let from = [Type::I32, Type::I64, Type::I8, Type::Bool, Type::F32, Type::I16][self.choices.below(6)];
                let signed = self.choices.below(2) == 1;
                let cast = match (from, from.bits().cmp(&ty.bits())) {
                    (Type::F32, _) if signed => CastOperator::FloatToSigned,
                    (Type::F32, _) => CastOperator::FloatToUnsigned,
                    (_, std::cmp::Ordering::Greater) => CastOperator::Truncate,
                    (_, std::cmp::Ordering::Less) if signed && from != Type::Bool => CastOperator::SignExtend,
                    (_, std::cmp::Ordering::Less) => CastOperator::ZeroExtend,
                    (_, std::cmp::Ordering::Equal) => return self.value(ty),
                };
                Operation::Cast(cast, self.value(from))
            }
            _ => {
                use Coordinate::*;
                let coordinate = [ThreadInGrid, ThreadInBlock, BlockInGrid, BlockSize, GridSize][self.choices.below(5)];
                let value = self.emit(Operation::Coordinate(coordinate, Axis::X), Type::I32);
                self.scope.push(value);
                if ty == Type::I32 {
                    return value;
                }
                let cast = if ty == Type::I64 { CastOperator::ZeroExtend } else { CastOperator::Truncate };
                Operation::Cast(cast, value)
            }
        };
        self.emit(operation, ty)
    }
}
