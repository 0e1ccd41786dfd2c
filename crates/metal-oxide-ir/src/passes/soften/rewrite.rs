//! Rewrites a function so that no value of it is an `f64`.

use std::collections::{HashMap, HashSet};

use super::can_soften;
use crate::passes::builder::Sequence;
use crate::passes::link::Linker;
use crate::{
    BinaryOperator, CastOperator, CompareOperator, Constant, Function, InstructionId, Module, Operation, Type, UnaryOperator,
    ValueDefinition, ValueId,
};

/// The bit with the sign of a double.
const SIGN: i128 = 1 << 63;

pub(super) fn soften_function(function: &mut Function, module: &mut Module, linker: &mut Linker<'_>) {
    let doubles: HashSet<ValueId> =
        (0..function.value_count()).map(ValueId::new).filter(|&value| function.ty(value) == Type::F64).collect();
    let mut rewriter = Rewriter { function, module, linker, doubles: &doubles, replaced: HashMap::new() };
    rewriter.constants();
    for block in rewriter.function.block_ids() {
        let instructions = std::mem::take(&mut rewriter.function.block_mut(block).instructions);
        let mut sequence = Sequence::default();
        for id in instructions {
            sequence.location = rewriter.function.instruction(id).location;
            rewriter.instruction(id, &mut sequence);
        }
        rewriter.function.block_mut(block).instructions = sequence.instructions;
    }
    let replaced = std::mem::take(&mut rewriter.replaced);
    let function = rewriter.function;
    function.rewrite_operands(|mut value| {
        while let Some(&other) = replaced.get(&value) {
            value = other;
        }
        value
    });
    for &value in &doubles {
        if !matches!(function.definition(value), ValueDefinition::Constant(_)) {
            function.set_type(value, Type::I64);
        }
    }
    if function.result == Some(Type::F64) {
        function.result = Some(Type::I64);
    }
}

struct Rewriter<'a, 'b> {
    function: &'a mut Function,
    module: &'a mut Module,
    linker: &'a mut Linker<'b>,
    /// The values that were doubles.
    doubles: &'a HashSet<ValueId>,
    /// Values in whose place others are used.
    replaced: HashMap<ValueId, ValueId>,
}

impl Rewriter<'_, '_> {
    fn constants(&mut self) {
        for &value in self.doubles {
            let bits = match self.function.constant(value) {
                Some(Constant::Bits { bits, .. }) => Constant::Bits { ty: Type::I64, bits },
                Some(_) => Constant::Undef(Type::I64),
                None => continue,
            };
            let bits = self.function.add_constant(bits);
            self.replaced.insert(value, bits);
        }
    }

    fn instruction(&mut self, id: InstructionId, sequence: &mut Sequence) {
        let instruction = self.function.instruction(id);
        let (operation, result) = (instruction.operation.clone(), instruction.result);
        let to = result.map(|value| self.function.ty(value));
        if !can_soften(self.function, &operation, to) {
            sequence.instructions.push(id);
            return;
        }
        let gives_double = result.is_some_and(|value| self.doubles.contains(&value));
        let new = match operation {
            Operation::Binary(operator, a, b) if gives_double => self.binary(operator, a, b, sequence),
            Operation::Unary(operator, a) if gives_double => self.unary(operator, a),
            Operation::Compare(operator, a, b) if self.doubles.contains(&a) => self.compare(operator, a, b, sequence),
            Operation::Cast(CastOperator::Bitcast, a) if gives_double || self.doubles.contains(&a) => {
                // Both are the same bits now.
                if let Some(result) = result {
                    self.replaced.insert(result, a);
                }
                return;
            }
            Operation::Cast(operator, a) if gives_double => self.widen(operator, a, sequence),
            Operation::Cast(operator, a) if self.doubles.contains(&a) => {
                let to = to.expect("a conversion has a result");
                self.narrow(operator, a, to, sequence)
            }
            other => other,
        };
        self.function.instruction_mut(id).operation = new;
        sequence.instructions.push(id);
    }

    fn call(&mut self, name: &str, arguments: Vec<ValueId>) -> Operation {
        Operation::Call(self.linker.function(name, self.module), arguments)
    }

    fn integer(&mut self, ty: Type, value: i128) -> ValueId {
        self.function.add_constant(Constant::integer(ty, value))
    }

    /// An operation on the bits of a double, as a value of its own.
    fn bits(&mut self, operator: BinaryOperator, a: ValueId, mask: i128, sequence: &mut Sequence) -> ValueId {
        let mask = self.integer(Type::I64, mask);
        sequence.value(self.function, Operation::Binary(operator, a, mask), Type::I64)
    }

