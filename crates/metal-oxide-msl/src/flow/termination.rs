//! Which loops certainly end. C++ lets a compiler assume that of every loop without side effects that it can see; Rust does not.
//! The loops that this finds are the ordinary counted ones; any other is printed so that nothing may be assumed of it.

use metal_oxide_ir::{
    BinaryOperator, BlockId, CastOperator, CompareOperator, Function, Module, Operation, Target, Terminator, Type, ValueDefinition, ValueId,
};

use super::Flow;
use super::bounds::{is_positive, largest};

/// Whether a loop leaves after finitely many rounds, whatever its inputs are.
pub(crate) fn ends(module: &Module, function: &Function, flow: &Flow, index: usize) -> bool {
    let each = &flow.loops.all()[index];
    let [latch] = each.latches[..] else { return false };
    each.blocks.iter().any(|&block| {
        // A test that each round passes through.
        if !flow.dominators.dominates(block, latch) || flow.loops.innermost(block) != Some(index) {
            return false;
        }
        let Terminator::CondBranch { condition, then, otherwise } = &function.block(block).terminator else { return false };
        let stays = |target: &Target| flow.loops.contains(index, target.block);
        let stays_if = match (stays(then), stays(otherwise)) {
            (true, false) => true,
            (false, true) => false,
            _ => return false,
        };
        Test { module, function, flow, index, header: each.header, latch }.becomes_false(*condition, stays_if)
    })
}

struct Test<'a> {
    module: &'a Module,
    function: &'a Function,
    flow: &'a Flow,
    index: usize,
    header: BlockId,
    latch: BlockId,
}

/// A value that changes by the same in every round.
struct Induction {
    /// The change, as a signed number.
    step: i128,
    ty: Type,
}

