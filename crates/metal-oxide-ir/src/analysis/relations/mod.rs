//! Proves relations between integers from the conditions that dominate a point: bounds checks are such relations.
//!
//! Values are whole numbers, unsigned or signed, and are written as polynomials over *atoms*, the values that cannot be taken apart.
//! Arithmetic is looked through only where it is shown not to wrap, so that polynomials are exact. What is known at a point is a set of
//! polynomials that are not negative: from conditions on the way there, `assume`s, what operations say about their results, what the host
//! promises of buffers and launches, and invariants of loops. A goal is proved by taking multiples of facts away from it until bounds decide.
//!
//! A value that is known at a point holds the number that it had when the dominating condition on it was evaluated: every path back to its
//! definition passes that condition again. Invariants are guessed from how a loop's parameters start, step and are compared, then checked
//! together by induction: all are assumed where they should hold, and those that some jump does not keep are dropped until none is left over.
//!
//! All work is counted against a budget. When it is used up, nothing more is proved.

mod conditions;
mod describe;
mod expand;
mod goals;
mod invariants;
mod polynomial;
mod search;
mod state;

use invariants::Invariant;
use state::State;

use crate::analysis::ranges::Ranges;
use crate::analysis::{ControlFlow, Dominators, Edge};
use crate::{BlockId, Function, Module, Operation, Terminator, ValueId};

/// The relations of one function.
pub struct Relations<'a> {
    module: &'a Module,
    function: &'a Function,
    flow: ControlFlow,
    dominators: Dominators,
    ranges: Ranges,
    state: State,
    invariants: Vec<Invariant>,
    budget: u64,
    /// How deeply expressions are being looked into.
    depth: u32,
    /// Whether the invariants are only guesses so far.
    guessing: bool,
}

/// A point of a function, where relations can be asked for.
pub struct Point<'r, 'a> {
    relations: &'r mut Relations<'a>,
    block: BlockId,
}

/// What the walk over the dominator tree comes by.
#[derive(Clone, Copy)]
enum Event {
    /// A parameter of a block, or an instruction's result, which has just been computed.
    Value(BlockId, ValueId),
    /// The end of a block.
    End(BlockId),
}

impl<'a> Relations<'a> {
    /// Prepares a function. `budget` counts elementary steps of proofs.
    pub fn new(module: &'a Module, function: &'a Function, budget: u64) -> Self {
        let flow = ControlFlow::new(function);
        let dominators = Dominators::new(function, &flow);
        let ranges = Ranges::new(module, function, &flow);
        let mut relations = Relations {
            module,
            function,
            flow,
            dominators,
            ranges,
            state: State::default(),
            invariants: Vec::new(),
            budget,
            depth: 0,
            guessing: true,
        };
        relations.guess_invariants();
        relations
    }

    /// Visits the end of every block, dominators first, in a context of everything that is known there.
    /// Finds the invariants of loops first, which takes several rounds.
    pub fn visit(&mut self, wanted: &[BlockId], mut visit: impl FnMut(&mut Point<'_, 'a>)) {
        self.visit_events(wanted, &mut |relations, event| {
            if let Event::End(block) = event {
                visit(&mut Point { relations, block });
            }
        });
    }

    /// Visits every value where it is defined, with what is known when control gets there. Otherwise as [`Relations::visit`].
    pub fn visit_values(&mut self, wanted: &[BlockId], mut visit: impl FnMut(&mut Point<'_, 'a>, ValueId)) {
        self.visit_events(wanted, &mut |relations, event| {
            if let Event::Value(block, value) = event {
                visit(&mut Point { relations, block }, value);
            }
        });
    }

    fn visit_events(&mut self, wanted: &[BlockId], visit: &mut dyn FnMut(&mut Self, Event)) {
        let mut needed = self.dominating(wanted);
        if needed.iter().all(|needed| !needed) {
            return;
        }
        // Invariants need the points before the jumps to their blocks, which may bring in further invariants.
        loop {
            let before = needed.iter().filter(|needed| **needed).count();
            let sources: Vec<BlockId> = self
                .invariants
                .iter()
                .filter(|invariant| needed[invariant.block.index()])
                .flat_map(|invariant| self.flow.predecessors(invariant.block).collect::<Vec<_>>())
                .collect();
            for (needed, also) in needed.iter_mut().zip(self.dominating(&sources)) {
                *needed |= also;
            }
            if needed.iter().filter(|needed| **needed).count() == before {
                break;
            }
        }
        self.invariants.retain(|invariant| needed[invariant.block.index()]);
        while self.guessing {
            let before = self.invariants.len();
            self.walk(&needed, &mut |relations, event| {
                if let Event::End(block) = event {
                    relations.check_invariants(block);
                }
            });
            self.invariants.retain(|invariant| !invariant.broken);
            self.guessing = self.invariants.len() != before && self.budget > 0;
            if self.budget == 0 {
                // The last round may not have looked at every jump.
                self.invariants.clear();
                return;
            }
        }
        self.walk(&needed, visit);
    }

