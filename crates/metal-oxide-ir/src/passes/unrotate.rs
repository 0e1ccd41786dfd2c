//! Finds counting loops that ask at their end whether to go on, though the answer before the first time is known, and lets them ask first.
//! What `core` writes as a test and a loop that ends with a test becomes one `for` loop.

use std::collections::HashMap;

use crate::analysis::{ControlFlow, Dominators, Edge, Loops};
use crate::passes::builder::Sequence;
use crate::passes::rewrite::{self, as_sum};
use crate::passes::{Pass, facts, fold};
use crate::{BlockId, CompareOperator, Constant, Function, InstructionId, Module, Operation, Target, Terminator, ValueDefinition, ValueId};

/// The pass.
pub struct Unrotate;

impl Pass for Unrotate {
    fn name(&self) -> &'static str {
        "unrotate"
    }

    fn run(&self, function: &mut Function, _module: &mut Module) -> bool {
        let mut changed = false;
        // Each rewrite removes a test at the end of a loop.
        loop {
            let flow = ControlFlow::new(function);
            let dominators = Dominators::new(function, &flow);
            let loops = Loops::new(function, &flow, &dominators);
            let homes = rewrite::homes(function, &flow);
            let found = (0..loops.all().len()).find_map(|index| {
                let search = Search { function, flow: &flow, loops: &loops, homes: &homes, index };
                search.rotated()
            });
            let Some(rotated) = found else {
                let guards: Vec<Guard> = (0..loops.all().len())
                    .filter_map(|index| {
                        let search = Search { function, flow: &flow, loops: &loops, homes: &homes, index };
                        search.guard()
                    })
                    .collect();
                changed |= !guards.is_empty();
                guards.into_iter().for_each(|guard| guard.drop(function));
                return changed;
            };
            rotated.rewrite(function);
            changed = true;
        }
    }
}

struct Search<'a> {
    function: &'a Function,
    flow: &'a ControlFlow,
    loops: &'a Loops,
    homes: &'a HashMap<InstructionId, BlockId>,
    index: usize,
}

/// A loop that can ask first.
struct Rotated {
    header: BlockId,
    latch: BlockId,
    /// The test at the end: `counter + distance` against `limit`; the loop is left if it is `leaves_on`.
    operator: CompareOperator,
    counter: ValueId,
    distance: i128,
    limit: ValueId,
    leaves_on: bool,
    /// Where it leaves to, in terms of what the header has when it asks.
    exit: Target,
    /// Values of the loop that are used behind it, and the header's parameters that they are then.
    outside: HashMap<ValueId, ValueId>,
}

