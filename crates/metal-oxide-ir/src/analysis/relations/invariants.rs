//! Guesses what a loop keeps true about its parameters, and checks the guesses by induction.
//! Guesses compare a parameter with where it starts, with what it is compared to, and with the other parameters.

use std::collections::HashMap;

use super::Relations;
use super::expand::width;
use super::polynomial::Polynomial;
use super::state::Sign;
use crate::{BinaryOperator, BlockId, CastOperator, CompareOperator, Constant, MemoryKind, Operation, ValueDefinition, ValueId};

/// A guess about the parameters of a block.
#[derive(Clone, Debug)]
pub(super) struct Invariant {
    pub(super) block: BlockId,
    /// A sum of products of values, each with a factor.
    terms: Vec<(i128, Vec<ValueId>)>,
    constant: i128,
    sign: Sign,
    /// Whether the sum is zero rather than just not negative.
    equality: bool,
    /// Some jump does not keep it.
    pub(super) broken: bool,
}

/// Guesses about one block, and about one function.
const BLOCK_LIMIT: usize = 40;
const FUNCTION_LIMIT: usize = 400;
/// Values that one parameter is compared with.
const BOUNDS: usize = 8;
/// Steps that checking a guess may take.
const NODES: u32 = 120;

/// How a parameter changes when its loop is repeated.
#[derive(Clone, Copy, PartialEq)]
enum Step {
    Constant(i128),
    /// Adds a value, negated if the flag is set, times a factor.
    Value(ValueId, i128),
}

/// The sum of a value read as a number, with a factor.
fn term(factor: i128, value: ValueId) -> (i128, Vec<ValueId>) {
    (factor, vec![value])
}

