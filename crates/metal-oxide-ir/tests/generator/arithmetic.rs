//! Random kernels that compute indices, compare them, and fail on what a comparison says.
//! Numbers come from coordinates, lengths and parameters; relations between parameters are assumed, and kept by some of the inputs.

use metal_oxide_ir::interpret::Launch;
use metal_oxide_ir::{
    Axis, BinaryOperator, BlockId, CastOperator, CompareOperator, Constant, Coordinate, FailureKind, Function, FunctionKind,
    KernelParameter, KernelParameterKind, Location, MemoryKind, MemoryType, Module, Operation, Site, SiteId, Space, Target, Terminator,
    Type, UnaryOperator, ValueId,
};

use super::{Choices, Program};

/// How many failure sites there are; checks take them in turn.
const SITES: usize = 64;

/// One kernel with several inputs.
pub fn arithmetic_program(numbers: &[u32]) -> Vec<Program> {
    let mut choices = Choices { numbers };
    let mut module = Module::default();
    for line in 0..SITES as u32 {
        let location = Location { file: "src/main.rs".into(), line: line + 1, column: 1 };
        module.add_site(Site { location, kind: FailureKind::Bounds, message: String::new() });
    }
    let mut scalar = |name: &str, ty: Type| {
        let kind = MemoryKind::Scalar { ty, signed: false };
        module.intern_type(MemoryType { name: name.into(), size: ty.size(), align: ty.size(), kind })
    };
    let (byte, word, long) = (scalar("u8", Type::I8), scalar("u32", Type::I32), scalar("u64", Type::I64));
    let parameter = |name: &str, kind| KernelParameter { name: name.into(), kind };
    let parameters = vec![
        parameter("a", KernelParameterKind::Buffer { element: byte, writable: false }),
        parameter("b", KernelParameterKind::Buffer { element: word, writable: true }),
        parameter("n", KernelParameterKind::Scalar { ty: word }),
        parameter("m", KernelParameterKind::Scalar { ty: word }),
        parameter("p", KernelParameterKind::Scalar { ty: long }),
        parameter("q", KernelParameterKind::Scalar { ty: long }),
    ];
    let device = Type::Pointer(Space::Device);
    let arriving = [device, Type::I64, device, Type::I64, Type::I32, Type::I32, Type::I64, Type::I64];
    let function = Function::new("kernel", FunctionKind::Kernel { parameters }, &arriving, None);
    let block = function.entry();
    let mut kernel = Kernel { choices: &mut choices, function, block, scope: Vec::new(), depth: 3, checks: 0, word };
    kernel.fill();
    let function = kernel.function;
    module.add_function(function);

    let inputs = (0..6).map(|_| {
        // Lengths that are equal, products of the parameters, or unrelated; parameters small or at the edges.
        let small = |choices: &mut Choices<'_>| u64::from(choices.number() % 9);
        let number = |choices: &mut Choices<'_>, bits: u32| match choices.number() % 12 {
            0..5 => small(choices),
            5 => (1u64 << (bits - 1)).wrapping_add(small(choices)).wrapping_sub(4),
            6 | 7 => 0u64.wrapping_sub(small(choices)),
            8 | 9 => (1u64 << (bits / 2)).wrapping_add(small(choices)).wrapping_sub(4),
            10 => 100 + 5 * small(choices),
            _ => u64::from(choices.number()).wrapping_mul(0x9e37_79b9_7f4a_7c15),
        };
        let (n, m) = (number(&mut choices, 32) as u32, number(&mut choices, 32) as u32);
        let (p, q) = match choices.number() % 4 {
            0 => (u64::from(n), u64::from(m)),
            1 => (u64::from(n), number(&mut choices, 64)),
            _ => (number(&mut choices, 64), number(&mut choices, 64)),
        };
        let length = |choices: &mut Choices<'_>| {
            let product = match choices.number() % 4 {
                0 => u64::from(n).saturating_mul(m.into()),
                1 => p.saturating_mul(q),
                2 => n.into(),
                _ => p,
            };
            if product <= 100 { product as usize } else { small(choices) as usize }
        };
        let first = length(&mut choices);
        let second = if choices.number().is_multiple_of(3) { first } else { length(&mut choices) };
        let buffers = vec![(0..first).map(|index| index as u8).collect(), (0..second * 4).map(|index| index as u8 * 3).collect()];
        let values = vec![n.to_le_bytes().to_vec(), m.to_le_bytes().to_vec(), p.to_le_bytes().to_vec(), q.to_le_bytes().to_vec()];
        let launch =
            Launch { grid: [1 + choices.below(2) as u32, 1, 1], block: [1 + choices.below(4) as u32, 1 + choices.below(2) as u32, 1] };
        (buffers, values, launch)
    });
    inputs
        .collect::<Vec<_>>()
        .into_iter()
        .map(|(buffers, values, launch)| Program { module: module.clone(), buffers, values, launch })
        .collect()
}

