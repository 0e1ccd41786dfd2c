//! Replaces operations by simpler ones that compute the same: constants, identities, chains of casts, comparisons and selections.
//! Goes over the function once, operands before users, so that what becomes simpler helps what uses it.

mod bits;
mod cast;
mod compare;
mod float;
mod integer;
mod logic;
mod memory;
mod pointer;
mod select;

use crate::analysis::ControlFlow;
use crate::passes::builder::Sequence;
use crate::passes::rewrite::{Replacements, inherit_name, use_counts};
use crate::passes::{Pass, fold};
use crate::{BinaryOperator, Constant, Function, InstructionId, Module, Operation, Type, UnaryOperator, ValueId};

/// The pass.
pub struct Simplify;

impl Pass for Simplify {
    fn name(&self) -> &'static str {
        "simplify"
    }

    fn run(&self, function: &mut Function, module: &mut Module) -> bool {
        let flow = ControlFlow::new(function);
        let uses = use_counts(function);
        let mut replacements = Replacements::default();
        let mut context = Context { module, function, sequence: Sequence::default(), uses, depth: 0 };
        let mut changed = false;
        for &block in flow.reverse_postorder() {
            for id in std::mem::take(&mut context.function.block_mut(block).instructions) {
                context.function.instruction_mut(id).operation.operands_mut(|value| *value = replacements.find(*value));
                changed |= context.visit(id, &mut replacements);
            }
            let mut terminator = std::mem::replace(&mut context.function.block_mut(block).terminator, crate::Terminator::Unreachable);
            terminator.operands_mut(|value| *value = replacements.find(*value));
            let block = context.function.block_mut(block);
            block.terminator = terminator;
            block.instructions = std::mem::take(&mut context.sequence.instructions);
        }
        replacements.apply(function) | changed
    }
}

/// Rules may add instructions in front of the one that they look at, and look at what computes operands.
struct Context<'a> {
    module: &'a Module,
    function: &'a mut Function,
    sequence: Sequence,
    uses: Vec<u32>,
    /// How many rules are at work on the operands of one another.
    depth: u32,
}

/// What a rule found.
enum Simpler {
    /// The result is a value that exists.
    Value(ValueId),
    /// The result is what another operation computes.
    Operation(Operation),
    /// The instruction, which has no result, does nothing.
    Nothing,
}

/// Rules that make each other's work need a bound only if they are wrong; it keeps the compiler from hanging then.
const MAX_STEPS: usize = 32;
const MAX_DEPTH: u32 = 16;

