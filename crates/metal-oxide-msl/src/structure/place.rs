//! Places every block in nested statements, so that each is printed once.
//! A block with one jump to it stands where that jump is. Any other is a *follow*: it stands behind the statements of its dominator.

use std::collections::{HashMap, HashSet};

use metal_oxide_ir::analysis::Edge;
use metal_oxide_ir::{BlockId, Function, Instruction, Module, Target, Terminator, ValueId};

use super::tree::{Condition, Label, Loop, Statement};
use crate::flow::coalesce::Variables;
use crate::flow::fold::{Form, Forms, exit_value};
use crate::flow::liveness::{Liveness, is_statement};
use crate::flow::{Flow, is_exit, termination};

/// With more statements than this, what follows a loop's main exit stands behind the loop even if a flag is needed to get there.
const SMALL_EXIT: usize = 4;
/// The same for the other exits.
const SMALL_SIDE_EXIT: usize = 12;

/// Hands out labels.
#[derive(Debug)]
pub(super) struct Labels {
    next: u32,
}

impl Labels {
    /// The end of the function.
    pub(super) const RETURN: Label = Label(0);

    pub(super) fn fresh(&mut self) -> Label {
        self.next += 1;
        Label(self.next)
    }
}

/// The statements of a function with labels and jumps.
pub(super) fn place(
    module: &Module,
    function: &Function,
    flow: &Flow,
    forms: &Forms,
    liveness: &Liveness,
    variables: &mut Variables,
) -> (Vec<Statement>, Labels) {
    let mut labels = Labels { next: 0 };
    let layout = Layout::new(function, flow, forms, &mut labels);
    let has_outside = layout.outside.keys().copied().collect();
    let mut pass = Pass { module, function, flow, forms, liveness, variables, layout, has_outside, labels: &mut labels };
    let mut statements = Vec::new();
    pass.region(function.entry(), &mut statements);
    (statements, labels)
}

/// Where the blocks go.
struct Layout {
    /// The label in front of each follow.
    labels: HashMap<BlockId, Label>,
    /// The end of a round, for each loop header.
    rounds: HashMap<BlockId, Label>,
    /// What follows the statements of a block; of a loop header, what follows them inside the loop.
    inside: HashMap<BlockId, Vec<BlockId>>,
    /// What follows a loop.
    outside: HashMap<BlockId, Vec<BlockId>>,
    /// The `return` behind a loop whose header's test leads to it, with its label.
    returns: HashMap<BlockId, (Label, Statement)>,
}

impl Layout {
    fn new(function: &Function, flow: &Flow, forms: &Forms, labels: &mut Labels) -> Self {
        let mut layout = Layout {
            labels: HashMap::new(),
            rounds: HashMap::new(),
            inside: HashMap::new(),
            outside: HashMap::new(),
            returns: HashMap::new(),
        };
        let sizes = sizes(function, flow, forms);
        let mut follows: Vec<BlockId> = Vec::new();
        // Exits of loops to blocks that nothing else jumps to, with the header of the outermost loop that is left.
        let mut exits: HashMap<BlockId, Vec<BlockId>> = HashMap::new();
        for &block in flow.control.reverse_postorder() {
            if flow.loops.is_header(block) {
                layout.rounds.insert(block, labels.fresh());
            }
            if block == function.entry() || is_exit(function, block) {
                continue;
            }
            if !has_one_source(function, flow, block) {
                follows.push(block);
            } else if let Some(header) = outermost_left(flow, block) {
                exits.entry(header).or_default().push(block);
            }
        }

        let joined: Vec<BlockId> = follows.iter().filter_map(|&block| outermost_left(flow, block)).collect();
        let mut mains: HashSet<BlockId> = HashSet::new();
        for (header, blocks) in exits {
            let behind = exits_behind(flow, header, blocks, joined.contains(&header), &sizes);
            mains.extend(behind.first());
            follows.extend(behind);
        }

        // What jumps to a follow must stand in front of it. Only the loop jumps to its main exit, so that can come first: then `break`
        // leads there.
        follows.sort_by_key(|block| (!mains.contains(block), flow.control.position(*block)));
        for block in follows {
            layout.labels.insert(block, labels.fresh());
            let (place, list) = match outermost_left(flow, block) {
                Some(header) => (Some(header), &mut layout.outside),
                None => (flow.dominators.immediate(block), &mut layout.inside),
            };
            if let Some(place) = place {
                list.entry(place).or_default().push(block);
            }
        }
        layout
    }
}