struct Kernel<'a, 'c> {
    choices: &'a mut Choices<'c>,
    function: Function,
    block: BlockId,
    scope: Vec<ValueId>,
    depth: usize,
    checks: usize,
    word: metal_oxide_ir::TypeId,
}

impl Kernel<'_, '_> {
    fn emit(&mut self, operation: Operation, ty: Type) -> ValueId {
        let value = self.function.append(self.block, operation, ty, None);
        if ty.is_integer() {
            self.scope.push(value);
        }
        value
    }

    fn integer(&mut self, ty: Type, value: i128) -> ValueId {
        self.function.add_constant(Constant::integer(ty, value))
    }

    fn fill(&mut self) {
        let parameters = self.function.parameters().to_vec();
        self.scope.extend(parameters.into_iter().filter(|&value| self.function.ty(value).is_integer()));
        for coordinate in [Coordinate::ThreadInGrid, Coordinate::ThreadInBlock, Coordinate::BlockSize] {
            let axis = [Axis::X, Axis::Y][self.choices.below(2)];
            let value = self.emit(Operation::Coordinate(coordinate, axis), Type::I32);
            self.emit(Operation::Cast(CastOperator::ZeroExtend, value), Type::I64);
        }
        for index in [4, 5] {
            let value = self.function.parameters()[index];
            self.emit(Operation::Cast(CastOperator::ZeroExtend, value), Type::I64);
            self.emit(Operation::Cast(CastOperator::Truncate, value), Type::I8);
        }
        for _ in 0..self.choices.below(3) {
            self.assumption();
        }
        while self.choices.more() {
            self.statement();
        }
        self.function.terminate(self.block, Terminator::Return(None), None);
    }

    /// Something that a `requires` could say.
    fn assumption(&mut self) {
        let parameters = self.function.parameters().to_vec();
        let (a, b) = (parameters[1], parameters[3]);
        // The parameters as 64-bit numbers.
        let wide: Vec<ValueId> = self.scope.iter().copied().filter(|&value| self.function.ty(value) == Type::I64).collect();
        let pick = |kernel: &mut Self| wide[kernel.choices.below(wide.len())];
        let (left, right) = match self.choices.below(5) {
            0 => (a, b),
            1 | 2 => {
                let (x, y) = (pick(self), pick(self));
                let high = self.emit(Operation::Binary(BinaryOperator::MulHighUnsigned, x, y), Type::I64);
                let zero = self.integer(Type::I64, 0);
                let exact = self.emit(Operation::Compare(CompareOperator::Equal, high, zero), Type::Bool);
                self.function.append_effect(self.block, Operation::Assume(exact), None);
                (self.emit(Operation::Binary(BinaryOperator::Mul, x, y), Type::I64), if self.choices.below(2) == 0 { a } else { b })
            }
            _ => (pick(self), pick(self)),
        };
        use CompareOperator::{Equal, LessEqualUnsigned, LessUnsigned};
        let operator = [Equal, LessEqualUnsigned, LessUnsigned][self.choices.below(3)];
        let condition = self.emit(Operation::Compare(operator, left, right), Type::Bool);
        self.function.append_effect(self.block, Operation::Assume(condition), None);
    }

