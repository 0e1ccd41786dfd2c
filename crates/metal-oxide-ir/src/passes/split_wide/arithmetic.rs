//! Operations on integers of 128 bits, as operations on their halves.

use super::function::{drops_bits, library_function};
use crate::passes::builder::Sequence;
use crate::passes::link::Linker;
use crate::{
    BinaryOperator, CastOperator, CompareOperator, Constant, Function, InstructionId, Module, Operation, Space, Type, TypeId,
    UnaryOperator, ValueId,
};

/// The halves of an integer of 128 bits.
#[derive(Clone, Copy, Debug)]
pub(super) struct Halves {
    pub low: ValueId,
    pub high: ValueId,
}

/// Appends operations on halves to a sequence.
pub(super) struct Splitter<'a, 'b> {
    pub function: &'a mut Function,
    pub module: &'a mut Module,
    pub linker: &'a mut Linker<'b>,
    pub sequence: Sequence,
    /// The memory of an integer.
    pub slot_type: TypeId,
    /// The memory that the entry block has to provide.
    pub slots: Vec<InstructionId>,
}

impl Splitter<'_, '_> {
    fn value(&mut self, operation: Operation, ty: Type) -> ValueId {
        self.sequence.value(self.function, operation, ty)
    }

    fn two(&mut self, operator: BinaryOperator, a: ValueId, b: ValueId) -> ValueId {
        self.value(Operation::Binary(operator, a, b), Type::I64)
    }

    fn one(&mut self, operator: UnaryOperator, a: ValueId) -> ValueId {
        self.value(Operation::Unary(operator, a), Type::I64)
    }

    fn is(&mut self, operator: CompareOperator, a: ValueId, b: ValueId) -> ValueId {
        self.value(Operation::Compare(operator, a, b), Type::Bool)
    }

    fn choose(&mut self, condition: ValueId, then: ValueId, otherwise: ValueId) -> ValueId {
        let ty = self.function.ty(then);
        self.value(Operation::Select(condition, then, otherwise), ty)
    }

    fn word(&mut self, value: u64) -> ValueId {
        self.function.add_constant(Constant::Bits { ty: Type::I64, bits: value.into() })
    }

    /// A `bool` as a number.
    fn number(&mut self, condition: ValueId) -> ValueId {
        self.value(Operation::Cast(CastOperator::ZeroExtend, condition), Type::I64)
    }

    pub fn constant(&mut self, bits: u128) -> Halves {
        Halves { low: self.word(bits as u64), high: self.word((bits >> 64) as u64) }
    }

    /// Memory for an integer, which the entry block provides.
    pub fn slot(&mut self) -> ValueId {
        let pointer = Type::Pointer(Space::Generic);
        let id = self.function.create_instruction(Operation::Slot(self.slot_type), Some(pointer), self.sequence.location);
        self.slots.push(id);
        self.function.instruction(id).result.expect("the instruction was made with a result")
    }

    fn high_place(&mut self, pointer: ValueId) -> ValueId {
        let (bytes, ty) = (self.word(8), self.function.ty(pointer));
        self.value(Operation::Offset { base: pointer, bytes }, ty)
    }

    pub fn load(&mut self, pointer: ValueId) -> Halves {
        let low = self.value(Operation::Load(pointer), Type::I64);
        let place = self.high_place(pointer);
        Halves { low, high: self.value(Operation::Load(place), Type::I64) }
    }

    pub fn store(&mut self, pointer: ValueId, value: Halves) {
        self.sequence.effect(self.function, Operation::Store { pointer, value: value.low });
        let place = self.high_place(pointer);
        self.sequence.effect(self.function, Operation::Store { pointer: place, value: value.high });
    }

    pub fn select(&mut self, condition: ValueId, then: Halves, otherwise: Halves) -> Halves {
        Halves { low: self.choose(condition, then.low, otherwise.low), high: self.choose(condition, then.high, otherwise.high) }
    }

