//! Guesses what a loop keeps true about its parameters, and checks the guesses by induction.
//! Guesses compare a parameter with where it starts, with what it is compared to, and with the other parameters.

use std::collections::HashMap;
use std::ops::Range;

use super::Relations;
use super::expand::width;
use super::goals::Effort;
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
const FUNCTION_LIMIT: usize = 3000;
/// Values that one parameter is compared with.
const BOUNDS: usize = 8;
/// For checking a guess. Most guesses are wrong.
const EFFORT: Effort = Effort { nodes: 40, cases: 1, wide: false };

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
            if self.flow.edges(block).len() < 2 || self.invariants.len() > FUNCTION_LIMIT || self.is_entered_sideways(block) {
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

    /// Whether a block is in a cycle that is entered elsewhere as well: there the order of the walk establishes nothing.
    fn is_entered_sideways(&self, block: BlockId) -> bool {
        let position = self.flow.position(block);
        self.flow.predecessors(block).any(|from| self.flow.position(from) >= position && !self.dominators.dominates(block, from))
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
                self.homes[instruction.index()].is_some_and(|home| home != block && self.dominators.dominates(home, block))
            }
        }
    }

    fn guess(&mut self, block: BlockId, sign: Sign, terms: Vec<(i128, Vec<ValueId>)>, constant: i128, equality: bool) {
        let same =
            |known: &Invariant| known.terms == terms && known.constant == constant && known.sign == sign && known.equality == equality;
        // Those of one block stand together.
        if !self.invariants.iter().rev().take_while(|known| known.block == block).any(same) {
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
        let direction = self.direction(parameter, &repeating, block);
        let is_integer = self.function.ty(parameter).is_integer();
        let any_signed = bounds.iter().any(|bound| bound.1);
        for &start in entering.iter().chain(if repeating.is_empty() { &entering[..0] } else { &repeating[..] }).take(4) {
            if !self.is_known_at(start, block) {
                continue;
            }
            let signs: &[Sign] = if any_signed && is_integer { &[Sign::Unsigned, Sign::Signed] } else { &[Sign::Unsigned] };
            for &sign in signs {
                if direction >= 0 {
                    self.guess(block, sign, vec![term(1, parameter), term(-1, start)], 0, false);
                }
                if direction <= 0 {
                    self.guess(block, sign, vec![term(-1, parameter), term(1, start)], 0, false);
                }
            }
        }
        for (bound, signed) in bounds.into_iter().take(BOUNDS) {
            if bound == parameter || !self.is_known_at(bound, block) {
                continue;
            }
            let sign = if signed { Sign::Signed } else { Sign::Unsigned };
            for (factor, constant) in [(-1, 0), (-1, -1), (1, 0), (1, -1)] {
                // What grows stays below, what shrinks stays above.
                if factor * direction <= 0 {
                    self.guess(block, sign, vec![term(factor, parameter), term(-factor, bound)], constant, false);
                }
            }
        }
    }

    /// Whether a parameter only grows, then 1, or only shrinks, then -1; 0 where that is not plain to see.
    fn direction(&self, parameter: ValueId, repeating: &[ValueId], block: BlockId) -> i128 {
        let steps = repeating.iter().map(|&argument| match self.step(parameter, argument, block) {
            Some(Step::Constant(step)) => step.signum(),
            _ => 0,
        });
        let (mut least, mut most) = (1, -1);
        for step in steps {
            least = least.min(step);
            most = most.max(step);
        }
        if least == most { least } else { 0 }
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

    /// Which invariants are those of a block.
    pub(super) fn invariants_of(&self, block: BlockId) -> Range<usize> {
        self.invariant_numbers.get(&block).cloned().unwrap_or(0..0)
    }

    /// Drops what was found to be broken, and notes where the others stand.
    pub(super) fn retain_invariants(&mut self, needed: impl Fn(BlockId) -> bool) {
        if self.invariants.iter().all(|invariant| !invariant.broken && needed(invariant.block)) && !self.invariant_numbers.is_empty() {
            return;
        }
        self.invariants.retain(|invariant| !invariant.broken && needed(invariant.block));
        self.invariant_numbers.clear();
        for (number, invariant) in self.invariants.iter().enumerate() {
            self.invariant_numbers.entry(invariant.block).or_insert(number..number).end = number + 1;
        }
    }

    /// Assumes the invariants of a block.
    pub(super) fn assume_invariants(&mut self, block: BlockId) {
        for number in self.invariants_of(block) {
            let invariant = self.invariants[number].clone();
            if invariant.broken {
                continue;
            }
            let Some(sum) = self.sum(&invariant, &HashMap::new()) else { continue };
            if invariant.equality {
                self.assume_equality(&sum);
            } else {
                self.assume_fact(&sum);
            }
        }
    }

    /// Marks the invariants of some of the blocks that a block jumps to, if the jump from its end does not keep them.
    pub(super) fn check_invariants(&mut self, from: BlockId, of: &dyn Fn(&Self, BlockId) -> bool) {
        let function = self.function;
        for (index, target) in function.block(from).terminator.targets().enumerate() {
            let numbers = self.invariants_of(target.block);
            if numbers.is_empty() || !of(self, target.block) {
                continue;
            }
            if self.invariants[numbers.clone()].iter().all(|known| known.broken) {
                continue;
            }
            let mark = self.state.mark();
            self.assume_edge(crate::analysis::Edge { from, index });
            let parameters = function.block(target.block).parameters.iter().copied();
            let arguments: HashMap<ValueId, ValueId> = parameters.zip(target.arguments.iter().copied()).collect();
            for number in numbers {
                if self.invariants[number].broken {
                    continue;
                }
                let invariant = self.invariants[number].clone();
                let kept = self.state.impossible
                    || self.sum(&invariant, &arguments).is_some_and(|sum| {
                        let negative = sum.scaled(-1).filter(|_| invariant.equality);
                        self.proves(&sum, EFFORT)
                            && (!invariant.equality || negative.is_some_and(|negative| self.proves(&negative, EFFORT)))
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
