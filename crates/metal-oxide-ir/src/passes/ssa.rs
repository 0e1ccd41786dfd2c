//! Where variables with several definitions need block parameters, so that each use sees one definition.
//! Places them at the iterated dominance frontier of the definitions, where the variable is live.

use std::collections::HashMap;

use crate::analysis::{ControlFlow, Dominators};
use crate::{BlockId, Constant, Function, ValueId};

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
    let variables: HashMap<ValueId, usize> = copied.iter().enumerate().map(|(index, value)| (value.original.0, index)).collect();
    let uses = outside_uses(function, copied, &variables);
    let mut reads: Vec<Vec<BlockId>> = uses.iter().map(|uses| uses.iter().map(|place| place.block).collect()).collect();
    for &(value, block) in copied.iter().flat_map(|value| &value.copies) {
        // A copy of a parameter is an argument, which may have been copied itself.
        if let Some(&variable) = variables.get(&value) {
            reads[variable].push(block);
        }
    }

    let mut placed: Vec<HashMap<BlockId, ValueId>> = vec![HashMap::new(); copied.len()];
    let mut joins = Vec::new();
    for (variable, (value, mut reads)) in copied.iter().zip(reads).enumerate() {
        reads.retain(|&block| graph.flow.is_reachable(block));
        let blocks = [value.original.1].into_iter().chain(value.copies.iter().map(|&(_, block)| block));
        let blocks: Vec<BlockId> = blocks.filter(|&block| graph.flow.is_reachable(block)).collect();
        if !reads.is_empty() {
            joins.extend(graph.joins(&blocks, &reads).into_iter().map(|block| (variable, block)));
        }
    }
    // All parameters exist before any value is looked up, because their arguments can be one another.
    for &(variable, block) in &joins {
        let original = copied[variable].original.0;
        let parameter = function.add_parameter(block, function.ty(original));
        if let Some(name) = function.name(original).map(str::to_owned) {
            function.set_name(parameter, name);
        }
        placed[variable].insert(block, parameter);
    }

    let definitions = copied.iter().map(|value| {
        let copies = value.copies.iter().map(|&(copy, block)| (block, copy));
        copies.chain([(value.original.1, value.original.0)]).collect()
    });
    let reaching = Reaching { graph, copied, variables, definitions: definitions.collect(), placed };
    for (variable, uses) in uses.into_iter().enumerate() {
        let old = copied[variable].original.0;
        for place in uses {
            let value = reaching.at_entry(function, variable, place.block);
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
    }
    for (variable, block) in joins {
        for edge in reaching.graph.flow.edges(block) {
            let value = reaching.at_exit(function, variable, edge.from);
            super::rewrite::target_mut(function, edge.from, edge.index).arguments.push(value);
        }
    }
}

/// Looks up the definitions of copied values.
struct Reaching<'a> {
    graph: Graph,
    copied: &'a [Copied],
    variables: HashMap<ValueId, usize>,
    /// What each copied value is at the end of the blocks that define or copy it.
    definitions: Vec<HashMap<BlockId, ValueId>>,
    /// The parameters that stand for each copied value from the start of a block.
    placed: Vec<HashMap<BlockId, ValueId>>,
}

impl Reaching<'_> {
    /// What a copied value is at the start of a block that it comes into from outside.
    fn at_entry(&self, function: &mut Function, variable: usize, block: BlockId) -> ValueId {
        let (mut variable, mut block) = (variable, block);
        loop {
            if let Some(&parameter) = self.placed[variable].get(&block) {
                return parameter;
            }
            let Some(above) = self.graph.dominators.immediate(block) else {
                let ty = function.ty(self.copied[variable].original.0);
                return function.add_constant(Constant::Undef(ty));
            };
            block = above;
            if let Some(&value) = self.definitions[variable].get(&block) {
                match self.argument(value, block) {
                    Some(other) => variable = other,
                    None => return value,
                }
            }
        }
    }

    /// What a copied value is at the end of a block.
    fn at_exit(&self, function: &mut Function, variable: usize, block: BlockId) -> ValueId {
        match self.definitions[variable].get(&block) {
            Some(&value) => match self.argument(value, block) {
                Some(other) => self.at_entry(function, other, block),
                None => value,
            },
            None => self.at_entry(function, variable, block),
        }
    }

    /// The copied value that a definition in a block refers to as it was on entry: the argument for a parameter that was copied.
    fn argument(&self, value: ValueId, block: BlockId) -> Option<usize> {
        self.variables.get(&value).copied().filter(|&other| self.copied[other].original.1 != block)
    }
}

/// Where a value is used: an instruction of a block, or its terminator.
struct Use {
    block: BlockId,
    instruction: Option<usize>,
}

fn outside_uses(function: &Function, copied: &[Copied], variables: &HashMap<ValueId, usize>) -> Vec<Vec<Use>> {
    let mut uses: Vec<Vec<Use>> = copied.iter().map(|_| Vec::new()).collect();
    for block in function.block_ids() {
        let mut note = |operand: ValueId, instruction: Option<usize>| {
            if let Some(&variable) = variables.get(&operand)
                && copied[variable].original.1 != block
            {
                uses[variable].push(Use { block, instruction });
            }
        };
        for (index, &id) in function.block(block).instructions.iter().enumerate() {
            function.instruction(id).operation.operands(|operand| note(operand, Some(index)));
        }
        function.block(block).terminator.operands(|operand| note(operand, None));
    }
    uses
}