    fn value(&mut self, ty: Type) -> ValueId {
        let known: Vec<_> = self.scope.iter().copied().filter(|&value| self.function.ty(value) == ty).collect();
        // Values from just before are likelier to have to do with one another.
        let near = self.choices.below(2) == 0;
        let choice = self.choices.below(if near { known.len().min(3) } else { known.len() } + 2);
        if choice < known.len() && !(near && choice >= 3) {
            return known[known.len() - 1 - choice];
        }
        let number = self.choices.number();
        let value = match number % 8 {
            0..5 => i128::from(number / 8 % 9),
            5 => -i128::from(number / 8 % 4),
            6 => (1 << (ty.bits() - 1)) - i128::from(number / 8 % 3),
            _ => i128::from(number),
        };
        self.integer(ty, value)
    }

    fn width(&mut self) -> Type {
        [Type::I64, Type::I8, Type::I32, Type::I64, Type::I8][self.choices.below(5)]
    }

    fn compute(&mut self, ty: Type) -> ValueId {
        use BinaryOperator::*;
        let operation = match self.choices.below(14) {
            0..6 => {
                let operator = [Add, Sub, Mul, MinUnsigned, MaxUnsigned, SubSaturatingUnsigned, And, Or, Xor, MinSigned, MaxSigned]
                    [self.choices.below(11)];
                Operation::Binary(operator, self.value(ty), self.value(ty))
            }
            6 => {
                let one = [1, -1, 2, -2][self.choices.below(4)];
                let one = self.integer(ty, one);
                Operation::Binary(Add, self.value(ty), one)
            }
            7 => {
                let mask = [15, 7, -4, -16, 31][self.choices.below(5)];
                let mask = self.integer(ty, mask);
                Operation::Binary(And, self.value(ty), mask)
            }
            8 => {
                let count = [1, 2, 3, 7][self.choices.below(4)];
                let count = self.integer(ty, count);
                let operator = [ShiftRightUnsigned, ShiftLeft, ShiftRightSigned][self.choices.below(3)];
                Operation::Binary(operator, self.value(ty), count)
            }
            9 | 10 => return self.division(ty),
            11 => {
                let condition = self.condition();
                Operation::Select(condition, self.value(ty), self.value(ty))
            }
            12 => {
                use UnaryOperator::*;
                let operator = [Neg, Not, LeadingZeros, CountOnes][self.choices.below(4)];
                Operation::Unary(operator, self.value(ty))
            }
            _ => {
                let from = [Type::I64, Type::I32, Type::I8, Type::I16][self.choices.below(4)];
                let signed = self.choices.below(2) == 1;
                let cast = match from.bits().cmp(&ty.bits()) {
                    std::cmp::Ordering::Greater => CastOperator::Truncate,
                    std::cmp::Ordering::Less if signed => CastOperator::SignExtend,
                    std::cmp::Ordering::Less => CastOperator::ZeroExtend,
                    std::cmp::Ordering::Equal => {
                        let (a, b) = (self.value(ty), self.value(ty));
                        return self.emit(Operation::Binary(AddSaturatingUnsigned, a, b), ty);
                    }
                };
                Operation::Cast(cast, self.value(from))
            }
        };
        self.emit(operation, ty)
    }

    /// A quotient and a remainder, behind the check that the divisor is not zero.
    fn division(&mut self, ty: Type) -> ValueId {
        let (a, b) = (self.value(ty), self.value(ty));
        let zero = self.integer(ty, 0);
        let is_zero = self.emit(Operation::Compare(CompareOperator::Equal, b, zero), Type::Bool);
        self.guard(is_zero, false);
        let remainder = self.emit(Operation::Binary(BinaryOperator::RemUnsigned, a, b), ty);
        if self.choices.below(2) == 0 {
            return remainder;
        }
        self.emit(Operation::Binary(BinaryOperator::DivUnsigned, a, b), ty)
    }

    fn condition(&mut self) -> ValueId {
        use CompareOperator::*;
        const OPERATORS: [CompareOperator; 10] = [
            LessUnsigned,
            LessEqualUnsigned,
            Equal,
            NotEqual,
            GreaterUnsigned,
            GreaterEqualUnsigned,
            LessSigned,
            LessEqualSigned,
            GreaterSigned,
            GreaterEqualSigned,
        ];
        let ty = self.width();
        let operator = OPERATORS[self.choices.below(OPERATORS.len())];
        let (a, b) = (self.value(ty), self.value(ty));
        let condition = self.emit(Operation::Compare(operator, a, b), Type::Bool);
        match self.choices.below(6) {
            5 => {
                let other = self.condition();
                let operator = [BinaryOperator::And, BinaryOperator::Or][self.choices.below(2)];
                self.emit(Operation::Binary(operator, condition, other), Type::Bool)
            }
            4 => self.emit(Operation::Unary(UnaryOperator::Not, condition), Type::Bool),
            _ => condition,
        }
    }

