//! Proves relations between integers from the conditions that dominate a point: bounds checks are such relations.
//!
//! Values are whole numbers, unsigned or signed, and are written as polynomials over *atoms*, the values that cannot be taken apart.
//! Arithmetic is looked through only where it is shown not to wrap, so that polynomials are exact. What is known at a point is a set of
//! polynomials that are not negative: from conditions on the way there, `assume`s, what operations say about their results, what the host
//! promises of buffers and launches, and invariants of loops. A goal is proved by taking multiples of facts away from it until bounds decide.
//!
//! A value that is known at a point holds the number that it had when the dominating condition on it was evaluated: every path back to its
//! definition passes that condition again. Invariants of blocks with several jumps to them are guessed from how their parameters start,
//! step and are compared. Those that a jump from before does not establish are dropped when that jump is passed. Those of a loop, and of all
//! loops and joins inside it, are checked together by induction before the loop is entered: all are assumed where they should hold, and what
//! some jump does not keep is dropped, until nothing more is. So the walk over the dominator tree never relies on a guess.
//!
//! All work is counted against budgets. When one is used up, nothing more is proved.

mod conditions;
mod describe;
mod expand;
mod goals;
mod invariants;
mod polynomial;
mod search;
mod state;

use std::collections::HashMap;
use std::ops::Range;

use invariants::Invariant;
use state::State;

use crate::analysis::ranges::Ranges;
use crate::analysis::{ControlFlow, Dominators, Edge, Loops};
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
    /// The places of each block's invariants, which stand together.
    invariant_numbers: HashMap<BlockId, Range<usize>>,
    /// The block of each instruction, if it is in a reachable one.
    homes: Vec<Option<BlockId>>,
    loops: Loops,
    /// The loop of which a block is the header, if it is the outermost one there.
    outermost: HashMap<BlockId, usize>,
    /// Blocks whose invariants are proved.
    settled: Vec<bool>,
    /// Steps that may still be taken for what is being done, and for the other of answers and invariants.
    budget: u64,
    other_budget: u64,
    /// How deeply expressions are being looked into.
    depth: u32,
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
        let loops = Loops::new(function, &flow, &dominators);
        let mut homes = vec![None; function.instructions.len()];
        for &block in flow.reverse_postorder() {
            for &instruction in &function.block(block).instructions {
                homes[instruction.index()] = Some(block);
            }
        }
        let mut relations = Relations {
            module,
            function,
            flow,
            dominators,
            ranges,
            state: State::default(),
            invariants: Vec::new(),
            invariant_numbers: HashMap::new(),
            homes,
            outermost: loops
                .all()
                .iter()
                .enumerate()
                .filter(|(_, known)| known.parent.is_none())
                .map(|(index, known)| (known.header, index))
                .collect(),
            loops,
            settled: vec![false; function.blocks.len()],
            // Answers get their share even if invariants take all of theirs.
            budget: budget / 3,
            other_budget: budget - budget / 3,
            depth: 0,
        };
        relations.guess_invariants();
        relations
    }

    /// Visits the end of every block, dominators first, in a context of everything that is known there.
    /// To be called once.
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
        self.retain_invariants(|block| needed[block.index()]);
        self.walk(&needed, visit);
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
        self.arrive(self.function.entry(), visit);
        while let Some((block, next, mark)) = stack.last_mut() {
            let child = self.dominators.children(*block).get(*next).copied();
            *next += 1;
            match child {
                Some(child) if needed[child.index()] => {
                    if let Some(&index) = self.outermost.get(&child) {
                        self.settle_loop(index, needed);
                    }
                    stack.push((child, 0, self.state.mark()));
                    self.arrive(child, visit);
                }
                Some(_) => {}
                None => {
                    self.state.undo_to(*mark);
                    stack.pop();
                }
            }
        }
    }

    /// Enters a block for good, and drops what its jumps forward do not establish. All jumps from outside to a block are passed before the
    /// block is entered, as the children of a dominator stand in reverse postorder.
    fn arrive(&mut self, block: BlockId, visit: &mut dyn FnMut(&mut Self, Event)) {
        self.enter(block, visit);
        self.for_invariants(|relations| relations.check_invariants(block, &|relations, target| !relations.settled[target.index()]));
        self.retain_invariants(|_| true);
    }

    /// Drops the invariants of an outermost loop, and of what is inside it, that do not keep one another.
    fn settle_loop(&mut self, index: usize, needed: &[bool]) {
        let blocks = self.loops.all()[index].blocks.clone();
        while blocks.iter().any(|&block| !self.invariants_of(block).is_empty()) {
            let before = self.invariants.len();
            self.for_invariants(|relations| relations.check_loop(index, needed));
            self.retain_invariants(|_| true);
            if self.invariants.len() == before {
                break;
            }
        }
        for block in blocks {
            self.settled[block.index()] = true;
        }
    }

    /// Walks over a loop once, assuming all invariants in it, and marks those that a jump inside it does not keep.
    fn check_loop(&mut self, index: usize, needed: &[bool]) {
        let mut stack = vec![(self.loops.all()[index].header, 0, self.state.mark())];
        while let Some((block, next, mark)) = stack.last_mut() {
            let (block, mark) = (*block, *mark);
            if *next == 0 {
                self.enter(block, &mut |_, _| {});
                self.check_invariants(block, &|relations, target| relations.loops.contains(index, target));
            }
            let Some((_, next, _)) = stack.last_mut() else { return };
            let child = self.dominators.children(block).get(*next).copied();
            *next += 1;
            match child {
                Some(child) if needed[child.index()] && self.loops.contains(index, child) => stack.push((child, 0, self.state.mark())),
                Some(_) => {}
                None => {
                    self.state.undo_to(mark);
                    stack.pop();
                }
            }
        }
    }

    /// Does something on the budget of invariants.
    fn for_invariants(&mut self, work: impl FnOnce(&mut Self)) {
        std::mem::swap(&mut self.budget, &mut self.other_budget);
        work(self);
        std::mem::swap(&mut self.budget, &mut self.other_budget);
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