    pub fn binary(&mut self, operator: BinaryOperator, a: Halves, b: Halves) -> Halves {
        use BinaryOperator::*;
        if let Some(name) = library_function(operator) {
            return self.library(name, &[a.low, a.high, b.low, b.high]);
        }
        match operator {
            Add => self.add(a, b),
            Sub => self.subtract(a, b),
            Mul => self.multiply(a, b),
            MulHighUnsigned => self.multiply_high(a, b),
            MulHighSigned => self.multiply_high_signed(a, b),
            ShiftLeft => self.shift_left(a, b.low),
            ShiftRightUnsigned | ShiftRightSigned => self.shift_right(operator, a, b.low),
            RotateLeft => self.rotate_left(a, b.low),
            MinUnsigned => self.pick(CompareOperator::LessUnsigned, a, b),
            MaxUnsigned => self.pick(CompareOperator::GreaterUnsigned, a, b),
            MinSigned => self.pick(CompareOperator::LessSigned, a, b),
            MaxSigned => self.pick(CompareOperator::GreaterSigned, a, b),
            AddSaturatingUnsigned => {
                let (sum, most) = (self.add(a, b), self.constant(u128::MAX));
                let wrapped = self.compare(CompareOperator::LessUnsigned, sum, a);
                self.select(wrapped, most, sum)
            }
            SubSaturatingUnsigned => {
                let (difference, zero) = (self.subtract(a, b), self.constant(0));
                let wrapped = self.compare(CompareOperator::LessUnsigned, a, b);
                self.select(wrapped, zero, difference)
            }
            AddSaturatingSigned => {
                let sum = self.add(a, b);
                // The sign is wrong if both operands have another one.
                let (left, right) = (self.two(Xor, a.high, sum.high), self.two(Xor, b.high, sum.high));
                let wrong = self.two(And, left, right);
                self.saturate_signed(wrong, a, sum)
            }
            SubSaturatingSigned => {
                let difference = self.subtract(a, b);
                let (left, right) = (self.two(Xor, a.high, b.high), self.two(Xor, a.high, difference.high));
                let wrong = self.two(And, left, right);
                self.saturate_signed(wrong, a, difference)
            }
            // The others work on each half by itself.
            _ => Halves { low: self.two(operator, a.low, b.low), high: self.two(operator, a.high, b.high) },
        }
    }

    pub fn unary(&mut self, operator: UnaryOperator, a: Halves) -> Halves {
        use UnaryOperator::*;
        let zero = self.word(0);
        match operator {
            Not => Halves { low: self.one(Not, a.low), high: self.one(Not, a.high) },
            Neg => self.subtract(Halves { low: zero, high: zero }, a),
            ReverseBits | SwapBytes => Halves { low: self.one(operator, a.high), high: self.one(operator, a.low) },
            CountOnes => {
                let (low, high) = (self.one(CountOnes, a.low), self.one(CountOnes, a.high));
                Halves { low: self.two(BinaryOperator::Add, low, high), high: zero }
            }
            LeadingZeros => self.count_zeros(operator, a.high, a.low),
            TrailingZeros => self.count_zeros(operator, a.low, a.high),
            _ => unreachable!("`{}` is no operator on integers", operator.keyword()),
        }
    }

    /// The zeros of `first`, and if it has nothing else those of `second` too.
    fn count_zeros(&mut self, operator: UnaryOperator, first: ValueId, second: ValueId) -> Halves {
        let (zero, width) = (self.word(0), self.word(64));
        let is_zero = self.is(CompareOperator::Equal, first, zero);
        let (of_first, of_second) = (self.one(operator, first), self.one(operator, second));
        let both = self.two(BinaryOperator::Add, of_second, width);
        Halves { low: self.choose(is_zero, both, of_first), high: zero }
    }

    pub fn compare(&mut self, operator: CompareOperator, a: Halves, b: Halves) -> ValueId {
        use CompareOperator::*;
        let same_high = self.is(Equal, a.high, b.high);
        match operator {
            Equal => {
                let same_low = self.is(Equal, a.low, b.low);
                self.value(Operation::Binary(BinaryOperator::And, same_high, same_low), Type::Bool)
            }
            NotEqual => {
                let equal = self.compare(Equal, a, b);
                self.value(Operation::Unary(UnaryOperator::Not, equal), Type::Bool)
            }
            _ => {
                let unsigned = match operator {
                    LessSigned => LessUnsigned,
                    LessEqualSigned => LessEqualUnsigned,
                    GreaterSigned => GreaterUnsigned,
                    GreaterEqualSigned => GreaterEqualUnsigned,
                    other => other,
                };
                let (low, high) = (self.is(unsigned, a.low, b.low), self.is(operator, a.high, b.high));
                self.choose(same_high, low, high)
            }
        }
    }