    /// Fails unless the condition has a value.
    fn guard(&mut self, condition: ValueId, expected: bool) {
        let (go_on, fail) = (self.function.add_block(), self.function.add_block());
        let (mut then, mut otherwise) = (Target::new(go_on, vec![]), Target::new(fail, vec![]));
        if !expected {
            std::mem::swap(&mut then, &mut otherwise);
        }
        self.function.terminate(self.block, Terminator::CondBranch { condition, then, otherwise }, None);
        self.function.terminate(fail, Terminator::Fail(SiteId::new(self.checks % SITES)), None);
        self.checks += 1;
        self.block = go_on;
    }

    fn statement(&mut self) {
        match self.choices.below(10) {
            0 | 1 => {
                let ty = self.width();
                self.compute(ty);
            }
            8 | 9 => self.consequence(),
            2 | 3 => self.access(),
            4 => self.branch(),
            5 => self.repeat(),
            6 => {
                let condition = self.condition();
                let expected = self.choices.below(2) == 0;
                self.guard(condition, expected);
            }
            _ => {
                let condition = self.condition();
                self.leave_unless(condition);
            }
        }
    }

    /// Goes on only if what was computed compares in some way, and then fails if one of its operands does not.
    fn consequence(&mut self) {
        use CompareOperator::{Equal, GreaterEqualUnsigned, LessEqualSigned, LessEqualUnsigned, LessSigned, LessUnsigned};
        let ty = self.width();
        let (x, y, bound) = (self.value(ty), self.value(ty), self.value(ty));
        use BinaryOperator::*;
        let operator = [Add, Sub, Mul, SubSaturatingUnsigned, Mul, ShiftLeft, MinUnsigned, MaxUnsigned, MinSigned, MaxSigned, And, Or]
            [self.choices.below(12)];
        let y = if operator == ShiftLeft { self.integer(ty, 3) } else { y };
        let computed = self.emit(Operation::Binary(operator, x, y), ty);
        const OPERATORS: [CompareOperator; 6] = [LessUnsigned, LessEqualUnsigned, LessSigned, GreaterEqualUnsigned, LessEqualSigned, Equal];
        let condition = Operation::Compare(OPERATORS[self.choices.below(6)], computed, bound);
        let condition = self.emit(condition, Type::Bool);
        self.leave_unless(condition);
        let (a, b) = [(x, bound), (y, bound), (x, computed), (x, y), (computed, x)][self.choices.below(5)];
        let condition = Operation::Compare(OPERATORS[self.choices.below(6)], a, b);
        let condition = self.emit(condition, Type::Bool);
        self.guard(condition, true);
    }

    /// A checked access to one of the buffers.
    fn access(&mut self) {
        let parameters = self.function.parameters().to_vec();
        let second = self.choices.below(2) == 0;
        let (pointer, length) = if second { (parameters[2], parameters[3]) } else { (parameters[0], parameters[1]) };
        let index = if self.choices.below(2) == 0 { self.compute(Type::I64) } else { self.value(Type::I64) };
        let condition = self.emit(Operation::Compare(CompareOperator::LessUnsigned, index, length), Type::Bool);
        self.guard(condition, true);
        if second {
            let place = self.emit(Operation::Element { base: pointer, index, ty: self.word }, Type::Pointer(Space::Device));
            let value = self.value(Type::I32);
            self.function.append_effect(self.block, Operation::Store { pointer: place, value }, None);
        } else {
            let place = self.emit(Operation::Offset { base: pointer, bytes: index }, Type::Pointer(Space::Device));
            let byte = self.emit(Operation::Load(place), Type::I8);
            self.emit(Operation::Cast(CastOperator::ZeroExtend, byte), Type::I64);
        }
    }

