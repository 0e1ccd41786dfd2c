//! The control-flow graph from the targets' side: who jumps to a block, and an order in which to visit blocks.
//! Only blocks that the entry reaches take part.

use crate::{BlockId, Function};

/// Predecessors and reverse postorder of the blocks that the entry reaches.
#[derive(Clone, Debug)]
pub struct ControlFlow {
    order: Vec<BlockId>,
    positions: Vec<u32>,
    edges: Vec<Edge>,
    starts: Vec<u32>,
}

/// One jump into a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Edge {
    /// The block that jumps.
    pub from: BlockId,
    /// Which of its terminator's targets the jump is, in the order of [`Terminator::targets`](crate::Terminator::targets).
    pub index: usize,
}

const UNREACHABLE: u32 = u32::MAX;

impl ControlFlow {
    /// Walks the graph of a function.
    pub fn new(function: &Function) -> Self {
        let order = reverse_postorder(function);
        let mut positions = vec![UNREACHABLE; function.blocks.len()];
        for (position, block) in order.iter().enumerate() {
            positions[block.index()] = position as u32;
        }

        // Edges are sorted by target: count, sum up, fill.
        let mut starts = vec![0u32; function.blocks.len() + 1];
        for &block in &order {
            for target in function.block(block).terminator.targets() {
                starts[target.block.index() + 1] += 1;
            }
        }
        for index in 1..starts.len() {
            starts[index] += starts[index - 1];
        }
        let mut next = starts.clone();
        let mut edges = vec![Edge { from: function.entry(), index: 0 }; *starts.last().unwrap_or(&0) as usize];
        for &from in &order {
            for (index, target) in function.block(from).terminator.targets().enumerate() {
                let place = &mut next[target.block.index()];
                edges[*place as usize] = Edge { from, index };
                *place += 1;
            }
        }
        ControlFlow { order, positions, edges, starts }
    }

    /// The reachable blocks, each before those it jumps to except along back edges. The entry is first.
    pub fn reverse_postorder(&self) -> &[BlockId] {
        &self.order
    }

    /// The position of a block in [`ControlFlow::reverse_postorder`], if it is reachable.
    pub fn position(&self, block: BlockId) -> Option<usize> {
        self.positions.get(block.index()).filter(|&&position| position != UNREACHABLE).map(|&position| position as usize)
    }

    /// Whether the entry reaches a block.
    pub fn is_reachable(&self, block: BlockId) -> bool {
        self.position(block).is_some()
    }

    /// The jumps into a block from reachable blocks. A terminator that names the block twice counts twice.
    pub fn edges(&self, block: BlockId) -> &[Edge] {
        &self.edges[self.starts[block.index()] as usize..self.starts[block.index() + 1] as usize]
    }

    /// The blocks that jump to a block, one for each jump.
    pub fn predecessors(&self, block: BlockId) -> impl ExactSizeIterator<Item = BlockId> + '_ {
        self.edges(block).iter().map(|edge| edge.from)
    }

    /// The only jump into a block, if there is exactly one.
    pub fn only_edge(&self, block: BlockId) -> Option<Edge> {
        match self.edges(block) {
            [edge] => Some(*edge),
            _ => None,
        }
    }
}

fn reverse_postorder(function: &Function) -> Vec<BlockId> {
    let mut seen = vec![false; function.blocks.len()];
    let mut order = Vec::with_capacity(function.blocks.len());
    let mut stack = vec![(function.entry(), successors(function, function.entry()))];
    seen[function.entry().index()] = true;
    while let Some((block, rest)) = stack.last_mut() {
        match rest.pop() {
            Some(next) if !seen[next.index()] => {
                seen[next.index()] = true;
                stack.push((next, successors(function, next)));
            }
            Some(_) => {}
            None => {
                order.push(*block);
                stack.pop();
            }
        }
    }
    order.reverse();
    order
}

fn successors(function: &Function, block: BlockId) -> Vec<BlockId> {
    function.block(block).terminator.targets().map(|target| target.block).collect()
}