impl Relations<'_> {
    pub(super) fn guess_invariants(&mut self) {
        let users = self.users();
        let order = self.flow.reverse_postorder().to_vec();
        for block in order {
            if self.flow.edges(block).len() < 2 || self.invariants.len() > FUNCTION_LIMIT {
                continue;
            }
            let start = self.invariants.len();
            let parameters = self.function.block(block).parameters.clone();
            for (index, &parameter) in parameters.iter().enumerate() {
                if width(self.function.ty(parameter)).is_some_and(|bits| bits > 1) {
                    self.guess_bounds(block, index, parameter, &users);
                }
            }
            self.guess_pairs(block, &parameters);
            self.invariants.truncate(start + BLOCK_LIMIT);
        }
    }

    /// The results of instructions that use a value, and the comparisons of it.
    fn users(&self) -> HashMap<ValueId, Vec<ValueId>> {
        let mut users: HashMap<ValueId, Vec<ValueId>> = HashMap::new();
        for &block in self.flow.reverse_postorder() {
            for &id in &self.function.block(block).instructions {
                let instruction = self.function.instruction(id);
                if let Some(result) = instruction.result {
                    instruction.operation.operands(|value| users.entry(value).or_default().push(result));
                }
            }
        }
        users
    }

    /// The arguments of the jumps to a block for one of its parameters: those that enter it, and those that repeat it.
    fn arguments(&self, block: BlockId, index: usize) -> (Vec<ValueId>, Vec<ValueId>) {
        let (mut entering, mut repeating) = (Vec::new(), Vec::new());
        for edge in self.flow.edges(block) {
            let Some(target) = self.function.block(edge.from).terminator.targets().nth(edge.index) else { continue };
            let list = if self.dominators.dominates(block, edge.from) { &mut repeating } else { &mut entering };
            if !list.contains(&target.arguments[index]) {
                list.push(target.arguments[index]);
            }
        }
        (entering, repeating)
    }

    /// Whether a value is the same whenever control is at the start of a block: it is defined before.
    fn is_known_at(&self, value: ValueId, block: BlockId) -> bool {
        match self.function.definition(value) {
            ValueDefinition::Constant(Constant::Undef(_)) => false,
            ValueDefinition::Constant(_) => true,
            ValueDefinition::Parameter { block: by, .. } => self.dominators.dominates(by, block),
            ValueDefinition::Instruction { instruction, .. } => {
                let strict = self.dominators.immediate(block);
                let mut by = strict;
                // Instructions do not know their block: look along the dominators.
                while let Some(candidate) = by {
                    if self.function.block(candidate).instructions.contains(&instruction) {
                        return true;
                    }
                    by = self.dominators.immediate(candidate);
                }
                false
            }
        }
    }

    fn guess(&mut self, block: BlockId, sign: Sign, terms: Vec<(i128, Vec<ValueId>)>, constant: i128, equality: bool) {
        let same = |known: &Invariant| {
            known.block == block && known.terms == terms && known.constant == constant && known.sign == sign && known.equality == equality
        };
        if !self.invariants.iter().any(same) {
            self.invariants.push(Invariant { block, terms, constant, sign, equality, broken: false });
        }
    }

    /// Compares a parameter with where it starts and with what it is compared to.
    fn guess_bounds(&mut self, block: BlockId, index: usize, parameter: ValueId, users: &HashMap<ValueId, Vec<ValueId>>) {
        let (entering, repeating) = self.arguments(block, index);
        let mut bounds: Vec<(ValueId, bool)> = Vec::new();
        let mut related = vec![parameter];
        related.extend(repeating.iter().chain(&entering).copied().filter(|&value| self.function.constant(value).is_none()));
        for step in 0..2 {
            for value in related.clone() {
                for &user in users.get(&value).into_iter().flatten() {
                    match self.function.defining_operation(user) {
                        Some(Operation::Compare(operator, a, b)) if !operator.is_float() => {
                            let signed = {
                                use CompareOperator::*;
                                matches!(operator, LessSigned | LessEqualSigned | GreaterSigned | GreaterEqualSigned)
                            };
                            for other in [*a, *b] {
                                if other != value && !bounds.contains(&(other, signed)) {
                                    bounds.push((other, signed));
                                }
                            }
                        }
                        Some(
                            Operation::Binary(BinaryOperator::Add | BinaryOperator::Sub, ..)
                            | Operation::Cast(
                                CastOperator::ZeroExtend
                                | CastOperator::SignExtend
                                | CastOperator::Truncate
                                | CastOperator::PointerToInteger,
                                _,
                            )
                            | Operation::Element { .. }
                            | Operation::Offset { .. },
                        ) if step == 0 && !related.contains(&user) => related.push(user),
                        _ => {}
                    }
                }
            }
        }
        for &argument in &repeating {
            use BinaryOperator::{MaxSigned, MaxUnsigned, MinSigned, MinUnsigned, RemUnsigned};
            if let Some(Operation::Binary(operator, a, b)) = self.function.defining_operation(argument) {
                match operator {
                    MinUnsigned | MaxUnsigned => bounds.extend([(*a, false), (*b, false)]),
                    MinSigned | MaxSigned => bounds.extend([(*a, true), (*b, true)]),
                    RemUnsigned => bounds.push((*b, false)),
                    _ => {}
                }
            }
        }
        let is_integer = self.function.ty(parameter).is_integer();
        let any_signed = bounds.iter().any(|bound| bound.1);
        for &start in entering.iter().chain(if repeating.is_empty() { &entering[..0] } else { &repeating[..] }).take(4) {
            if !self.is_known_at(start, block) {
                continue;
            }
            let signs: &[Sign] = if any_signed && is_integer { &[Sign::Unsigned, Sign::Signed] } else { &[Sign::Unsigned] };
            for &sign in signs {
                self.guess(block, sign, vec![term(1, parameter), term(-1, start)], 0, false);
                self.guess(block, sign, vec![term(-1, parameter), term(1, start)], 0, false);
            }
        }
        for (bound, signed) in bounds.into_iter().take(BOUNDS) {
            if bound == parameter || !self.is_known_at(bound, block) {
                continue;
            }
            let sign = if signed { Sign::Signed } else { Sign::Unsigned };
            for (factor, constant) in [(-1, 0), (-1, -1), (1, 0), (1, -1)] {
                self.guess(block, sign, vec![term(factor, parameter), term(-factor, bound)], constant, false);
            }
        }
    }

    /// Relates parameters that change in step, and pairs of which one grows as the other shrinks.
    fn guess_pairs(&mut self, block: BlockId, parameters: &[ValueId]) {
        let mut moving: Vec<(ValueId, ValueId, Option<Step>)> = Vec::new();
        for (index, &parameter) in parameters.iter().enumerate() {
            if width(self.function.ty(parameter)).is_none_or(|bits| bits < 8) {
                continue;
            }
            let (entering, repeating) = self.arguments(block, index);
            let ([start], false) = (&entering[..], repeating.is_empty()) else { continue };
            if repeating.contains(&parameter) || !self.is_known_at(*start, block) {
                continue;
            }
            let mut steps = repeating.iter().map(|&argument| self.step(parameter, argument, block));
            let first = steps.next().flatten();
            let step = first.filter(|first| steps.all(|step| step == Some(*first)));
            moving.push((parameter, *start, step));
        }
        let pairs = (0..moving.len()).flat_map(|b| (0..b).map(move |a| (a, b)));
        for (a, b) in pairs.take(12) {
            let ((p, p_start, p_step), (q, q_start, q_step)) = (moving[a], moving[b]);
            // As `(p - p0) * step of q = (q - q0) * step of p`.
            let scaled = |step: Step, value: ValueId, factor: i128| match step {
                Step::Constant(step) => term(step * factor, value),
                Step::Value(step, times) => (times * factor, vec![value, step]),
            };
            match (p_step, q_step) {
                (Some(s), Some(t)) if matches!(s, Step::Constant(_)) || matches!(t, Step::Constant(_)) => {
                    let terms = vec![scaled(t, p, 1), scaled(t, p_start, -1), scaled(s, q, -1), scaled(s, q_start, 1)];
                    self.guess(block, Sign::Unsigned, terms, 0, true);
                }
                _ => {
                    let terms = vec![term(1, p_start), term(1, q_start), term(-1, p), term(-1, q)];
                    self.guess(block, Sign::Unsigned, terms, 0, false);
                }
            }
        }
    }

    /// What a loop adds to a parameter.
    fn step(&self, parameter: ValueId, argument: ValueId, block: BlockId) -> Option<Step> {
        let distance = |value: ValueId, factor: i128| -> Option<Step> {
            match self.function.constant(value).and_then(Constant::as_signed) {
                Some(constant) => Some(Step::Constant(constant.checked_mul(factor)?)),
                None => self.is_known_at(value, block).then_some(Step::Value(value, factor)),
            }
        };
        match self.function.defining_operation(argument)? {
            Operation::Binary(BinaryOperator::Add, a, b) if *a == parameter => distance(*b, 1),
            Operation::Binary(BinaryOperator::Add, a, b) if *b == parameter => distance(*a, 1),
            Operation::Binary(BinaryOperator::Sub, a, b) if *a == parameter => distance(*b, -1),
            Operation::Element { base, index, ty } if *base == parameter => distance(*index, self.module.ty(*ty).size.into()),
            Operation::Offset { base, bytes } if *base == parameter => distance(*bytes, 1),
            Operation::Field { base, ty, field } if *base == parameter => match &self.module.ty(*ty).kind {
                MemoryKind::Struct { fields } => Some(Step::Constant(fields[*field as usize].offset.into())),
                _ => None,
            },
            _ => None,
        }
    }

    /// Assumes the invariants of a block.
    pub(super) fn assume_invariants(&mut self, block: BlockId) {
        let invariants: Vec<_> = self.invariants.iter().filter(|known| known.block == block && !known.broken).cloned().collect();
        for invariant in invariants {
            let Some(sum) = self.sum(&invariant, &HashMap::new()) else { continue };
            if invariant.equality {
                self.assume_equality(&sum);
            } else {
                self.assume_fact(&sum);
            }
        }
    }

    /// Drops the invariants that a jump from the end of a block does not keep.
    pub(super) fn check_invariants(&mut self, from: BlockId) {
        let function = self.function;
        for (index, target) in function.block(from).terminator.targets().enumerate() {
            let checked = |known: &Invariant| known.block == target.block && !known.broken;
            if !self.invariants.iter().any(checked) {
                continue;
            }
            let mark = self.state.mark();
            self.assume_edge(crate::analysis::Edge { from, index });
            let parameters = function.block(target.block).parameters.iter().copied();
            let arguments: HashMap<ValueId, ValueId> = parameters.zip(target.arguments.iter().copied()).collect();
            for number in 0..self.invariants.len() {
                if !checked(&self.invariants[number]) {
                    continue;
                }
                let invariant = self.invariants[number].clone();
                let kept = self.state.impossible
                    || self.sum(&invariant, &arguments).is_some_and(|sum| {
                        let negative = sum.scaled(-1).filter(|_| invariant.equality);
                        self.proves(&sum, NODES) && (!invariant.equality || negative.is_some_and(|negative| self.proves(&negative, NODES)))
                    });
                self.invariants[number].broken = !kept;
            }
            self.state.undo_to(mark);
        }
    }

    /// The sum of an invariant, with a jump's arguments for the parameters.
    fn sum(&mut self, invariant: &Invariant, arguments: &HashMap<ValueId, ValueId>) -> Option<Polynomial> {
        let mut sum = Polynomial::constant(invariant.constant);
        for (factor, values) in &invariant.terms {
            let mut product = Polynomial::constant(*factor);
            for value in values {
                let value = arguments.get(value).copied().unwrap_or(*value);
                let number = match invariant.sign {
                    Sign::Unsigned => self.unsigned(value)?,
                    Sign::Signed => self.signed(value)?,
                };
                product = product.times(&number, &mut self.state.monomials)?;
            }
            sum = sum.plus(&product)?;
        }
        Some(sum)
    }
}