    fn pick(&mut self, operator: CompareOperator, a: Halves, b: Halves) -> Halves {
        let first = self.compare(operator, a, b);
        self.select(first, a, b)
    }

    fn add(&mut self, a: Halves, b: Halves) -> Halves {
        use BinaryOperator::Add;
        let low = self.two(Add, a.low, b.low);
        let carries = self.is(CompareOperator::LessUnsigned, low, a.low);
        let (carry, high) = (self.number(carries), self.two(Add, a.high, b.high));
        Halves { low, high: self.two(Add, high, carry) }
    }

    fn subtract(&mut self, a: Halves, b: Halves) -> Halves {
        use BinaryOperator::Sub;
        let low = self.two(Sub, a.low, b.low);
        let borrows = self.is(CompareOperator::LessUnsigned, a.low, b.low);
        let (borrow, high) = (self.number(borrows), self.two(Sub, a.high, b.high));
        Halves { low, high: self.two(Sub, high, borrow) }
    }

    /// The product of two halves.
    fn product(&mut self, a: ValueId, b: ValueId) -> Halves {
        Halves { low: self.two(BinaryOperator::Mul, a, b), high: self.two(BinaryOperator::MulHighUnsigned, a, b) }
    }

    fn multiply(&mut self, a: Halves, b: Halves) -> Halves {
        use BinaryOperator::{Add, Mul};
        let Halves { low, high } = self.product(a.low, b.low);
        let (left, right) = (self.two(Mul, a.low, b.high), self.two(Mul, a.high, b.low));
        let crossed = self.two(Add, left, right);
        Halves { low, high: self.two(Add, high, crossed) }
    }

    /// The upper 128 bits of the product.
    fn multiply_high(&mut self, a: Halves, b: Halves) -> Halves {
        let zero = self.word(0);
        let wide = |low: ValueId| Halves { low, high: zero };
        let lowest = self.product(a.low, b.low);
        let (left, right) = (self.product(a.low, b.high), self.product(a.high, b.low));
        let highest = self.product(a.high, b.high);
        // What is carried out of the lower 128 bits.
        let middle = self.add(wide(left.low), wide(right.low));
        let middle = self.add(middle, wide(lowest.high));
        let sum = self.add(highest, wide(left.high));
        let sum = self.add(sum, wide(right.high));
        self.add(sum, wide(middle.high))
    }

    /// A negative operand, taken as unsigned, is 2¹²⁸ too large.
    fn multiply_high_signed(&mut self, a: Halves, b: Halves) -> Halves {
        let mut product = self.multiply_high(a, b);
        let zero = self.constant(0);
        for (this, other) in [(a, b), (b, a)] {
            let negative = self.is(CompareOperator::LessSigned, this.high, zero.low);
            let excess = self.select(negative, other, zero);
            product = self.subtract(product, excess);
        }
        product
    }

    /// The largest or the smallest number, as the sign of `a` says, if the highest bit of `wrong` is set.
    fn saturate_signed(&mut self, wrong: ValueId, a: Halves, result: Halves) -> Halves {
        use BinaryOperator::{ShiftRightSigned, Xor};
        let (zero, sign, ones) = (self.word(0), self.word(63), self.word(u64::MAX));
        let is_wrong = self.is(CompareOperator::LessSigned, wrong, zero);
        let all_signs = self.two(ShiftRightSigned, a.high, sign);
        let (largest, low) = (self.word(i64::MAX as u64), self.two(Xor, all_signs, ones));
        let limit = Halves { low, high: self.two(Xor, all_signs, largest) };
        self.select(is_wrong, limit, result)
    }

    /// What a shift count means for the halves: whether it moves one half into the other, the count within a half, and what that lacks of
    /// the half's width, less one.
    fn count(&mut self, count: ValueId) -> (ValueId, ValueId, ValueId) {
        use BinaryOperator::{And, Xor};
        let (mask, half, zero) = (self.word(63), self.word(64), self.word(0));
        let within = self.two(And, count, mask);
        let rest = self.two(Xor, within, mask);
        let bit = self.two(And, count, half);
        (self.is(CompareOperator::NotEqual, bit, zero), within, rest)
    }