    /// Returns unless a condition holds.
    fn leave_unless(&mut self, condition: ValueId) {
        let (go_on, leave) = (self.function.add_block(), self.function.add_block());
        let (then, otherwise) = (Target::new(go_on, vec![]), Target::new(leave, vec![]));
        self.function.terminate(self.block, Terminator::CondBranch { condition, then, otherwise }, None);
        self.function.terminate(leave, Terminator::Return(None), None);
        self.block = go_on;
    }

    fn inside(&mut self, block: BlockId, statements: usize) {
        self.block = block;
        self.depth -= 1;
        for _ in 0..statements {
            if self.choices.more() {
                self.statement();
            }
        }
        self.depth += 1;
    }

    fn branch(&mut self) {
        if self.depth == 0 {
            return self.access();
        }
        let (condition, ty) = (self.condition(), self.width());
        let (then, otherwise, join) = (self.function.add_block(), self.function.add_block(), self.function.add_block());
        let result = self.function.add_parameter(join, ty);
        let targets = (Target::new(then, vec![]), Target::new(otherwise, vec![]));
        self.function.terminate(self.block, Terminator::CondBranch { condition, then: targets.0, otherwise: targets.1 }, None);
        let scope = self.scope.len();
        for block in [then, otherwise] {
            let statements = self.choices.below(3);
            self.inside(block, statements);
            let argument = self.value(ty);
            self.function.terminate(self.block, Terminator::Branch(Target::new(join, vec![argument])), None);
            self.scope.truncate(scope);
        }
        self.block = join;
        self.scope.push(result);
    }

    /// A loop over two counters, left when fuel runs out whatever the counters do.
    fn repeat(&mut self) {
        if self.depth == 0 {
            return self.access();
        }
        let (ty, other) = (self.width(), self.width());
        let starts = [self.value(ty), self.value(other)];
        let fuel = 1 + self.choices.below(6) as i128;
        let fuel = self.integer(Type::I8, fuel);
        let zero = self.integer(Type::I8, 0);
        let (header, test, inner, exit) =
            (self.function.add_block(), self.function.add_block(), self.function.add_block(), self.function.add_block());
        let first = self.function.add_parameter(header, ty);
        let second = self.function.add_parameter(header, other);
        let left = self.function.add_parameter(header, Type::I8);
        self.function.terminate(self.block, Terminator::Branch(Target::new(header, vec![starts[0], starts[1], fuel])), None);
        let scope = self.scope.len();
        self.scope.extend([first, second]);
        self.block = header;
        let go_on = self.function.append(header, Operation::Compare(CompareOperator::NotEqual, left, zero), Type::Bool, None);
        let (then, otherwise) = (Target::new(test, vec![]), Target::new(exit, vec![]));
        self.function.terminate(header, Terminator::CondBranch { condition: go_on, then, otherwise }, None);
        self.block = test;
        let bound = self.value(ty);
        use CompareOperator::{LessEqualUnsigned, LessSigned, LessUnsigned, NotEqual};
        let operator = [LessUnsigned, NotEqual, LessSigned, LessEqualUnsigned][self.choices.below(4)];
        let condition = self.emit(Operation::Compare(operator, first, bound), Type::Bool);
        let (then, otherwise) = (Target::new(inner, vec![]), Target::new(exit, vec![]));
        self.function.terminate(test, Terminator::CondBranch { condition, then, otherwise }, None);
        let statements = 1 + self.choices.below(3);
        self.inside(inner, statements);
        let step = |kernel: &mut Self, value: ValueId, ty: Type| {
            let distance = match kernel.choices.below(4) {
                0 | 1 => kernel.integer(ty, 1),
                2 => {
                    let distance = [2, -1, 4][kernel.choices.below(3)];
                    kernel.integer(ty, distance)
                }
                _ => kernel.value(ty),
            };
            kernel.emit(Operation::Binary(BinaryOperator::Add, value, distance), ty)
        };
        let first = step(self, first, ty);
        let second = step(self, second, other);
        let one = self.integer(Type::I8, -1);
        let left = self.function.append(self.block, Operation::Binary(BinaryOperator::Add, left, one), Type::I8, None);
        self.function.terminate(self.block, Terminator::Branch(Target::new(header, vec![first, second, left])), None);
        self.scope.truncate(scope);
        let parameters = self.function.block(header).parameters.clone();
        self.scope.extend(&parameters[..2]);
        self.block = exit;
    }
}