/// Whether all jumps to a block, except those that close a loop, are one: the only jump, or equal cases of a `switch`.
fn has_one_source(function: &Function, flow: &Flow, block: BlockId) -> bool {
    let mut forward = flow.control.edges(block).iter().filter(|edge| !flow.is_back_edge(edge.from, block));
    let Some(first) = forward.next() else { return true };
    let target = |edge: &Edge| function.block(edge.from).terminator.targets().nth(edge.index);
    forward.all(|edge| edge.from == first.from && target(edge) == target(first))
}

/// The header of the outermost loop that the block's dominator is in and the block is not.
fn outermost_left(flow: &Flow, block: BlockId) -> Option<BlockId> {
    let mut found = None;
    let mut next = flow.loops.innermost(flow.dominators.immediate(block)?);
    while let Some(index) = next {
        if flow.loops.contains(index, block) {
            break;
        }
        found = Some(flow.loops.all()[index].header);
        next = flow.loops.all()[index].parent;
    }
    found
}

/// Which exits of a loop are placed behind it; the others stay inside, where they leave.
fn exits_behind(flow: &Flow, header: BlockId, mut blocks: Vec<BlockId>, joined: bool, sizes: &[usize]) -> Vec<BlockId> {
    let Some(index) = flow.loops.innermost(header) else { return Vec::new() };
    let latches = &flow.loops.all()[index].latches;
    blocks.sort_by_key(|&block| {
        let from = flow.dominators.immediate(block);
        (from != Some(header), !from.is_some_and(|from| latches.contains(&from)), flow.control.position(block))
    });
    let size = |block: BlockId| sizes[block.index()];
    let mut behind = Vec::new();
    let mut rest = blocks.into_iter();
    if let Some(main) = rest.next()
        && (!joined || size(main) > SMALL_EXIT || flow.dominators.immediate(main) == Some(header))
    {
        behind.push(main);
    }
    // Without a join, the others never come back to where the main exit leads: they end the function.
    behind.extend(rest.filter(|&block| joined && size(block) > SMALL_SIDE_EXIT));
    behind
}

/// How many statements stand in each block and what it dominates; loops count a lot.
fn sizes(function: &Function, flow: &Flow, forms: &Forms) -> Vec<usize> {
    let mut sizes = vec![0; function.blocks.len()];
    for &id in flow.control.reverse_postorder().iter().rev() {
        let block = function.block(id);
        let statements = block.instructions.iter().filter(|&&id| {
            let instruction = function.instruction(id);
            is_statement(function, forms, &instruction.operation, instruction.result)
        });
        let branches = usize::from(!matches!(block.terminator, Terminator::Branch(_)));
        let own = statements.count() + branches + if flow.loops.is_header(id) { SMALL_SIDE_EXIT } else { 0 };
        let total = own + sizes[id.index()];
        sizes[id.index()] = total;
        if let Some(parent) = flow.dominators.immediate(id) {
            sizes[parent.index()] += total;
        }
    }
    sizes
}

struct Pass<'a> {
    module: &'a Module,
    function: &'a Function,
    flow: &'a Flow,
    forms: &'a Forms,
    liveness: &'a Liveness,
    variables: &'a mut Variables,
    layout: Layout,
    /// The loops with something behind them.
    has_outside: HashSet<BlockId>,
    labels: &'a mut Labels,
}