    /// Whether the budget lasted.
    pub fn is_complete(&self) -> bool {
        self.budget > 0
    }

    /// The blocks and everything that dominates one of them, as flags.
    fn dominating(&self, blocks: &[BlockId]) -> Vec<bool> {
        let mut flags = vec![false; self.function.blocks.len()];
        for &block in blocks {
            let mut next = Some(block).filter(|&block| self.flow.is_reachable(block));
            while let Some(block) = next {
                if std::mem::replace(&mut flags[block.index()], true) {
                    break;
                }
                next = self.dominators.immediate(block);
            }
        }
        flags
    }

    /// Walks over the dominator tree, as far as blocks are needed.
    fn walk(&mut self, needed: &[bool], visit: &mut dyn FnMut(&mut Self, Event)) {
        let mut stack = vec![(self.function.entry(), 0, self.state.mark())];
        self.enter(self.function.entry(), visit);
        while let Some((block, next, mark)) = stack.last_mut() {
            let child = self.dominators.children(*block).get(*next).copied();
            *next += 1;
            match child {
                Some(child) if needed[child.index()] => {
                    stack.push((child, 0, self.state.mark()));
                    self.enter(child, visit);
                }
                Some(_) => {}
                None => {
                    self.state.undo_to(*mark);
                    stack.pop();
                }
            }
        }
    }

    /// Adds what is known in a block to what is known in its immediate dominator.
    fn enter(&mut self, block: BlockId, visit: &mut dyn FnMut(&mut Self, Event)) {
        match self.flow.only_edge(block) {
            Some(edge) => {
                self.assume_edge(edge);
                self.bind_parameters(block, edge);
            }
            None => self.assume_invariants(block),
        }
        let function = self.function;
        for &parameter in &function.block(block).parameters {
            visit(self, Event::Value(block, parameter));
        }
        for &id in &function.block(block).instructions {
            let instruction = function.instruction(id);
            if let Operation::Assume(condition) = instruction.operation {
                self.assume_condition(condition, true);
            }
            if let Some(result) = instruction.result {
                visit(self, Event::Value(block, result));
            }
        }
        visit(self, Event::End(block));
    }

    /// Adds what a jump says about the values that it depends on.
    fn assume_edge(&mut self, edge: Edge) {
        let function = self.function;
        match &function.block(edge.from).terminator {
            Terminator::CondBranch { condition, then, otherwise } => {
                // The jump says nothing if both go to the same place, which then counts as two jumps.
                debug_assert!(edge.index < 2, "a conditional branch has two targets");
                let _ = (then, otherwise);
                self.assume_condition(*condition, edge.index == 0);
            }
            Terminator::Switch { value, cases, .. } => match cases.get(edge.index) {
                Some((case, _)) => self.assume_case(*value, *case),
                None => {
                    for (case, _) in cases {
                        self.assume_not_case(*value, *case);
                    }
                }
            },
            _ => {}
        }
    }

    /// The parameters of a block with one jump to it are that jump's arguments.
    fn bind_parameters(&mut self, block: BlockId, edge: Edge) {
        let function = self.function;
        let Some(target) = function.block(edge.from).terminator.targets().nth(edge.index) else { return };
        for (&parameter, &argument) in function.block(block).parameters.iter().zip(&target.arguments) {
            self.bind(parameter, argument);
        }
    }

    /// Takes steps off the budget; false when it is used up.
    fn spend(&mut self, steps: u64) -> bool {
        self.budget = self.budget.saturating_sub(steps);
        self.budget > 0
    }
}

impl Point<'_, '_> {
    /// The block in which the point is.
    pub fn block(&self) -> BlockId {
        self.block
    }

    /// Whether a `bool` is shown to have a value here.
    pub fn proves(&mut self, condition: ValueId, truth: bool) -> bool {
        self.relations.proves_condition(condition, truth)
    }

    /// Whether an integer of up to 64 bits is shown to be at most a limit here, as an unsigned number.
    pub fn is_at_most(&mut self, value: ValueId, limit: i128) -> bool {
        self.relations.is_at_most(value, limit)
    }

    /// Whether the point is shown never to be reached.
    pub fn is_impossible(&self) -> bool {
        self.relations.state.impossible
    }
}

#[cfg(test)]
mod tests;
