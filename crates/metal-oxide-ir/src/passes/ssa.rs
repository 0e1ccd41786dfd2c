//! Where variables with several definitions need block parameters, so that each use sees one definition.
//! Places them at the iterated dominance frontier of the definitions, where the variable is live.

use crate::analysis::{ControlFlow, Dominators};
use crate::{BlockId, Function, ValueId};

/// The graph that definitions are spread over.
pub(super) struct Graph {
    /// Who jumps where.
    pub flow: ControlFlow,
    /// The dominator tree.
    pub dominators: Dominators,
    frontiers: Vec<Vec<BlockId>>,
    /// For each block, the last query that marked it, for membership tests without clearing.
    marks: Vec<Marks>,
    query: u32,
}

#[derive(Clone, Copy, Default)]
struct Marks {
    live: u32,
    defined: u32,
    placed: u32,
}

impl Graph {
    /// Analyses a function.
    pub fn new(function: &Function) -> Self {
        let flow = ControlFlow::new(function);
        let dominators = Dominators::new(function, &flow);
        let frontiers = dominators.frontiers(function, &flow);
        Graph { flow, dominators, frontiers, marks: vec![Marks::default(); function.blocks.len()], query: 0 }
    }

    /// The blocks that need a parameter for a variable that is defined in `definitions`, and read before any definition in `reads`.
    pub fn joins(&mut self, definitions: &[BlockId], reads: &[BlockId]) -> Vec<BlockId> {
        self.query += 1;
        let query = self.query;
        for &block in definitions {
            self.marks[block.index()].defined = query;
        }

        // Backwards from the reads to the definitions: where the variable is live on entry.
        let mut work: Vec<BlockId> = reads.to_vec();
        while let Some(block) = work.pop() {
            if self.marks[block.index()].live == query {
                continue;
            }
            self.marks[block.index()].live = query;
            let marks = &self.marks;
            work.extend(self.flow.predecessors(block).filter(|from| marks[from.index()].defined != query));
        }

        let mut joins = Vec::new();
        let mut work: Vec<BlockId> = definitions.to_vec();
        while let Some(block) = work.pop() {
            for &join in &self.frontiers[block.index()] {
                let marks = &mut self.marks[join.index()];
                if marks.live == query && marks.placed != query {
                    marks.placed = query;
                    joins.push(join);
                    work.push(join);
                }
            }
        }
        joins
    }
}

/// A value that was copied, so that uses elsewhere must choose between the original and its copies.
pub(super) struct Copied {
    /// The original and the block that defines it.
    pub original: (ValueId, BlockId),
    /// The copies and the blocks that define them.
    pub copies: Vec<(ValueId, BlockId)>,
}

/// Makes the uses of copied values outside of the blocks that define them see the definition that reaches them.
pub(super) fn repair(function: &mut Function, copied: &[Copied]) {
    let mut graph = Graph::new(function);
    let uses = outside_uses(function, copied);
    let mut placed = Vec::new();
    let mut rewrites: Vec<(Use, usize)> = Vec::new();
    for (variable, (value, uses)) in copied.iter().zip(uses).enumerate() {
        if uses.is_empty() {
            continue;
        }
        let mut definitions = vec![value.original.1];
        definitions.extend(value.copies.iter().map(|&(_, block)| block));
        definitions.retain(|&block| graph.flow.is_reachable(block));
        let reads: Vec<BlockId> = uses.iter().map(|place| place.block).filter(|&block| graph.flow.is_reachable(block)).collect();
        for block in graph.joins(&definitions, &reads) {
            placed.push((variable, block));
        }
        rewrites.extend(uses.into_iter().map(|place| (place, variable)));
    }

    // All parameters exist before any value is looked up, because their arguments can be one another.
    let mut definitions: Vec<Vec<(BlockId, ValueId)>> = copied
        .iter()
        .map(|value| {
            let copies = value.copies.iter().map(|&(copy, block)| (block, copy));
            copies.chain([(value.original.1, value.original.0)]).collect()
        })
        .collect();
    for &(variable, block) in &placed {
        let original = copied[variable].original.0;
        let parameter = function.add_parameter(block, function.ty(original));
        if let Some(name) = function.name(original).map(str::to_owned) {
            function.set_name(parameter, name);
        }
        definitions[variable].push((block, parameter));
    }
    let definitions: Vec<std::collections::HashMap<BlockId, ValueId>> =
        definitions.into_iter().map(|list| list.into_iter().collect()).collect();
    let at_exit = |function: &mut Function, graph: &Graph, variable: usize, block: BlockId| {
        let mut next = Some(block);
        while let Some(block) = next {
            if let Some(&value) = definitions[variable].get(&block) {
                return value;
            }
            next = graph.dominators.immediate(block);
        }
        let ty = function.ty(copied[variable].original.0);
        function.add_constant(crate::Constant::Undef(ty))
    };

    for (place, variable) in rewrites {
        let value = at_exit(function, &graph, variable, place.block);
        let old = copied[variable].original.0;
        let swap = |operand: &mut ValueId| {
            if *operand == old {
                *operand = value;
            }
        };
        match place.instruction {
            Some(index) => {
                let id = function.block(place.block).instructions[index];
                function.instruction_mut(id).operation.operands_mut(swap);
            }
            None => function.block_mut(place.block).terminator.operands_mut(swap),
        }
    }
    for (variable, block) in placed {
        for edge in graph.flow.edges(block).to_vec() {
            let value = at_exit(function, &graph, variable, edge.from);
            super::rewrite::target_mut(function, edge.from, edge.index).arguments.push(value);
        }
    }
}

/// Where a value is used: an instruction of a block, or its terminator.
struct Use {
    block: BlockId,
    instruction: Option<usize>,
}

fn outside_uses(function: &Function, copied: &[Copied]) -> Vec<Vec<Use>> {
    const NONE: u32 = u32::MAX;
    let mut variables = vec![NONE; function.value_count()];
    for (index, value) in copied.iter().enumerate() {
        variables[value.original.0.index()] = index as u32;
    }
    let mut uses: Vec<Vec<Use>> = copied.iter().map(|_| Vec::new()).collect();
    for block in function.block_ids() {
        let mut note = |operand: ValueId, instruction: Option<usize>| {
            let variable = variables[operand.index()];
            if variable != NONE && copied[variable as usize].original.1 != block {
                uses[variable as usize].push(Use { block, instruction });
            }
        };
        for (index, &id) in function.block(block).instructions.iter().enumerate() {
            function.instruction(id).operation.operands(|operand| note(operand, Some(index)));
        }
        function.block(block).terminator.operands(|operand| note(operand, None));
    }
    uses
}