impl Pass<'_> {
    /// Appends a block and everything that stands inside or behind it.
    fn region(&mut self, mut block: BlockId, out: &mut Vec<Statement>) {
        loop {
            let inside = self.layout.inside.remove(&block).unwrap_or_default();
            let outside = self.layout.outside.remove(&block).unwrap_or_default();
            let Some(&round) = self.layout.rounds.get(&block) else {
                if inside.is_empty() {
                    match self.code(block, out) {
                        Some(next) => block = next,
                        None => return,
                    }
                    continue;
                }
                let mut body = Vec::new();
                self.all_code(block, &mut body);
                match self.nest(body, inside, out) {
                    Some(last) => block = last,
                    None => return,
                }
                continue;
            };
            let mut body = Vec::new();
            self.all_code(block, &mut body);
            let mut rounds = Vec::new();
            if let Some(last) = self.nest(body, inside, &mut rounds) {
                self.region(last, &mut rounds);
            }
            let ends =
                self.flow.loops.innermost(block).is_some_and(|index| termination::ends(self.module, self.function, self.flow, index));
            let carried = self.liveness.entering(block).iter().filter_map(|&value| self.variables.of(value)).collect();
            let statement = Statement::Loop(Loop {
                label: round,
                ends,
                condition: None,
                again: None,
                start: None,
                declares: false,
                step: None,
                body: rounds,
                carried,
            });
            let behind = match self.layout.returns.remove(&block) {
                Some((label, exit)) => vec![Statement::Block { label, body: vec![statement] }, exit],
                None => vec![statement],
            };
            match self.nest(behind, outside, out) {
                Some(last) => block = last,
                None => return,
            }
        }
    }

    /// Puts follows behind statements, each with its label around everything before it. The last one is left to the caller.
    fn nest(&mut self, mut body: Vec<Statement>, follows: Vec<BlockId>, out: &mut Vec<Statement>) -> Option<BlockId> {
        let count = follows.len();
        for (number, follow) in follows.into_iter().enumerate() {
            let label = self.layout.labels[&follow];
            body = vec![Statement::Block { label, body }];
            if number + 1 == count {
                out.append(&mut body);
                return Some(follow);
            }
            self.region(follow, &mut body);
        }
        out.append(&mut body);
        None
    }

    /// Appends the statements of a block, and of those that stand where its jumps are.
    fn all_code(&mut self, block: BlockId, out: &mut Vec<Statement>) {
        if let Some(next) = self.code(block, out) {
            self.region(next, out);
        }
    }

    /// The same, except for a block that stands at the very end: it is returned.
    fn code(&mut self, mut id: BlockId, out: &mut Vec<Statement>) -> Option<BlockId> {
        let function = self.function;
        loop {
            let block = function.block(id);
            for &instruction in &block.instructions {
                let Instruction { operation, result, .. } = function.instruction(instruction);
                let slot = result.is_some_and(|value| self.forms.of(function, value) == Form::Slot);
                if slot || is_statement(function, self.forms, operation, *result) {
                    out.push(Statement::Instruction(instruction));
                }
            }
            let next = match &block.terminator {
                Terminator::Branch(target) => target,
                Terminator::CondBranch { then, otherwise, .. } if then == otherwise => then,
                Terminator::CondBranch { condition, then, otherwise } => {
                    let condition = Condition::value(*condition);
                    if is_exit(function, otherwise.block) {
                        let exit = self.exit(id, otherwise);
                        out.push(Statement::If { condition: condition.negated(), then: exit, otherwise: Vec::new() });
                        then
                    } else if is_exit(function, then.block) {
                        let exit = self.exit(id, then);
                        out.push(Statement::If { condition, then: exit, otherwise: Vec::new() });
                        otherwise
                    } else {
                        let (then, otherwise) = (self.jump(id, then), self.jump(id, otherwise));
                        out.push(Statement::If { condition, then, otherwise });
                        return None;
                    }
                }
                Terminator::Switch { value, cases, default } => {
                    let statement = self.switch(id, *value, cases, default);
                    out.push(statement);
                    return None;
                }
                Terminator::Return(value) => {
                    out.push(Statement::Return(*value));
                    return None;
                }
                Terminator::Fail(site) => {
                    out.push(Statement::Fail(*site));
                    return None;
                }
                Terminator::Unsupported(_) | Terminator::Unreachable => {
                    out.push(Statement::Unreachable);
                    return None;
                }
            };
            // A chain of blocks is one list of statements.
            if self.stands_alone(id, next.block) {
                self.moves(next, out);
                id = next.block;
                continue;
            }
            if self.is_placed(id, next.block) {
                self.moves(next, out);
                return Some(next.block);
            }
            out.extend(self.jump(id, next));
            return None;
        }
    }

    /// Whether a block stands where the jump to it is.
    fn is_placed(&self, from: BlockId, to: BlockId) -> bool {
        !is_exit(self.function, to) && !self.flow.is_back_edge(from, to) && !self.layout.labels.contains_key(&to)
    }

    /// Whether it also has no loop and no labels of its own.
    fn stands_alone(&self, from: BlockId, to: BlockId) -> bool {
        self.is_placed(from, to) && !self.layout.rounds.contains_key(&to) && !self.layout.inside.contains_key(&to)
    }

    fn switch(&mut self, id: BlockId, value: ValueId, cases: &[(u128, Target)], default: &Target) -> Statement {
        let mut groups: Vec<(Vec<u128>, &Target)> = Vec::new();
        for (case, target) in cases {
            if target == default {
                continue;
            }
            match groups.iter_mut().find(|(_, known)| *known == target) {
                Some((list, _)) => list.push(*case),
                None => groups.push((vec![*case], target)),
            }
        }
        let mut default = self.jump(id, default);
        let mut cases: Vec<_> = groups.into_iter().map(|(list, target)| (list, self.jump(id, target))).collect();
        if default == [Statement::Unreachable]
            && let Some((_, last)) = cases.pop()
        {
            default = last;
        }
        if cases.len() == 1
            && let Some((cases, then)) = cases.pop()
        {
            return Statement::If { condition: Condition::Equals { value, cases, negated: false }, then, otherwise: default };
        }
        Statement::Switch { value, cases, default }
    }

    /// The statements of a jump: its copies, then the block itself, a way out of the function, or a jump to a label.
    fn jump(&mut self, from: BlockId, target: &Target) -> Vec<Statement> {
        let to = target.block;
        if is_exit(self.function, to) {
            return vec![match self.function.block(to).terminator {
                Terminator::Return(_) => Statement::Return(exit_value(self.function, target)),
                Terminator::Fail(site) => Statement::Fail(site),
                _ => Statement::Unreachable,
            }];
        }
        let mut out = Vec::new();
        self.moves(target, &mut out);
        if self.flow.is_back_edge(from, to) {
            out.push(Statement::Jump(self.layout.rounds[&to]));
        } else if let Some(&label) = self.layout.labels.get(&to) {
            out.push(Statement::Jump(label));
        } else {
            self.region(to, &mut out);
        }
        out
    }

    /// The statements of a jump out of the function. Where it is how a loop ends, the `return` stands behind the loop.
    fn exit(&mut self, from: BlockId, target: &Target) -> Vec<Statement> {
        let exit = self.jump(from, target);
        let ends_loop = self.layout.rounds.contains_key(&from) && !self.has_outside.contains(&from);
        match &exit[..] {
            [statement @ Statement::Return(_)] if ends_loop => {
                let label = self.labels.fresh();
                self.layout.returns.insert(from, (label, statement.clone()));
                vec![Statement::Jump(label)]
            }
            _ => exit,
        }
    }

    fn moves(&mut self, target: &Target, out: &mut Vec<Statement>) {
        let moves = self.variables.moves(self.function, self.forms, target);
        out.extend(moves.into_iter().map(|copy| Statement::Assign { to: copy.to, from: copy.from }));
    }
}