impl Search<'_> {
    fn rotated(&self) -> Option<Rotated> {
        let body = &self.loops.all()[self.index];
        let &[latch] = &body.latches[..] else { return None };
        let header = body.header;
        let Terminator::CondBranch { condition, then, otherwise } = &self.function.block(latch).terminator else { return None };
        let (exit, back, leaves_on) = match (then.block == header, otherwise.block == header) {
            (false, true) => (then, otherwise, true),
            (true, false) => (otherwise, then, false),
            _ => return None,
        };
        let entries: Vec<Edge> = self.flow.edges(header).iter().copied().filter(|edge| edge.from != latch).collect();
        let &[entry] = &entries[..] else { return None };
        if self.loops.contains(self.index, exit.block) || self.asks_first(header) {
            return None;
        }

        let &Operation::Compare(operator, tested, limit) = self.function.defining_operation(*condition)? else { return None };
        let (counter, distance) = as_sum(self.function, tested);
        let parameters = &self.function.block(header).parameters;
        let position = parameters.iter().position(|&parameter| parameter == counter)?;
        let start = rewrite::target(self.function, entry.from, entry.index).arguments[position];
        let step = as_sum(self.function, back.arguments[position]);
        if step != (counter, 1) || !self.is_invariant(limit) {
            return None;
        }
        // Asked before the first time, the test must say to go on.
        let start = self.function.constant(start)?.as_signed()?;
        let first = Constant::integer(self.function.ty(counter), start.wrapping_add(distance).wrapping_sub(1));
        if !self.goes_on(operator, first, limit, leaves_on, entry) {
            return None;
        }

        // What leaves the loop must be something that the header has when it asks.
        let current = |value: ValueId| match self.is_invariant(value) {
            true => Some(value),
            false => back.arguments.iter().position(|&argument| argument == value).map(|position| parameters[position]),
        };
        let arguments: Option<Vec<ValueId>> = exit.arguments.iter().map(|&argument| current(argument)).collect();
        let exit = Target::new(exit.block, arguments?);
        let outside = self.outside(current)?;
        Some(Rotated { header, latch, operator, counter, distance, limit, leaves_on, exit, outside })
    }

    /// Whether the header leaves the loop itself already.
    fn asks_first(&self, header: BlockId) -> bool {
        let body = &self.loops.all()[self.index];
        !body.latches.contains(&header)
            && self.function.block(header).terminator.targets().any(|target| !self.loops.contains(self.index, target.block))
    }

    fn is_invariant(&self, value: ValueId) -> bool {
        match self.function.definition(value) {
            ValueDefinition::Constant(_) => true,
            ValueDefinition::Parameter { block, .. } => !self.loops.contains(self.index, block),
            ValueDefinition::Instruction { instruction, .. } => {
                self.homes.get(&instruction).is_some_and(|&block| !self.loops.contains(self.index, block))
            }
        }
    }

    /// Whether a test with a constant on the left is known not to leave the loop.
    fn goes_on(&self, operator: CompareOperator, first: Constant, limit: ValueId, leaves_on: bool, entry: Edge) -> bool {
        if let Some(constant) = self.function.constant(limit) {
            return fold::compare(operator, first, constant) == Some(!leaves_on);
        }
        use CompareOperator::{Equal, GreaterEqualUnsigned, LessUnsigned, NotEqual};
        let on_zero = match operator {
            Equal | GreaterEqualUnsigned => true,
            NotEqual | LessUnsigned => false,
            _ => return false,
        };
        // Zero meets the limit only if that is zero.
        first.as_unsigned() == Some(0) && on_zero == leaves_on && facts::is_not_zero(self.function, self.flow, limit, entry)
    }

    /// The values of the loop that are used behind it, with what the header has in their place. `None` if there is one without.
    fn outside(&self, current: impl Fn(ValueId) -> Option<ValueId>) -> Option<HashMap<ValueId, ValueId>> {
        let mut exits = 0;
        let mut uses = Vec::new();
        for &block in self.flow.reverse_postorder() {
            let mut note = |value: ValueId| {
                if !self.is_invariant(value) {
                    uses.push(value);
                }
            };
            if self.loops.contains(self.index, block) {
                exits +=
                    self.function.block(block).terminator.targets().filter(|target| !self.loops.contains(self.index, target.block)).count();
                continue;
            }
            for &id in &self.function.block(block).instructions {
                self.function.instruction(id).operation.operands(&mut note);
            }
            self.function.block(block).terminator.operands(&mut note);
        }
        if exits > 1 && !uses.is_empty() {
            return None;
        }
        uses.into_iter().map(|value| Some((value, current(value)?))).collect()
    }
}