    fn binary(&mut self, operator: BinaryOperator, a: ValueId, b: ValueId, sequence: &mut Sequence) -> Operation {
        use BinaryOperator::*;
        let name = match operator {
            FloatAdd => "f64_add",
            FloatSub => "f64_sub",
            FloatMul => "f64_mul",
            FloatDiv => "f64_div",
            FloatRem => "f64_rem",
            FloatMin => "f64_min",
            FloatMax => "f64_max",
            CopySign => {
                let magnitude = self.bits(And, a, SIGN - 1, sequence);
                let sign = self.bits(And, b, SIGN, sequence);
                return Operation::Binary(Or, magnitude, sign);
            }
            _ => unreachable!("`{}` is no operator on floats", operator.keyword()),
        };
        self.call(name, vec![a, b])
    }

    fn unary(&mut self, operator: UnaryOperator, a: ValueId) -> Operation {
        let name = match operator {
            UnaryOperator::FloatNeg => return Operation::Binary(BinaryOperator::Xor, a, self.integer(Type::I64, SIGN)),
            UnaryOperator::FloatAbs => return Operation::Binary(BinaryOperator::And, a, self.integer(Type::I64, SIGN - 1)),
            UnaryOperator::Sqrt => "f64_sqrt",
            UnaryOperator::Floor => "f64_floor",
            UnaryOperator::Ceil => "f64_ceil",
            UnaryOperator::Truncate => "f64_truncate",
            UnaryOperator::Round => "f64_round",
            UnaryOperator::RoundEven => "f64_round_even",
            _ => unreachable!("`{}` is no operator on floats", operator.keyword()),
        };
        self.call(name, vec![a])
    }

    fn compare(&mut self, operator: CompareOperator, a: ValueId, b: ValueId, sequence: &mut Sequence) -> Operation {
        use CompareOperator::*;
        match operator {
            FloatEqual => self.call("f64_equal", vec![a, b]),
            FloatNotEqual => {
                let equal = self.call("f64_equal", vec![a, b]);
                let equal = sequence.value(self.function, equal, Type::Bool);
                Operation::Unary(UnaryOperator::Not, equal)
            }
            FloatLess => self.call("f64_less", vec![a, b]),
            FloatLessEqual => self.call("f64_less_equal", vec![a, b]),
            FloatGreater => self.call("f64_less", vec![b, a]),
            FloatGreaterEqual => self.call("f64_less_equal", vec![b, a]),
            _ => unreachable!("`{}` compares no floats", operator.keyword()),
        }
    }

    fn widen(&mut self, operator: CastOperator, a: ValueId, sequence: &mut Sequence) -> Operation {
        match operator {
            CastOperator::FloatToFloat => {
                let bits = sequence.value(self.function, Operation::Cast(CastOperator::Bitcast, a), Type::I32);
                self.call("f64_from_f32", vec![bits])
            }
            CastOperator::SignedToFloat => {
                let wide = self.widened(CastOperator::SignExtend, a, sequence);
                self.call("f64_from_i64", vec![wide])
            }
            _ => {
                let wide = self.widened(CastOperator::ZeroExtend, a, sequence);
                self.call("f64_from_u64", vec![wide])
            }
        }
    }

    fn widened(&mut self, operator: CastOperator, a: ValueId, sequence: &mut Sequence) -> ValueId {
        if self.function.ty(a) == Type::I64 { a } else { sequence.value(self.function, Operation::Cast(operator, a), Type::I64) }
    }

    fn narrow(&mut self, operator: CastOperator, a: ValueId, to: Type, sequence: &mut Sequence) -> Operation {
        use BinaryOperator::{MaxSigned, MinSigned, MinUnsigned};
        if operator == CastOperator::FloatToFloat {
            let bits = self.call("f64_to_f32", vec![a]);
            let bits = sequence.value(self.function, bits, Type::I32);
            return Operation::Cast(CastOperator::Bitcast, bits);
        }
        let signed = operator == CastOperator::FloatToSigned;
        let wide = self.call(if signed { "f64_to_i64" } else { "f64_to_u64" }, vec![a]);
        if to == Type::I64 {
            return wide;
        }
        // Saturating to 64 bits first and to fewer afterwards is the same as doing it at once.
        let mut value = sequence.value(self.function, wide, Type::I64);
        if signed {
            let largest = (1_i128 << (to.bits() - 1)) - 1;
            value = self.bits(MinSigned, value, largest, sequence);
            value = self.bits(MaxSigned, value, -largest - 1, sequence);
        } else {
            value = self.bits(MinUnsigned, value, (1 << to.bits()) - 1, sequence);
        }
        Operation::Cast(CastOperator::Truncate, value)
    }
}
