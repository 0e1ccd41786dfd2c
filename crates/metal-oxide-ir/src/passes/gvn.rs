//! Finds values that were computed already on every way to a place, and uses those: operations, loads, and what branches have decided.
//! Walks the dominator tree with a table of what is known, and forgets what was learnt in a subtree when it leaves that.

use std::collections::HashMap;

use crate::analysis::{ControlFlow, Dominators, Edge};
use crate::passes::alias::{Aliases, Location};
use crate::passes::rewrite::{Replacements, inherit_name, target, target_mut};
use crate::passes::{Pass, facts};
use crate::{BlockId, Constant, Function, InstructionId, Module, Operation, Type, ValueId};

/// The pass.
pub struct Gvn;

impl Pass for Gvn {
    fn name(&self) -> &'static str {
        "gvn"
    }

    fn run(&self, function: &mut Function, module: &mut Module) -> bool {
        let flow = ControlFlow::new(function);
        let dominators = Dominators::new(function, &flow);
        let aliases = Aliases::new(function);
        let mut walk = Walk {
            module,
            flow: &flow,
            aliases: &aliases,
            known: HashMap::new(),
            facts: HashMap::new(),
            log: Vec::new(),
            memory: HashMap::new(),
            replacements: Replacements::default(),
            changed: false,
        };
        walk.run(function, &dominators);
        let changed = walk.changed;
        walk.replacements.apply(function) || changed
    }
}

/// An operation with the type of its result.
type Expression = (Operation, Type);

struct Walk<'a> {
    module: &'a Module,
    flow: &'a ControlFlow,
    aliases: &'a Aliases,
    /// The values of operations.
    known: HashMap<Expression, ValueId>,
    /// The constants that values are on this path.
    facts: HashMap<ValueId, ValueId>,
    /// What to restore when a subtree is left.
    log: Vec<Undo>,
    /// What memory holds at the end of each block whose only successor-to-be may continue with it.
    memory: HashMap<BlockId, Memory>,
    replacements: Replacements,
    changed: bool,
}

enum Undo {
    Known(Expression, Option<ValueId>),
    Fact(ValueId, Option<ValueId>),
}

enum Step {
    Enter(BlockId),
    /// Forgets what was learnt since the log had this length.
    Leave(usize),
}

/// The values that are known to stand in memory.
type Memory = Vec<(Location, ValueId)>;

/// More known places than this are forgotten, oldest first.
const MAX_PLACES: usize = 32;

