//! Natural loops and how they nest.
//! A loop is found from the back edges to its header, the block that dominates all others in it; cycles without such a block are only noted.

use crate::analysis::{ControlFlow, Dominators};
use crate::{BlockId, Function};

/// The loops of a function.
#[derive(Clone, Debug)]
pub struct Loops {
    loops: Vec<Loop>,
    innermost: Vec<Option<u32>>,
    irreducible: bool,
}

/// A natural loop.
#[derive(Clone, Debug)]
pub struct Loop {
    /// The only block of the loop that is entered from outside.
    pub header: BlockId,
    /// The blocks of the loop that jump to the header.
    pub latches: Vec<BlockId>,
    /// All blocks of the loop and of the loops in it, in reverse postorder: the header is first.
    pub blocks: Vec<BlockId>,
    /// The index of the closest loop around it.
    pub parent: Option<usize>,
    /// How many loops it is in, itself included.
    pub depth: usize,
}

impl Loops {
    /// Finds the loops.
    pub fn new(function: &Function, flow: &ControlFlow, dominators: &Dominators) -> Self {
        let mut loops: Vec<Loop> = Vec::new();
        let mut innermost: Vec<Option<u32>> = vec![None; function.blocks.len()];
        let mut irreducible = false;

        // Inner loops come first: their headers stand later in the order.
        for (position, &header) in flow.reverse_postorder().iter().enumerate().rev() {
            let mut latches: Vec<BlockId> = Vec::new();
            for from in flow.predecessors(header) {
                if dominators.dominates(header, from) {
                    if latches.last() != Some(&from) {
                        latches.push(from);
                    }
                } else if flow.position(from) >= Some(position) {
                    irreducible = true;
                }
            }
            if latches.is_empty() {
                continue;
            }

            let this = loops.len();
            innermost[header.index()] = Some(this as u32);
            let mut work = latches.clone();
            loops.push(Loop { header, latches, blocks: Vec::new(), parent: None, depth: 0 });
            // Walks backwards from the latches; a loop that was found already is crossed in one step to its header.
            while let Some(block) = work.pop() {
                match outermost(&loops, innermost[block.index()]) {
                    Some(found) if found == this => {}
                    Some(found) => {
                        loops[found].parent = Some(this);
                        let inner = loops[found].header;
                        work.extend(flow.predecessors(inner).filter(|&from| !dominators.dominates(inner, from)));
                    }
                    None => {
                        innermost[block.index()] = Some(this as u32);
                        work.extend(flow.predecessors(block));
                    }
                }
            }
        }

        for index in (0..loops.len()).rev() {
            loops[index].depth = loops[index].parent.map_or(1, |parent| loops[parent].depth + 1);
        }
        for &block in flow.reverse_postorder() {
            let mut next = innermost[block.index()].map(|index| index as usize);
            while let Some(index) = next {
                loops[index].blocks.push(block);
                next = loops[index].parent;
            }
        }
        Loops { loops, innermost, irreducible }
    }

    /// The loops; one that is inside another stands before it.
    pub fn all(&self) -> &[Loop] {
        &self.loops
    }

    /// The index of the closest loop around a block.
    pub fn innermost(&self, block: BlockId) -> Option<usize> {
        self.innermost[block.index()].map(|index| index as usize)
    }

    /// How many loops a block is in.
    pub fn depth(&self, block: BlockId) -> usize {
        self.innermost(block).map_or(0, |index| self.loops[index].depth)
    }

    /// Whether a loop has a block in it.
    pub fn contains(&self, index: usize, block: BlockId) -> bool {
        let mut next = self.innermost(block);
        while let Some(current) = next {
            if current == index {
                return true;
            }
            next = self.loops[current].parent;
        }
        false
    }

    /// Whether a block is the header of a loop.
    pub fn is_header(&self, block: BlockId) -> bool {
        self.innermost(block).is_some_and(|index| self.loops[index].header == block)
    }

    /// Whether the function has a cycle that is entered at several blocks.
    pub fn is_irreducible(&self) -> bool {
        self.irreducible
    }
}

/// The outermost known loop around a loop.
fn outermost(loops: &[Loop], innermost: Option<u32>) -> Option<usize> {
    let mut current = innermost? as usize;
    while let Some(parent) = loops[current].parent {
        current = parent;
    }
    Some(current)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn loops(text: &str) -> Loops {
        let module = crate::text::parse(text).expect("the text is well formed");
        let function = &module.functions[0];
        let flow = ControlFlow::new(function);
        let dominators = Dominators::new(function, &flow);
        Loops::new(function, &flow, &dominators)
    }

    #[test]
    fn nested_loops() {
        let loops = loops(
            "function @f {
             block0(%0: bool):
                 br block1
             block1:
                 br block2
             block2:
                 cond_br %0, block2, block3
             block3:
                 cond_br %0, block1, block4
             block4:
                 return
             }",
        );
        let block = BlockId::new;
        assert!(!loops.is_irreducible());
        assert_eq!(loops.all().len(), 2);
        assert_eq!(loops.all()[0].header, block(2));
        assert_eq!(loops.all()[0].depth, 2);
        assert_eq!(loops.all()[1].blocks, [block(1), block(2), block(3)]);
        assert_eq!(loops.all()[1].latches, [block(3)]);
        assert_eq!(loops.depth(block(4)), 0);
        assert!(loops.is_header(block(1)) && !loops.is_header(block(3)));
        assert!(loops.contains(1, block(2)) && !loops.contains(0, block(3)));
    }

    #[test]
    fn a_cycle_with_two_entries() {
        let loops = loops(
            "function @f {
             block0(%0: bool):
                 cond_br %0, block1, block2
             block1:
                 br block2
             block2:
                 cond_br %0, block1, block3
             block3:
                 return
             }",
        );
        assert!(loops.is_irreducible());
        assert!(loops.all().is_empty());
    }
}