impl Test<'_> {
    /// Whether a condition for staying in the loop fails after finitely many rounds.
    fn becomes_false(&self, condition: ValueId, stays_if: bool) -> bool {
        match self.function.defining_operation(condition) {
            Some(Operation::Unary(metal_oxide_ir::UnaryOperator::Not, inner)) => self.becomes_false(*inner, !stays_if),
            // Staying needs both, or leaving needs one of them.
            Some(Operation::Binary(BinaryOperator::And, a, b)) if stays_if => self.becomes_false(*a, true) || self.becomes_false(*b, true),
            Some(Operation::Binary(BinaryOperator::Or, a, b)) if !stays_if => {
                self.becomes_false(*a, false) || self.becomes_false(*b, false)
            }
            Some(Operation::Compare(operator, a, b)) => {
                let operator = if stays_if { Some(*operator) } else { operator.negated() };
                operator.is_some_and(|operator| self.compare_ends(operator, *a, *b) || self.compare_ends(operator.swapped(), *b, *a))
            }
            _ => false,
        }
    }

    /// Whether `counter operator bound` fails after finitely many rounds.
    fn compare_ends(&self, operator: CompareOperator, counter: ValueId, bound: ValueId) -> bool {
        use CompareOperator::*;
        if !self.is_invariant(bound) {
            return false;
        }
        let zero = self.function.constant(bound).and_then(|constant| constant.as_unsigned()) == Some(0);
        if matches!(operator, NotEqual | GreaterUnsigned) && zero && self.shrinks(counter) {
            return true;
        }
        if matches!(operator, LessUnsigned | LessEqualUnsigned)
            && let Some(stride) = self.stride(counter)
            && is_positive(self.module, self.function, stride)
        {
            let top = u128::MAX >> (128 - self.function.ty(counter).bits());
            let furthest = largest(self.module, self.function, bound) + largest(self.module, self.function, stride);
            if furthest <= top {
                return true;
            }
        }
        let Some(Induction { step, ty }) = self.induction(counter) else { return false };
        let far = 1i128 << (ty.bits() - 1);
        match operator {
            // A step of one meets every number.
            NotEqual => step == 1 || step == -1,
            LessUnsigned => step > 0 && self.cannot_pass(bound, ty, step, false),
            LessEqualUnsigned => step > 0 && self.bound_below_top(bound, ty, step, false),
            GreaterUnsigned => step == -1,
            LessSigned => step > 0 && self.cannot_pass(bound, ty, step, true),
            LessEqualSigned => step > 0 && self.bound_below_top(bound, ty, step, true),
            GreaterSigned => step == -1,
            GreaterEqualSigned => {
                step < 0
                    && self.function.constant(bound).and_then(|constant| constant.as_signed()).is_some_and(|bound| bound + step >= -far)
            }
            GreaterEqualUnsigned => {
                step < 0
                    && self
                        .function
                        .constant(bound)
                        .and_then(|constant| constant.as_unsigned())
                        .is_some_and(|bound| bound as i128 + step >= 0)
            }
            _ => false,
        }
    }

    /// Whether a counter that is below a bound cannot jump over the end of its type in one step.
    fn cannot_pass(&self, bound: ValueId, ty: Type, step: i128, signed: bool) -> bool {
        step == 1 || self.bound_below_top(bound, ty, step - 1, signed)
    }

    /// Whether `bound + room` still fits in the type.
    fn bound_below_top(&self, bound: ValueId, ty: Type, room: i128, signed: bool) -> bool {
        let top = if signed { (1i128 << (ty.bits() - 1)) - 1 } else { (1i128 << ty.bits()) - 1 };
        self.largest(bound, signed).is_some_and(|largest| largest + room <= top)
    }

    /// A number that a value does not exceed.
    fn largest(&self, value: ValueId, signed: bool) -> Option<i128> {
        if let Some(constant) = self.function.constant(value) {
            return if signed { constant.as_signed() } else { constant.as_unsigned().map(|bits| bits as i128) };
        }
        if !signed {
            return Some(largest(self.module, self.function, value) as i128);
        }
        match self.function.defining_operation(value)? {
            Operation::Cast(CastOperator::ZeroExtend, from) => Some((1i128 << self.function.ty(*from).bits()) - 1),
            Operation::Cast(CastOperator::SignExtend, from) => Some((1i128 << (self.function.ty(*from).bits() - 1)) - 1),
            _ => None,
        }
    }

    /// The value by which another one grows in every round, the same each time.
    fn stride(&self, value: ValueId) -> Option<ValueId> {
        let (parameter, next) = self.carried(value)?;
        let stride = match self.function.defining_operation(next)? {
            Operation::Binary(BinaryOperator::Add, a, b) if *a == parameter => *b,
            Operation::Binary(BinaryOperator::Add, b, a) if *a == parameter => *b,
            _ => return None,
        };
        self.is_invariant(stride).then_some(stride)
    }

    /// The change of a value by a constant in every round, if the header keeps it in a parameter.
    fn induction(&self, value: ValueId) -> Option<Induction> {
        let (parameter, next) = self.carried(value)?;
        let step = match self.function.defining_operation(next)? {
            Operation::Binary(BinaryOperator::Add, a, b) if *a == parameter => self.function.constant(*b)?.as_signed()?,
            Operation::Binary(BinaryOperator::Add, b, a) if *a == parameter => self.function.constant(*b)?.as_signed()?,
            Operation::Binary(BinaryOperator::Sub, a, b) if *a == parameter => -self.function.constant(*b)?.as_signed()?,
            _ => return None,
        };
        (step != 0).then_some(Induction { step, ty: self.function.ty(value) })
    }

    /// Whether a value gets nearer to zero in every round, until it is zero.
    fn shrinks(&self, value: ValueId) -> bool {
        let Some((parameter, next)) = self.carried(value) else { return false };
        let constant = |value: ValueId| self.function.constant(value).and_then(|constant| constant.as_unsigned());
        match self.function.defining_operation(next) {
            Some(Operation::Binary(BinaryOperator::ShiftRightUnsigned, a, b)) => {
                *a == parameter && constant(*b).is_some_and(|count| count > 0)
            }
            Some(Operation::Binary(BinaryOperator::DivUnsigned, a, b)) => *a == parameter && constant(*b).is_some_and(|by| by > 1),
            _ => false,
        }
    }

    /// The header's parameter that a value is, or is the next value of, and the value that it has in the next round.
    fn carried(&self, value: ValueId) -> Option<(ValueId, ValueId)> {
        let parameters = &self.function.block(self.header).parameters;
        let back = self.function.block(self.latch).terminator.targets().find(|target| target.block == self.header)?;
        let index = match self.function.definition(value) {
            ValueDefinition::Parameter { block, .. } if block == self.header => parameters.iter().position(|&parameter| parameter == value),
            _ => back.arguments.iter().position(|&argument| argument == value),
        }?;
        Some((parameters[index], back.arguments[index]))
    }

    fn is_invariant(&self, value: ValueId) -> bool {
        match self.function.definition(value) {
            ValueDefinition::Constant(_) => true,
            ValueDefinition::Parameter { block, .. } => !self.flow.loops.contains(self.index, block),
            ValueDefinition::Instruction { instruction, .. } => {
                let inside = &self.flow.loops.all()[self.index].blocks;
                let operation = &self.function.instruction(instruction).operation;
                // What is computed in the loop from values outside is the same in every round.
                let mut outside = operation.is_pure();
                if outside {
                    operation.operands(|operand| outside &= self.function.constant(operand).is_some() || self.is_outside(operand, inside));
                }
                outside || self.is_outside(value, inside)
            }
        }
    }

    fn is_outside(&self, value: ValueId, inside: &[BlockId]) -> bool {
        match self.function.definition(value) {
            ValueDefinition::Constant(_) => true,
            ValueDefinition::Parameter { block, .. } => !inside.contains(&block),
            ValueDefinition::Instruction { instruction, .. } => {
                !inside.iter().any(|&block| self.function.block(block).instructions.contains(&instruction))
            }
        }
    }
}
