//! Which blocks every path from the entry to a block passes through.
//! Iterates to the nearest common dominator in reverse postorder (Cooper, Harvey and Kennedy), then numbers the tree for constant-time queries.

use crate::analysis::ControlFlow;
use crate::{BlockId, Function};

/// The dominator tree of the reachable blocks.
#[derive(Clone, Debug)]
pub struct Dominators {
    immediate: Vec<Option<BlockId>>,
    children: Vec<Vec<BlockId>>,
    /// When a walk over the tree enters and leaves each block; unreachable blocks have an empty interval.
    intervals: Vec<(u32, u32)>,
}

impl Dominators {
    /// Computes the tree.
    pub fn new(function: &Function, flow: &ControlFlow) -> Self {
        let immediate = immediate_dominators(function, flow);
        let mut children = vec![Vec::new(); function.blocks.len()];
        for &block in flow.reverse_postorder() {
            if let Some(parent) = immediate[block.index()] {
                children[parent.index()].push(block);
            }
        }
        let intervals = number(function.entry(), &children);
        Dominators { immediate, children, intervals }
    }

    /// The closest strict dominator; the entry and unreachable blocks have none.
    pub fn immediate(&self, block: BlockId) -> Option<BlockId> {
        self.immediate[block.index()]
    }

    /// The blocks whose immediate dominator is `block`, in reverse postorder.
    pub fn children(&self, block: BlockId) -> &[BlockId] {
        &self.children[block.index()]
    }

    /// Whether every path from the entry to `block` passes through `by`; a block dominates itself. False if either is unreachable.
    pub fn dominates(&self, by: BlockId, block: BlockId) -> bool {
        let (start, end) = self.intervals[by.index()];
        let (inner, inner_end) = self.intervals[block.index()];
        inner_end != 0 && start <= inner && inner < end
    }

    /// The tree's blocks, each after its parent.
    pub fn preorder(&self, entry: BlockId) -> Vec<BlockId> {
        let mut order = Vec::new();
        let mut stack = vec![entry];
        while let Some(block) = stack.pop() {
            order.push(block);
            stack.extend(self.children(block).iter().rev());
        }
        order
    }

    /// For each block, the blocks with several predecessors that it dominates a predecessor of but does not strictly dominate.
    pub fn frontiers(&self, function: &Function, flow: &ControlFlow) -> Vec<Vec<BlockId>> {
        let mut frontiers: Vec<Vec<BlockId>> = vec![Vec::new(); function.blocks.len()];
        for &block in flow.reverse_postorder() {
            // The entry can be a join with a single explicit predecessor.
            if flow.edges(block).len() + usize::from(block == function.entry()) < 2 {
                continue;
            }
            let stop = self.immediate(block);
            for from in flow.predecessors(block) {
                let mut runner = Some(from);
                while runner != stop {
                    let Some(current) = runner else { break };
                    let frontier = &mut frontiers[current.index()];
                    if frontier.last() != Some(&block) {
                        frontier.push(block);
                    }
                    runner = self.immediate(current);
                }
            }
        }
        frontiers
    }
}

fn immediate_dominators(function: &Function, flow: &ControlFlow) -> Vec<Option<BlockId>> {
    const UNKNOWN: usize = usize::MAX;
    let order = flow.reverse_postorder();
    // Works on positions in the order: a dominator stands before what it dominates.
    let mut dominators = vec![UNKNOWN; order.len()];
    dominators[0] = 0;
    let mut changed = true;
    while changed {
        changed = false;
        for (position, &block) in order.iter().enumerate().skip(1) {
            let mut nearest = UNKNOWN;
            for predecessor in flow.predecessors(block).filter_map(|from| flow.position(from)) {
                if dominators[predecessor] == UNKNOWN {
                    continue;
                }
                nearest = if nearest == UNKNOWN { predecessor } else { intersect(&dominators, nearest, predecessor) };
            }
            if dominators[position] != nearest {
                dominators[position] = nearest;
                changed = true;
            }
        }
    }

    let mut immediate = vec![None; function.blocks.len()];
    for (position, &block) in order.iter().enumerate().skip(1) {
        immediate[block.index()] = Some(order[dominators[position]]);
    }
    immediate
}

fn intersect(dominators: &[usize], mut a: usize, mut b: usize) -> usize {
    while a != b {
        while a > b {
            a = dominators[a];
        }
        while b > a {
            b = dominators[b];
        }
    }
    a
}

fn number(entry: BlockId, children: &[Vec<BlockId>]) -> Vec<(u32, u32)> {
    let mut intervals = vec![(0, 0); children.len()];
    let mut clock = 1;
    let mut stack = vec![(entry, 0)];
    intervals[entry.index()].0 = clock;
    while let Some((block, next)) = stack.last_mut() {
        if let Some(&child) = children[block.index()].get(*next) {
            *next += 1;
            clock += 1;
            intervals[child.index()].0 = clock;
            stack.push((child, 0));
        } else {
            intervals[block.index()].1 = clock + 1;
            stack.pop();
        }
    }
    intervals
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_loop_with_two_exits() {
        let module = crate::text::parse(
            "function @f {
             block0(%0: bool):
                 br block1
             block1:
                 cond_br %0, block2, block3
             block2:
                 cond_br %0, block1, block3
             block3:
                 return
             }",
        )
        .expect("the text is well formed");
        let function = &module.functions[0];
        let flow = ControlFlow::new(function);
        let dominators = Dominators::new(function, &flow);
        let block = BlockId::new;
        assert_eq!(dominators.immediate(block(3)), Some(block(1)));
        assert!(dominators.dominates(block(1), block(2)));
        assert!(!dominators.dominates(block(2), block(3)));
        assert_eq!(dominators.frontiers(function, &flow)[2], [block(1), block(3)]);
    }
}