impl Context<'_> {
    /// Simplifies an instruction and puts what is left of it into the sequence.
    fn visit(&mut self, id: InstructionId, replacements: &mut Replacements) -> bool {
        self.sequence.location = self.function.instruction(id).location;
        let result = self.function.instruction(id).result;
        let ty = result.map(|result| self.function.ty(result));
        let mut changed = false;
        for _ in 0..MAX_STEPS {
            let operation = self.function.instruction(id).operation.clone();
            match self.simplify(&operation, ty) {
                None => break,
                Some(Simpler::Operation(simpler)) => {
                    self.function.instruction_mut(id).operation = simpler;
                    changed = true;
                }
                Some(Simpler::Value(value)) => {
                    if let Some(result) = result {
                        inherit_name(self.function, result, value);
                        replacements.replace(result, value);
                    }
                    return true;
                }
                Some(Simpler::Nothing) => return true,
            }
        }
        self.sequence.instructions.push(id);
        changed
    }

    fn simplify(&mut self, operation: &Operation, ty: Option<Type>) -> Option<Simpler> {
        let Some(ty) = ty else { return self.simplify_effect(operation) };
        if let Some(constant) = fold::fold(self.function, operation, ty) {
            return Some(Simpler::Value(self.function.add_constant(constant)));
        }
        match *operation {
            Operation::Binary(operator, a, b) => self.simplify_binary(operator, a, b, ty),
            Operation::Unary(operator, a) => self.simplify_unary(operator, a, ty),
            Operation::Compare(operator, a, b) => self.simplify_compare(operator, a, b),
            Operation::Select(condition, a, b) => self.simplify_select(condition, a, b, ty),
            Operation::Cast(operator, a) => self.simplify_cast(operator, a, ty),
            Operation::Element { base, index, ty } => self.simplify_element(base, index, ty),
            Operation::Offset { base, bytes } => self.simplify_offset(base, bytes),
            Operation::Field { base, .. } => self.simplify_field(base),
            Operation::Load(pointer) => self.simplify_load(pointer, ty),
            _ => None,
        }
    }

    fn simplify_binary(&mut self, operator: BinaryOperator, a: ValueId, b: ValueId, ty: Type) -> Option<Simpler> {
        // Constants stand on the right.
        if operator.is_commutative() && self.function.constant(a).is_some() && self.function.constant(b).is_none() {
            return Some(Simpler::Operation(Operation::Binary(operator, b, a)));
        }
        if ty.is_float() {
            return self.simplify_float(operator, a, b);
        }
        match operator {
            BinaryOperator::And | BinaryOperator::Or | BinaryOperator::Xor => self.simplify_logic(operator, a, b, ty),
            _ => self.simplify_integer(operator, a, b, ty),
        }
    }

    fn simplify_unary(&mut self, operator: UnaryOperator, a: ValueId, ty: Type) -> Option<Simpler> {
        match operator {
            UnaryOperator::Not => self.simplify_not(a),
            UnaryOperator::Neg => self.simplify_neg(a),
            UnaryOperator::ReverseBits | UnaryOperator::SwapBytes => match self.operation(a) {
                Some(Operation::Unary(inner, b)) if *inner == operator => Some(Simpler::Value(*b)),
                _ => None,
            },
            _ if ty.is_float() => self.simplify_float_unary(operator, a),
            _ => None,
        }
    }

    /// The operation that computes a value.
    fn operation(&self, value: ValueId) -> Option<&Operation> {
        self.function.defining_operation(value)
    }

    /// The bits of a constant.
    fn bits(&self, value: ValueId) -> Option<u128> {
        self.function.constant(value).and_then(Constant::as_unsigned)
    }

    /// A constant as a signed number.
    fn signed(&self, value: ValueId) -> Option<i128> {
        self.function.constant(value).and_then(Constant::as_signed)
    }

    /// An integer or `bool` constant.
    fn integer(&mut self, ty: Type, value: i128) -> ValueId {
        self.function.add_constant(Constant::integer(ty, value))
    }

    /// A constant as a result.
    fn constant(&mut self, ty: Type, value: i128) -> Option<Simpler> {
        Some(Simpler::Value(self.integer(ty, value)))
    }

    /// Whether at most one operand is this value, so that what computes it goes when that operand changes.
    fn used_once(&self, value: ValueId) -> bool {
        self.uses.get(value.index()).is_none_or(|&count| count <= 1)
    }

    /// The value of an operation, simplified, in front of the instruction at hand.
    fn emit(&mut self, operation: Operation, ty: Type) -> ValueId {
        if self.depth < MAX_DEPTH {
            self.depth += 1;
            let simpler = self.simplify(&operation, Some(ty));
            self.depth -= 1;
            match simpler {
                Some(Simpler::Value(value)) => return value,
                Some(Simpler::Operation(operation)) => {
                    self.depth += 1;
                    let value = self.emit(operation, ty);
                    self.depth -= 1;
                    return value;
                }
                _ => {}
            }
        }
        self.sequence.value(self.function, operation, ty)
    }

    /// The value of a binary operation.
    fn binary(&mut self, operator: BinaryOperator, a: ValueId, b: ValueId) -> ValueId {
        let ty = self.function.ty(a);
        self.emit(Operation::Binary(operator, a, b), ty)
    }

    /// The opposite of a `bool`.
    fn not(&mut self, value: ValueId) -> ValueId {
        let ty = self.function.ty(value);
        self.emit(Operation::Unary(UnaryOperator::Not, value), ty)
    }
}
