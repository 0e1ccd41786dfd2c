//! Finds ways into a block on which its branch is decided already, and leads them past the branch.
//! This is what turns `Option`, `Result` and iterators' `next` into plain control flow: the tag that one block sets is tested by another.

use std::collections::{HashMap, HashSet};

use crate::analysis::{ControlFlow, Dominators, Edge, Loops};
use crate::passes::facts::{self, Decided};
use crate::passes::ssa::{self, Copied};
use crate::passes::{Pass, fold, non_null, rewrite};
use crate::{
    BinaryOperator, BlockId, CompareOperator, Constant, Function, InstructionId, Module, Operation, Target, Terminator, Type,
    ValueDefinition, ValueId,
};

/// The pass.
pub struct JumpThreading;

/// How many blocks a way may lead through before the branch that it decides.
const MAX_PATH: usize = 4;
/// How many instructions may be repeated to lead a way past a branch.
const MAX_COPIED: usize = 12;
/// A bound for the number of sweeps over the function.
const MAX_SWEEPS: usize = 16;

impl Pass for JumpThreading {
    fn name(&self) -> &'static str {
        "jump_threading"
    }

    fn run(&self, function: &mut Function, _module: &mut Module) -> bool {
        let mut changed = false;
        // Repeating code must not make the function grow without end.
        let limit = 2 * size(function) + 64;
        for _ in 0..MAX_SWEEPS {
            if size(function) > limit || !sweep(function) {
                break;
            }
            changed = true;
        }
        changed
    }
}

fn size(function: &Function) -> usize {
    function.blocks.iter().map(|block| block.instructions.len()).sum()
}

/// A way into a block that decides its branch.
struct Route {
    /// The jump that starts it.
    edge: Edge,
    /// The blocks that it leads through; the last one's branch is decided.
    path: Vec<BlockId>,
    /// Which target of the last block it takes.
    taken: usize,
}

fn sweep(function: &mut Function) -> bool {
    let flow = ControlFlow::new(function);
    let dominators = Dominators::new(function, &flow);
    let loops = Loops::new(function, &flow, &dominators);
    let mut search = Search { flow: &flow, loops: &loops, homes: rewrite::homes(function, &flow), facts: HashMap::new() };

    let mut routes = Vec::new();
    // A block is on the routes to one branch only, so that what the search saw stays true.
    let mut taken: HashSet<BlockId> = HashSet::new();
    for &block in flow.reverse_postorder() {
        if block == function.entry() || rewrite::decisive_operand(&function.block(block).terminator).is_none() {
            continue;
        }
        if matches!(function.block(block).terminator, Terminator::Return(_)) {
            continue;
        }
        let found = search.routes_to(function, block);
        let blocks = |route: &Route| route.path.iter().copied().chain([route.edge.from]).collect::<Vec<_>>();
        if found.iter().flat_map(blocks).any(|block| taken.contains(&block)) {
            continue;
        }
        taken.extend(found.iter().flat_map(blocks));
        routes.extend(found);
    }
    if routes.is_empty() {
        return false;
    }

    take_all(function, &routes);
    true
}

/// Leads all routes past the branches that they decide.
fn take_all(function: &mut Function, routes: &[Route]) {
    let mut copies: HashMap<ValueId, Copied> = HashMap::new();
    let mut order = Vec::new();
    for route in routes {
        take(function, route, &mut copies, &mut order);
    }
    let copied: Vec<Copied> = order.into_iter().filter_map(|value| copies.remove(&value)).collect();
    rewrite::clear_unreachable(function, &ControlFlow::new(function));
    ssa::repair(function, &copied);
}

struct Search<'a> {
    flow: &'a ControlFlow,
    loops: &'a Loops,
    homes: HashMap<InstructionId, BlockId>,
    /// What is known where a jump is taken.
    facts: HashMap<Edge, HashMap<ValueId, Constant>>,
}

/// A value on a route: a constant, or a value that is known where the route starts.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Seen {
    Constant(Constant),
    Value(ValueId),
    /// Computed on the way.
    Other,
}