    /// The bits that a shift by less than a half's width moves from `from` into the half above. In two steps, as none may be by 64.
    fn moved_up(&mut self, from: ValueId, rest: ValueId) -> ValueId {
        let one = self.word(1);
        let first = self.two(BinaryOperator::ShiftRightUnsigned, from, one);
        self.two(BinaryOperator::ShiftRightUnsigned, first, rest)
    }

    fn shift_left(&mut self, a: Halves, count: ValueId) -> Halves {
        use BinaryOperator::{Or, ShiftLeft};
        let (moves, within, rest) = self.count(count);
        let (low, high) = (self.two(ShiftLeft, a.low, within), self.two(ShiftLeft, a.high, within));
        let up = self.moved_up(a.low, rest);
        let (high, zero) = (self.two(Or, high, up), self.word(0));
        self.select(moves, Halves { low: zero, high: low }, Halves { low, high })
    }

    fn shift_right(&mut self, operator: BinaryOperator, a: Halves, count: ValueId) -> Halves {
        use BinaryOperator::{Or, ShiftLeft, ShiftRightSigned, ShiftRightUnsigned};
        let (moves, within, rest) = self.count(count);
        let (low, high) = (self.two(ShiftRightUnsigned, a.low, within), self.two(operator, a.high, within));
        let one = self.word(1);
        let down = self.two(ShiftLeft, a.high, one);
        let down = self.two(ShiftLeft, down, rest);
        let low = self.two(Or, low, down);
        let fill = if operator == ShiftRightSigned {
            let sign = self.word(63);
            self.two(ShiftRightSigned, a.high, sign)
        } else {
            self.word(0)
        };
        self.select(moves, Halves { low: high, high: fill }, Halves { low, high })
    }

    fn rotate_left(&mut self, a: Halves, count: ValueId) -> Halves {
        use BinaryOperator::{Or, ShiftLeft};
        let (moves, within, rest) = self.count(count);
        let a = self.select(moves, Halves { low: a.high, high: a.low }, a);
        let (low, high) = (self.two(ShiftLeft, a.low, within), self.two(ShiftLeft, a.high, within));
        let (into_high, into_low) = (self.moved_up(a.low, rest), self.moved_up(a.high, rest));
        Halves { low: self.two(Or, low, into_low), high: self.two(Or, high, into_high) }
    }

    /// A narrower integer or a float as an integer of 128 bits.
    pub fn widen(&mut self, operator: CastOperator, value: ValueId) -> Halves {
        let from = self.function.ty(value);
        match operator {
            CastOperator::FloatToUnsigned | CastOperator::FloatToSigned => {
                let bits = self.value(Operation::Cast(CastOperator::Bitcast, value), Type::I32);
                self.library(if operator == CastOperator::FloatToSigned { "i128_from_f32" } else { "u128_from_f32" }, &[bits])
            }
            _ => {
                let low = if from == Type::I64 { value } else { self.value(Operation::Cast(operator, value), Type::I64) };
                let high = if operator == CastOperator::SignExtend {
                    let sign = self.word(63);
                    self.two(BinaryOperator::ShiftRightSigned, low, sign)
                } else {
                    self.word(0)
                };
                Halves { low, high }
            }
        }
    }

    /// An integer of 128 bits as a narrower one or a float.
    pub fn narrow(&mut self, operator: CastOperator, value: Halves, to: Type) -> ValueId {
        if drops_bits(operator) {
            return if to == Type::I64 { value.low } else { self.value(Operation::Cast(operator, value.low), to) };
        }
        let name = if operator == CastOperator::SignedToFloat { "i128_to_f32" } else { "u128_to_f32" };
        let callee = self.linker.function(name, self.module);
        let bits = self.value(Operation::Call(callee, vec![value.low, value.high]), Type::I32);
        self.value(Operation::Cast(CastOperator::Bitcast, bits), to)
    }

    /// Calls a function of the library that puts an integer of 128 bits into memory.
    fn library(&mut self, name: &str, arguments: &[ValueId]) -> Halves {
        let callee = self.linker.function(name, self.module);
        let place = self.slot();
        let arguments = arguments.iter().copied().chain([place]).collect();
        self.sequence.effect(self.function, Operation::Call(callee, arguments));
        self.load(place)
    }
}
