//! Removes checks that never fail.
//! A branch whose condition follows from what dominates it becomes a jump; see [`relations`](crate::analysis::relations) for how it follows.

mod checks;

pub use checks::{RemainingCheck, remaining_checks};

use crate::analysis::relations::Relations;
use crate::analysis::{ControlFlow, Dominators, Loops};
use crate::passes::Pass;
use crate::{BlockId, Function, Module, Terminator};

/// The pass.
pub struct Prove {
    /// Elementary steps that the proofs about one function may take. When they are used up, the remaining checks stay.
    pub budget: u64,
}

impl Default for Prove {
    fn default() -> Self {
        Prove { budget: 400_000 }
    }
}

/// A branch to decide, and the directions to try.
struct Question {
    block: BlockId,
    directions: &'static [bool],
}

impl Pass for Prove {
    fn name(&self) -> &'static str {
        "prove"
    }

    fn run(&self, function: &mut Function, module: &mut Module) -> bool {
        let questions = questions(function);
        if questions.is_empty() {
            return false;
        }
        let wanted: Vec<_> = questions.iter().map(|question| question.block).collect();
        let mut answers: Vec<(BlockId, bool)> = Vec::new();
        let mut relations = Relations::new(module, function, self.budget);
        relations.visit(&wanted, |point| {
            let block = point.block();
            let Ok(index) = questions.binary_search_by_key(&block, |question| question.block) else { return };
            let question = &questions[index];
            let Terminator::CondBranch { condition, .. } = &function.block(block).terminator else { return };
            answers.extend(question.directions.iter().find(|&&truth| point.proves(*condition, truth)).map(|&truth| (block, truth)));
        });
        for &(block, truth) in &answers {
            let terminator = &mut function.block_mut(block).terminator;
            if let Terminator::CondBranch { then, otherwise, .. } = terminator {
                *terminator = Terminator::Branch(if truth { then.clone() } else { otherwise.clone() });
            }
        }
        !answers.is_empty()
    }
}

/// The branches that are worth a proof: those of which one side fails, and those that do not decide whether a loop goes on.
fn questions(function: &Function) -> Vec<Question> {
    let flow = ControlFlow::new(function);
    let failing = failing_blocks(function, &flow);
    let dominators = Dominators::new(function, &flow);
    let loops = Loops::new(function, &flow, &dominators);
    let mut questions = Vec::new();
    for &block in flow.reverse_postorder() {
        let Terminator::CondBranch { condition, then, otherwise } = &function.block(block).terminator else { continue };
        if function.constant(*condition).is_some() {
            continue;
        }
        let directions: &[bool] = match (failing[then.block.index()], failing[otherwise.block.index()]) {
            (true, true) => continue,
            (true, false) => &[false],
            (false, true) => &[true],
            (false, false) => {
                let inside = |target: BlockId| loops.innermost(block).is_none_or(|index| loops.contains(index, target));
                if !inside(then.block) || !inside(otherwise.block) {
                    continue;
                }
                &[true, false]
            }
        };
        questions.push(Question { block, directions });
    }
    questions.sort_unstable_by_key(|question| question.block);
    questions
}

/// Blocks from which every path ends in a failure or in code that is never executed.
pub(super) fn failing_blocks(function: &Function, flow: &ControlFlow) -> Vec<bool> {
    let mut failing = vec![false; function.blocks.len()];
    // In postorder a block comes after its successors, except along back edges, where it counts as not failing.
    for &block in flow.reverse_postorder().iter().rev() {
        let terminator = &function.block(block).terminator;
        failing[block.index()] = match terminator {
            Terminator::Fail(_) | Terminator::Unreachable => true,
            Terminator::Return(_) | Terminator::Unsupported(_) => false,
            _ => terminator.targets().all(|target| failing[target.block.index()]),
        };
    }
    failing
}
