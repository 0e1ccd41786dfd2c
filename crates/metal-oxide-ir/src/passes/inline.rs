//! Puts the bodies of called functions in the place of calls.
//! Callees are expected to be optimised already; recursive, kept and large shared functions stay calls.

use std::collections::HashMap;

use crate::analysis::{ControlFlow, call_graph};
use crate::passes::Pass;
use crate::{
    BlockId, Constant, Function, FunctionId, FunctionKind, InstructionId, Module, Operation, Target, Terminator, ValueDefinition, ValueId,
};

/// Decides which calls to replace and replaces them.
#[derive(Clone, Debug)]
pub struct Inline {
    recursive: Vec<bool>,
    calls: Vec<u32>,
    size_limit: usize,
}

impl Inline {
    /// Looks at the call graph. A function of more than `size_limit` instructions that is called several times stays a function.
    pub fn new(module: &Module, size_limit: usize) -> Self {
        let mut recursive = vec![false; module.functions.len()];
        for function in call_graph::recursive_functions(module) {
            recursive[function.index()] = true;
        }
        let mut calls = vec![0; module.functions.len()];
        for callee in module.functions.iter().flat_map(call_graph::callees) {
            calls[callee.index()] += 1;
        }
        Inline { recursive, calls, size_limit }
    }

    /// Whether calls of a function are replaced.
    pub fn replaces(&self, id: FunctionId, callee: &Function) -> bool {
        let allowed = match callee.kind {
            FunctionKind::Helper { keep } => !keep && !self.recursive[id.index()],
            FunctionKind::Kernel { .. } => false,
        };
        allowed && (self.calls[id.index()] <= 1 || size(callee) <= self.size_limit)
    }
}

impl Pass for Inline {
    fn name(&self) -> &'static str {
        "inline"
    }

    fn run(&self, function: &mut Function, module: &mut Module) -> bool {
        let mut slots = Vec::new();
        let mut results = HashMap::new();
        let mut changed = false;
        for block in function.block_ids() {
            let has_call = function.block(block).instructions.iter().any(|&id| self.call(function, module, id).is_some());
            if has_call {
                self.inline_calls(function, module, block, &mut slots, &mut results);
                changed = true;
            }
        }
        if changed {
            function.rewrite_operands(|value| resolve(&results, value));
            let entry = function.entry();
            function.block_mut(entry).instructions.splice(0..0, slots);
        }
        changed
    }
}

impl Inline {
    /// The callee of an instruction that is a call to be replaced.
    fn call<'m>(&self, function: &Function, module: &'m Module, id: InstructionId) -> Option<&'m Function> {
        match function.instruction(id).operation {
            Operation::Call(callee, _) if self.replaces(callee, module.function(callee)) => Some(module.function(callee)),
            _ => None,
        }
    }

    fn inline_calls(
        &self,
        function: &mut Function,
        module: &Module,
        block: BlockId,
        slots: &mut Vec<InstructionId>,
        results: &mut HashMap<ValueId, ValueId>,
    ) {
        let instructions = std::mem::take(&mut function.block_mut(block).instructions);
        let terminator = std::mem::replace(&mut function.block_mut(block).terminator, Terminator::Unreachable);
        let location = function.block(block).location;
        let mut current = block;
        for id in instructions {
            match self.call(function, module, id) {
                Some(callee) => {
                    let (end, result) = splice(function, callee, current, id, slots);
                    if let (Some(call), Some(result)) = (function.instruction(id).result, result) {
                        if let Some(name) = function.name(call).map(str::to_owned)
                            && function.name(result).is_none()
                            && function.constant(result).is_none()
                        {
                            function.set_name(result, name);
                        }
                        results.insert(call, result);
                    }
                    current = end;
                }
                None => function.block_mut(current).instructions.push(id),
            }
        }
        function.terminate(current, terminator, location);
    }
}

/// How many instructions and blocks a function has.
fn size(function: &Function) -> usize {
    function.blocks.iter().map(|block| block.instructions.len() + 1).sum()
}