impl Search<'_> {
    /// The routes that decide the branch at the end of a block.
    fn routes_to(&mut self, function: &mut Function, block: BlockId) -> Vec<Route> {
        if !can_copy(function, block) {
            return Vec::new();
        }
        let mut routes = Vec::new();
        let mut all = true;
        for &edge in self.flow.edges(block) {
            all &= self.extend(function, &mut vec![block], edge, &mut routes);
        }
        if self.loops.is_header(block) {
            self.keep_reducible(function, block, all, &mut routes);
        }
        routes
    }

    /// Decides the branch of the first block of `path` for a jump into the last, or for all jumps further back. Returns whether it could.
    fn extend(&mut self, function: &mut Function, path: &mut Vec<BlockId>, edge: Edge, routes: &mut Vec<Route>) -> bool {
        if let Some(taken) = self.decide(function, path, edge) {
            routes.push(Route { edge, path: path.iter().rev().copied().collect(), taken });
            return true;
        }
        let from = edge.from;
        let passes_on = matches!(function.block(from).terminator, Terminator::Branch(_));
        let cost: usize = path.iter().chain([&from]).map(|&block| function.block(block).instructions.len()).sum();
        if path.len() >= MAX_PATH
            || !passes_on
            || from == function.entry()
            || path.contains(&from)
            || self.loops.is_header(from)
            || cost > MAX_COPIED
            || !can_copy(function, from)
            || function.block(from).parameters.is_empty()
        {
            return false;
        }
        path.push(from);
        let mut all = true;
        for &earlier in self.flow.edges(from) {
            all &= self.extend(function, path, earlier, routes);
        }
        path.pop();
        all
    }

    /// A loop must keep one header. Ways out may be taken early. Ways in may if that makes the header superfluous, and leaves loops
    /// that have one header each: such is the loop over a chain of iterators, which becomes one loop after the other.
    fn keep_reducible(&self, function: &Function, header: BlockId, all: bool, routes: &mut Vec<Route>) {
        let Some(index) = self.loops.innermost(header) else { return };
        let inside = |route: &Route| self.loops.contains(index, rewrite::target(function, header, route.taken).block);
        if !routes.iter().any(inside) {
            return;
        }
        if all {
            let mut trial = function.clone();
            take_all(&mut trial, routes);
            let flow = ControlFlow::new(&trial);
            let dominators = Dominators::new(&trial, &flow);
            if self.loops.is_irreducible() || !Loops::new(&trial, &flow, &dominators).is_irreducible() {
                return;
            }
        }
        routes.retain(|route| !inside(route));
    }

    /// Which way the branch of the first block of `path` goes if the last one is entered by a jump.
    fn decide(&mut self, function: &mut Function, path: &[BlockId], edge: Edge) -> Option<usize> {
        let value = rewrite::decisive_operand(&function.block(path[0]).terminator)?;
        let Seen::Constant(constant) = self.see(function, path, edge, value, 0, 0) else { return None };
        let bits = constant.as_unsigned()?;
        match &function.block(path[0]).terminator {
            Terminator::CondBranch { .. } => Some(if bits == 0 { 1 } else { 0 }),
            Terminator::Switch { cases, .. } => Some(cases.iter().position(|(case, _)| *case == bits).unwrap_or(cases.len())),
            _ => None,
        }
    }

    /// What a value is that is used in the block at `level` of the path.
    fn see(&mut self, function: &mut Function, path: &[BlockId], edge: Edge, value: ValueId, level: usize, depth: u32) -> Seen {
        if let Some(constant) = function.constant(value) {
            return Seen::Constant(constant);
        }
        let Some(&block) = path.get(level) else {
            return match self.facts_at(function, edge).get(&value) {
                Some(&constant) => Seen::Constant(constant),
                None => Seen::Value(value),
            };
        };
        match function.definition(value) {
            ValueDefinition::Parameter { block: home, .. } if home == block => {
                let Some(index) = function.block(block).parameters.iter().position(|&parameter| parameter == value) else {
                    return Seen::Other;
                };
                let argument = match path.get(level + 1) {
                    None => rewrite::target(function, edge.from, edge.index).arguments[index],
                    Some(&before) => rewrite::target(function, before, 0).arguments[index],
                };
                self.see(function, path, edge, argument, level + 1, depth)
            }
            ValueDefinition::Instruction { instruction, ty } if self.homes.get(&instruction) == Some(&block) => {
                let operation = function.instruction(instruction).operation.clone();
                if !operation.is_pure() || depth > 8 {
                    return Seen::Other;
                }
                let mut seen = Vec::new();
                operation.operands(|operand| seen.push(operand));
                let seen: Vec<Seen> = seen.into_iter().map(|operand| self.see(function, path, edge, operand, level, depth + 1)).collect();
                evaluate(function, &operation, ty, &seen)
            }
            _ => self.see(function, path, edge, value, level + 1, depth),
        }
    }

    /// The values that are constants because a jump is taken.
    fn facts_at(&mut self, function: &Function, edge: Edge) -> &HashMap<ValueId, Constant> {
        let flow = self.flow;
        self.facts.entry(edge).or_insert_with(|| {
            let mut facts = HashMap::new();
            let mut edge = Some(edge);
            // Far enough for the branches around the code of one expression.
            for _ in 0..8 {
                let Some(current) = edge else { break };
                learn(function, current, &mut facts);
                edge = flow.only_edge(current.from);
            }
            facts
        })
    }
}

/// Notes what must be so for a jump to be taken.
fn learn(function: &Function, edge: Edge, known: &mut HashMap<ValueId, Constant>) {
    match facts::on_edge(function, edge) {
        Some((condition, Decided::Bool(holds))) => {
            for (value, constant) in facts::implied(function, condition, holds) {
                known.entry(value).or_insert(constant);
            }
        }
        Some((value, Decided::Case(constant))) => {
            known.entry(value).or_insert(constant);
        }
        None => {}
    }
}