impl Rotated {
    fn rewrite(self, function: &mut Function) {
        let inside = function.add_block();
        let instructions = std::mem::take(&mut function.block_mut(self.header).instructions);
        let location = function.block(self.header).location;
        let terminator = std::mem::replace(&mut function.block_mut(self.header).terminator, Terminator::Unreachable);
        function.block_mut(inside).instructions = instructions;
        function.terminate(inside, terminator, location);

        let latch = if self.latch == self.header { inside } else { self.latch };
        let back = match &function.block(latch).terminator {
            Terminator::CondBranch { then, otherwise, .. } => {
                if self.leaves_on {
                    otherwise.clone()
                } else {
                    then.clone()
                }
            }
            _ => unreachable!("the latch ends in a test"),
        };
        let latch_location = function.block(latch).location;
        function.terminate(latch, Terminator::Branch(back), latch_location);

        let mut sequence = Sequence { location: latch_location, ..Sequence::default() };
        let ty = function.ty(self.counter);
        let tested = match self.distance - 1 {
            0 => self.counter,
            distance => {
                let distance = function.add_constant(Constant::integer(ty, distance));
                sequence.binary(function, crate::BinaryOperator::Add, self.counter, distance)
            }
        };
        let condition = sequence.compare(function, self.operator, tested, self.limit);
        let go_on = Target::new(inside, Vec::new());
        let (then, otherwise) = if self.leaves_on { (self.exit.clone(), go_on) } else { (go_on, self.exit.clone()) };
        function.block_mut(self.header).instructions = sequence.instructions;
        function.terminate(self.header, Terminator::CondBranch { condition, then, otherwise }, latch_location);

        if !self.outside.is_empty() {
            let flow = ControlFlow::new(function);
            let dominators = Dominators::new(function, &flow);
            let loops = Loops::new(function, &flow, &dominators);
            let index = loops.innermost(self.header);
            let swap = |value: &mut ValueId| {
                if let Some(&now) = self.outside.get(value) {
                    *value = now;
                }
            };
            for block in function.block_ids() {
                if index.is_some_and(|index| loops.contains(index, block)) {
                    continue;
                }
                for id in function.block(block).instructions.clone() {
                    function.instruction_mut(id).operation.operands_mut(swap);
                }
                function.block_mut(block).terminator.operands_mut(swap);
            }
        }
    }
}

/// A test before a loop that goes where the loop itself would go at once.
struct Guard {
    block: BlockId,
    /// The way into the loop.
    entry: Target,
}

impl Guard {
    fn drop(self, function: &mut Function) {
        let location = function.block(self.block).location;
        function.terminate(self.block, Terminator::Branch(self.entry), location);
    }
}

impl Search<'_> {
    /// The test before a loop that counts from zero and asks first: whether the limit is zero.
    fn guard(&self) -> Option<Guard> {
        let header = self.loops.all()[self.index].header;
        let body = self.function.block(header);
        let entries: Vec<Edge> =
            self.flow.edges(header).iter().copied().filter(|edge| !self.loops.contains(self.index, edge.from)).collect();
        let &[entry] = &entries[..] else { return None };
        let entering = rewrite::target(self.function, entry.from, entry.index).clone();
        let pure = body.instructions.iter().all(|&id| self.function.instruction(id).operation.is_pure());
        let Terminator::CondBranch { condition, then, otherwise } = &body.terminator else { return None };
        let (exit, leaves_on) = match (self.loops.contains(self.index, then.block), self.loops.contains(self.index, otherwise.block)) {
            (false, true) => (then, true),
            (true, false) => (otherwise, false),
            _ => return None,
        };
        let &Operation::Compare(operator, counter, limit) = self.function.defining_operation(*condition)? else { return None };
        let position = body.parameters.iter().position(|&parameter| parameter == counter)?;
        let start = self.function.constant(entering.arguments[position]).and_then(Constant::as_unsigned);
        use CompareOperator::{Equal, GreaterEqualUnsigned, LessUnsigned, NotEqual};
        let leaves_at_limit =
            if leaves_on { matches!(operator, Equal | GreaterEqualUnsigned) } else { matches!(operator, NotEqual | LessUnsigned) };
        if !pure || start != Some(0) || !leaves_at_limit || !self.is_invariant(limit) {
            return None;
        }

        let Terminator::CondBranch { condition, then, otherwise } = &self.function.block(entry.from).terminator else { return None };
        let other = if entry.index == 0 { otherwise } else { then };
        let enters_on = if entry.index == 0 { NotEqual } else { Equal };
        let asks_for_zero = match self.function.defining_operation(*condition) {
            Some(&Operation::Compare(operator, a, b)) => {
                let zero = self.function.constant(b).and_then(Constant::as_unsigned) == Some(0);
                a == limit && zero && operator == enters_on
            }
            _ => false,
        };
        let at_once = exit.arguments.iter().map(|&value| match body.parameters.iter().position(|&parameter| parameter == value) {
            Some(position) => Some(entering.arguments[position]),
            None => self.is_invariant(value).then_some(value),
        });
        let at_once = Target::new(exit.block, at_once.collect::<Option<Vec<ValueId>>>()?);
        (asks_for_zero && *other == at_once).then_some(Guard { block: entry.from, entry: entering })
    }
}