/// What stands for a value after inlining: results of calls can be results of other calls.
fn resolve(results: &HashMap<ValueId, ValueId>, mut value: ValueId) -> ValueId {
    while let Some(&next) = results.get(&value) {
        value = next;
    }
    value
}

/// Copies the body of `callee` to the end of `block`. Returns the block where execution goes on, and what the call returned.
fn splice(
    function: &mut Function,
    callee: &Function,
    block: BlockId,
    call: InstructionId,
    slots: &mut Vec<InstructionId>,
) -> (BlockId, Option<ValueId>) {
    let Operation::Call(_, arguments) = function.instruction(call).operation.clone() else { unreachable!("only calls are inlined") };
    let call_location = function.instruction(call).location;
    let flow = ControlFlow::new(callee);
    let mut map = Mapping { values: vec![None; callee.value_count()], blocks: vec![None; callee.blocks.len()] };
    for (&parameter, &argument) in callee.parameters().iter().zip(&arguments) {
        map.values[parameter.index()] = Some(argument);
    }
    for &from in flow.reverse_postorder() {
        if from == callee.entry() {
            map.blocks[from.index()] = Some(block);
            continue;
        }
        let to = function.add_block();
        map.blocks[from.index()] = Some(to);
        for &parameter in &callee.block(from).parameters {
            let copy = function.add_parameter(to, callee.ty(parameter));
            map.name(function, callee, parameter, copy);
        }
    }

    // A body of one block needs no block to go on in.
    let single = match callee.block(callee.entry()).terminator {
        Terminator::Return(result) => Some(result),
        _ => None,
    };
    let end = if single.is_some() { block } else { function.add_block() };
    let mut result = match single {
        None => callee.result.map(|ty| function.add_parameter(end, ty)),
        Some(_) => None,
    };
    for &from in flow.reverse_postorder() {
        let to = map.block(from);
        for &id in &callee.block(from).instructions {
            let instruction = callee.instruction(id);
            let mut operation = instruction.operation.clone();
            operation.operands_mut(|value| *value = map.value(function, callee, *value));
            let ty = instruction.result.map(|result| callee.ty(result));
            let copy = function.create_instruction(operation, ty, instruction.location.or(call_location));
            if let (Some(old), Some(new)) = (instruction.result, function.instruction(copy).result) {
                map.name(function, callee, old, new);
            }
            match instruction.operation {
                Operation::Slot(_) => slots.push(copy),
                _ => function.block_mut(to).instructions.push(copy),
            }
        }
        let location = callee.block(from).location.or(call_location);
        let terminator = match &callee.block(from).terminator {
            Terminator::Return(value) => {
                let value = value.map(|value| map.value(function, callee, value));
                if single.is_some() {
                    result = value;
                    continue;
                }
                Terminator::Branch(Target::new(end, value.into_iter().collect()))
            }
            other => {
                let mut terminator = other.clone();
                terminator.operands_mut(|value| *value = map.value(function, callee, *value));
                terminator.targets_mut().for_each(|target| target.block = map.block(target.block));
                terminator
            }
        };
        function.terminate(to, terminator, location);
    }
    (end, result)
}

/// What the callee's values and blocks are in the caller.
struct Mapping {
    values: Vec<Option<ValueId>>,
    blocks: Vec<Option<BlockId>>,
}

impl Mapping {
    fn block(&self, block: BlockId) -> BlockId {
        self.blocks[block.index()].expect("a reachable block jumps to reachable blocks")
    }

    fn value(&mut self, function: &mut Function, callee: &Function, value: ValueId) -> ValueId {
        *self.values[value.index()].get_or_insert_with(|| match callee.definition(value) {
            ValueDefinition::Constant(constant) => function.add_constant(constant),
            // Reachable blocks are visited before those they dominate, so only an operand in dead code is unknown.
            ValueDefinition::Parameter { ty, .. } | ValueDefinition::Instruction { ty, .. } => function.add_constant(Constant::Undef(ty)),
        })
    }

    fn name(&mut self, function: &mut Function, callee: &Function, old: ValueId, new: ValueId) {
        self.values[old.index()] = Some(new);
        if let Some(name) = callee.name(old) {
            function.set_name(new, name);
        }
    }
}