/// What an operation computes from operands that are partly known.
fn evaluate(function: &mut Function, operation: &Operation, ty: Type, seen: &[Seen]) -> Seen {
    let zero = |seen: Seen| matches!(seen, Seen::Constant(Constant::Bits { bits: 0, .. }));
    match (operation, seen) {
        (Operation::Binary(BinaryOperator::And, ..), &[a, b]) if zero(a) || zero(b) => {
            return Seen::Constant(Constant::Bits { ty, bits: 0 });
        }
        (Operation::Binary(BinaryOperator::Or, ..), &[Seen::Constant(one), _] | &[_, Seen::Constant(one)])
            if one == Constant::bool(true) =>
        {
            return Seen::Constant(one);
        }
        (Operation::Select(..), &[Seen::Constant(Constant::Bits { bits, .. }), a, b]) => return if bits == 0 { b } else { a },
        (Operation::Compare(operator, ..), &[Seen::Value(a), Seen::Value(b)]) if a == b && !operator.is_float() => {
            use CompareOperator::{Equal, GreaterEqualSigned, GreaterEqualUnsigned, LessEqualSigned, LessEqualUnsigned};
            let reflexive = matches!(operator, Equal | LessEqualUnsigned | LessEqualSigned | GreaterEqualUnsigned | GreaterEqualSigned);
            return Seen::Constant(Constant::bool(reflexive));
        }
        (Operation::Compare(operator @ (CompareOperator::Equal | CompareOperator::NotEqual), ..), &[Seen::Value(pointer), null])
            if zero(null) && function.ty(pointer).is_pointer() && non_null::is_non_null(function, pointer) =>
        {
            return Seen::Constant(Constant::bool(*operator == CompareOperator::NotEqual));
        }
        _ => {}
    }
    if !seen.iter().all(|seen| matches!(seen, Seen::Constant(_))) {
        return Seen::Other;
    }
    let mut operation = operation.clone();
    let mut known = seen.iter();
    let mut missing = false;
    operation.operands_mut(|operand| match known.next() {
        Some(&Seen::Constant(constant)) => *operand = function.add_constant(constant),
        _ => missing = true,
    });
    match fold::fold(function, &operation, ty) {
        Some(constant) if !missing => Seen::Constant(constant),
        _ => Seen::Other,
    }
}

/// Whether the instructions of a block may be repeated.
fn can_copy(function: &Function, block: BlockId) -> bool {
    let instructions = &function.block(block).instructions;
    let forbidden = |&id: &InstructionId| {
        let operation = &function.instruction(id).operation;
        operation.is_convergent() || matches!(operation, Operation::Slot(_))
    };
    instructions.len() <= MAX_COPIED && !instructions.iter().any(forbidden)
}

/// Leads a route through a copy of its blocks, past the branch at its end.
fn take(function: &mut Function, route: &Route, copies: &mut HashMap<ValueId, Copied>, order: &mut Vec<ValueId>) {
    let copy = function.add_block();
    let mut map: HashMap<ValueId, ValueId> = HashMap::new();
    let mut arrival = rewrite::target(function, route.edge.from, route.edge.index).arguments.clone();
    for (step, &block) in route.path.iter().enumerate() {
        let parameters = function.block(block).parameters.clone();
        for (parameter, argument) in parameters.into_iter().zip(arrival) {
            map.insert(parameter, argument);
            note_copy(copies, order, (parameter, block), (argument, copy));
        }
        for id in function.block(block).instructions.clone() {
            let instruction = function.instruction(id).clone();
            let mut operation = instruction.operation;
            operation.operands_mut(|value| *value = map.get(value).copied().unwrap_or(*value));
            let ty = instruction.result.map(|result| function.ty(result));
            let folded = ty.and_then(|ty| fold::fold(function, &operation, ty)).map(|constant| function.add_constant(constant));
            let new = folded.or_else(|| {
                let id = function.create_instruction(operation, ty, instruction.location);
                function.block_mut(copy).instructions.push(id);
                function.instruction(id).result
            });
            if let (Some(old), Some(new)) = (instruction.result, new) {
                if folded.is_none()
                    && let Some(name) = function.name(old).map(str::to_owned)
                {
                    function.set_name(new, name);
                }
                map.insert(old, new);
                note_copy(copies, order, (old, block), (new, copy));
            }
        }
        let index = if step + 1 == route.path.len() { route.taken } else { 0 };
        let target = rewrite::target(function, block, index).clone();
        arrival = target.arguments.iter().map(|value| map.get(value).copied().unwrap_or(*value)).collect();
        if step + 1 == route.path.len() {
            let location = function.block(block).location;
            function.terminate(copy, Terminator::Branch(Target::new(target.block, std::mem::take(&mut arrival))), location);
        }
    }
    *rewrite::target_mut(function, route.edge.from, route.edge.index) = Target::new(copy, Vec::new());
}

fn note_copy(copies: &mut HashMap<ValueId, Copied>, order: &mut Vec<ValueId>, original: (ValueId, BlockId), copy: (ValueId, BlockId)) {
    let entry = copies.entry(original.0).or_insert_with(|| {
        order.push(original.0);
        Copied { original, copies: Vec::new() }
    });
    entry.copies.push(copy);
}