impl Walk<'_> {
    fn run(&mut self, function: &mut Function, dominators: &Dominators) {
        let mut steps = vec![Step::Enter(function.entry())];
        while let Some(step) = steps.pop() {
            match step {
                Step::Leave(length) => self.forget(length),
                Step::Enter(block) => {
                    steps.push(Step::Leave(self.log.len()));
                    self.visit(function, block);
                    steps.extend(dominators.children(block).iter().rev().map(|&child| Step::Enter(child)));
                }
            }
        }
    }

    fn forget(&mut self, length: usize) {
        for undo in self.log.drain(length..).rev() {
            match undo {
                Undo::Known(expression, Some(value)) => drop(self.known.insert(expression, value)),
                Undo::Known(expression, None) => drop(self.known.remove(&expression)),
                Undo::Fact(value, Some(fact)) => drop(self.facts.insert(value, fact)),
                Undo::Fact(value, None) => drop(self.facts.remove(&value)),
            }
        }
    }

    fn know(&mut self, expression: Expression, value: ValueId) {
        let before = self.known.insert(expression.clone(), value);
        self.log.push(Undo::Known(expression, before));
    }

    fn learn(&mut self, function: &mut Function, condition: ValueId, holds: bool) {
        for (value, constant) in facts::implied(function, condition, holds) {
            let constant = function.add_constant(constant);
            let before = self.facts.insert(value, constant);
            self.log.push(Undo::Fact(value, before));
        }
        for (comparison, holds) in facts::related_comparisons(function, condition, holds) {
            let answer = function.add_constant(Constant::bool(holds));
            self.know((comparison, Type::Bool), answer);
        }
    }

    fn visit(&mut self, function: &mut Function, block: BlockId) {
        let mut memory = Memory::new();
        if let Some(edge) = self.flow.only_edge(block) {
            if let Some((condition, holds)) = facts::on_edge(function, edge) {
                match holds {
                    facts::Decided::Bool(holds) => self.learn(function, condition, holds),
                    facts::Decided::Case(constant) => {
                        let constant = function.add_constant(constant);
                        let before = self.facts.insert(condition, constant);
                        self.log.push(Undo::Fact(condition, before));
                    }
                }
            }
            memory = self.memory.get(&edge.from).cloned().unwrap_or_default();
        }
        let instructions = std::mem::take(&mut function.block_mut(block).instructions);
        let mut kept = Vec::with_capacity(instructions.len());
        for id in instructions {
            let mut operation =
                std::mem::replace(&mut function.instruction_mut(id).operation, Operation::Call(crate::FunctionId::new(0), Vec::new()));
            operation.operands_mut(|value| *value = self.current(*value));
            function.instruction_mut(id).operation = operation;
            if self.keep(function, id, &mut memory) {
                kept.push(id);
            } else {
                self.changed = true;
            }
        }
        let mut terminator = std::mem::replace(&mut function.block_mut(block).terminator, crate::Terminator::Unreachable);
        terminator.operands_mut(|value| *value = self.current(*value));
        let body = function.block_mut(block);
        body.terminator = terminator;
        body.instructions = kept;
        self.pass_facts_on(function, block);
        self.memory.insert(block, memory);
    }

    /// What a branch decides about a value holds for the arguments of its jumps already.
    fn pass_facts_on(&mut self, function: &mut Function, block: BlockId) {
        let count = function.block(block).terminator.targets().count();
        for index in 0..if count > 1 { count } else { 0 } {
            if target(function, block, index).arguments.is_empty() {
                continue;
            }
            let facts = match facts::on_edge(function, Edge { from: block, index }) {
                Some((condition, facts::Decided::Bool(holds))) => facts::implied(function, condition, holds),
                Some((value, facts::Decided::Case(constant))) => vec![(value, constant)],
                None => continue,
            };
            for (value, constant) in facts {
                if target(function, block, index).arguments.contains(&value) {
                    let constant = function.add_constant(constant);
                    for argument in target_mut(function, block, index).arguments.iter_mut().filter(|argument| **argument == value) {
                        *argument = constant;
                    }
                    self.changed = true;
                }
            }
        }
    }

    /// What an operand is here.
    fn current(&mut self, value: ValueId) -> ValueId {
        let value = self.replacements.find(value);
        match self.facts.get(&value) {
            Some(&constant) => {
                self.changed = true;
                constant
            }
            None => value,
        }
    }

    /// Notes what an instruction computes or changes. Returns whether it is needed.
    fn keep(&mut self, function: &mut Function, id: InstructionId, memory: &mut Memory) -> bool {
        let instruction = function.instruction(id).clone();
        let Some(result) = instruction.result else {
            return self.keep_effect(function, &instruction.operation, memory);
        };
        let ty = function.ty(result);
        let expression = (normal(instruction.operation), ty);
        match expression.0 {
            Operation::Load(pointer) if self.aliases.is_read_only(function, pointer) => {}
            Operation::Load(pointer) => {
                let location = Location { pointer, size: ty.size() };
                let held = memory.iter().rev().find(|(known, value)| *known == location && function.ty(*value) == ty);
                if let Some(&(_, value)) = held {
                    self.replace(function, result, value);
                    return false;
                }
                remember(memory, location, result);
                return true;
            }
            Operation::Call(..) => {
                self.clobber_all(function, memory);
                return true;
            }
            Operation::Slot(_) => return true,
            _ if !expression.0.is_pure() => {
                memory.clear();
                return true;
            }
            _ => {}
        }
        match self.known.get(&expression) {
            Some(&value) => {
                self.replace(function, result, value);
                false
            }
            None => {
                self.know(expression, result);
                true
            }
        }
    }

    fn replace(&mut self, function: &mut Function, old: ValueId, new: ValueId) {
        inherit_name(function, old, new);
        self.replacements.replace(old, new);
    }

    fn keep_effect(&mut self, function: &mut Function, operation: &Operation, memory: &mut Memory) -> bool {
        match *operation {
            Operation::Store { pointer, value } => {
                let location = Location { pointer, size: function.ty(value).size() };
                // The place holds the value already.
                if memory.iter().rev().any(|&(known, held)| known == location && held == value) {
                    return false;
                }
                self.clobber(function, location, memory);
                remember(memory, location, value);
                true
            }
            Operation::Copy { to, bytes, .. } => {
                self.clobber(function, Location { pointer: to, size: bytes }, memory);
                true
            }
            Operation::Assume(condition) => {
                if function.constant(condition) == Some(Constant::bool(true)) {
                    return false;
                }
                self.learn(function, condition, true);
                true
            }
            Operation::Call(..) => {
                self.clobber_all(function, memory);
                true
            }
            _ => {
                memory.clear();
                true
            }
        }
    }

    fn clobber(&self, function: &Function, location: Location, memory: &mut Memory) {
        memory.retain(|(known, _)| !self.aliases.may_alias(function, self.module, location, *known));
    }

    /// A callee can write everything whose address it can have.
    fn clobber_all(&self, function: &Function, memory: &mut Memory) {
        memory.retain(|(known, _)| self.aliases.is_private(function, known.pointer));
    }
}

fn remember(memory: &mut Memory, location: Location, value: ValueId) {
    if memory.len() >= MAX_PLACES {
        memory.remove(0);
    }
    memory.push((location, value));
}

/// The same operation with the operands in an order that equal operations share.
fn normal(operation: Operation) -> Operation {
    match operation {
        Operation::Binary(operator, a, b) if operator.is_commutative() && b < a => Operation::Binary(operator, b, a),
        Operation::Compare(operator, a, b) if b < a => Operation::Compare(operator.swapped(), b, a),
        other => other,
    }
}
