//! Finds slots that are only loaded and stored as a whole, with one type, and keeps their contents in values instead.
//! Where several stores reach a load, blocks get parameters.

use std::collections::HashMap;

use crate::passes::Pass;
use crate::passes::rewrite::{Replacements, clear_unreachable, inherit_name, target_mut};
use crate::passes::ssa::Graph;
use crate::{BlockId, Constant, Function, InstructionId, Module, Operation, Type, ValueId};

/// The pass.
pub struct Mem2Reg;

impl Pass for Mem2Reg {
    fn name(&self) -> &'static str {
        "mem2reg"
    }

    fn run(&self, function: &mut Function, _module: &mut Module) -> bool {
        let variables = Variables::find(function);
        if variables.slots.is_empty() {
            return false;
        }
        let mut graph = Graph::new(function);
        let joins = place_parameters(function, &variables, &mut graph);
        rename(function, &variables, &graph, &joins);
        true
    }
}

/// The slots that become variables.
struct Variables {
    slots: Vec<Variable>,
    indices: HashMap<ValueId, usize>,
}

struct Variable {
    slot: ValueId,
    ty: Type,
}

impl Variables {
    fn find(function: &Function) -> Self {
        // The type of the accesses so far; `None` in a slot's entry means that it cannot be promoted.
        let mut types: HashMap<ValueId, Option<Option<Type>>> = HashMap::new();
        let mut order = Vec::new();
        for &id in function.blocks.iter().flat_map(|block| &block.instructions) {
            if let (Operation::Slot(_), Some(slot)) = (&function.instruction(id).operation, function.instruction(id).result) {
                types.insert(slot, Some(None));
                order.push(slot);
            }
        }
        if order.is_empty() {
            return Variables { slots: Vec::new(), indices: HashMap::new() };
        }
        let mut access = |slot: ValueId, ty: Option<Type>| {
            if let Some(known) = types.get_mut(&slot) {
                *known = match (*known, ty) {
                    (Some(None), Some(ty)) => Some(Some(ty)),
                    (Some(Some(known)), Some(ty)) if known == ty => Some(Some(ty)),
                    _ => None,
                };
            }
        };
        for block in &function.blocks {
            for &id in &block.instructions {
                let instruction = function.instruction(id);
                match instruction.operation {
                    Operation::Load(pointer) => access(pointer, instruction.result.map(|result| function.ty(result))),
                    Operation::Store { pointer, value } => {
                        access(pointer, Some(function.ty(value)));
                        access(value, None);
                    }
                    ref other => other.operands(|operand| access(operand, None)),
                }
            }
            block.terminator.operands(|operand| access(operand, None));
        }

        let slots = order.into_iter().filter_map(|slot| {
            // A slot that nobody uses is a variable too: it just disappears.
            types[&slot].map(|ty| Variable { slot, ty: ty.unwrap_or(Type::Bool) })
        });
        let slots: Vec<Variable> = slots.collect();
        let indices = slots.iter().enumerate().map(|(index, variable)| (variable.slot, index)).collect();
        Variables { slots, indices }
    }

    fn index(&self, pointer: ValueId) -> Option<usize> {
        self.indices.get(&pointer).copied()
    }
}

/// Adds the parameters, and lists the variables that each block has one for.
fn place_parameters(function: &mut Function, variables: &Variables, graph: &mut Graph) -> HashMap<BlockId, Vec<(usize, ValueId)>> {
    let mut definitions: Vec<Vec<BlockId>> = vec![Vec::new(); variables.slots.len()];
    let mut reads: Vec<Vec<BlockId>> = vec![Vec::new(); variables.slots.len()];
    for &block in graph.flow.reverse_postorder() {
        for &id in &function.block(block).instructions {
            match function.instruction(id).operation {
                Operation::Load(pointer) => {
                    if let Some(variable) = variables.index(pointer)
                        && definitions[variable].last() != Some(&block)
                        && reads[variable].last() != Some(&block)
                    {
                        reads[variable].push(block);
                    }
                }
                Operation::Store { pointer, .. } => {
                    if let Some(variable) = variables.index(pointer)
                        && definitions[variable].last() != Some(&block)
                    {
                        definitions[variable].push(block);
                    }
                }
                _ => {}
            }
        }
    }

    let mut joins: HashMap<BlockId, Vec<(usize, ValueId)>> = HashMap::new();
    for (index, variable) in variables.slots.iter().enumerate() {
        for block in graph.joins(&definitions[index], &reads[index]) {
            let parameter = function.add_parameter(block, variable.ty);
            if let Some(name) = function.name(variable.slot).map(str::to_owned) {
                function.set_name(parameter, name);
            }
            joins.entry(block).or_default().push((index, parameter));
        }
    }
    joins
}

enum Step {
    Enter(BlockId),
    /// Forgets the newest definitions of these variables.
    Leave(Vec<(usize, ValueId)>),
}

/// Walks the dominator tree with the current value of each variable, and removes loads, stores and slots.
fn rename(function: &mut Function, variables: &Variables, graph: &Graph, joins: &HashMap<BlockId, Vec<(usize, ValueId)>>) {
    let undefined: Vec<ValueId> = variables.slots.iter().map(|variable| function.add_constant(Constant::Undef(variable.ty))).collect();
    let mut current = undefined;
    let mut replacements = Replacements::default();
    let mut steps = vec![Step::Enter(function.entry())];
    while let Some(step) = steps.pop() {
        let block = match step {
            Step::Enter(block) => block,
            Step::Leave(old) => {
                for (variable, value) in old.into_iter().rev() {
                    current[variable] = value;
                }
                continue;
            }
        };
        let mut old = Vec::new();
        let mut define = |current: &mut Vec<ValueId>, variable: usize, value: ValueId| {
            old.push((variable, current[variable]));
            current[variable] = value;
        };
        for &(variable, parameter) in joins.get(&block).into_iter().flatten() {
            define(&mut current, variable, parameter);
        }
        let instructions = std::mem::take(&mut function.block_mut(block).instructions);
        let mut kept: Vec<InstructionId> = Vec::with_capacity(instructions.len());
        for id in instructions {
            let instruction = function.instruction(id);
            match instruction.operation {
                Operation::Load(pointer) => {
                    if let (Some(variable), Some(result)) = (variables.index(pointer), instruction.result) {
                        replacements.replace(result, current[variable]);
                        continue;
                    }
                }
                Operation::Store { pointer, value } => {
                    if let Some(variable) = variables.index(pointer) {
                        let value = replacements.find(value);
                        inherit_name(function, variables.slots[variable].slot, value);
                        define(&mut current, variable, value);
                        continue;
                    }
                }
                Operation::Slot(_) if instruction.result.is_some_and(|slot| variables.index(slot).is_some()) => continue,
                _ => {}
            }
            kept.push(id);
        }
        function.block_mut(block).instructions = kept;

        let targets = function.block(block).terminator.targets().map(|target| target.block).collect::<Vec<_>>();
        for (index, target) in targets.into_iter().enumerate() {
            for &(variable, _) in joins.get(&target).into_iter().flatten() {
                target_mut(function, block, index).arguments.push(current[variable]);
            }
        }
        steps.push(Step::Leave(old));
        steps.extend(graph.dominators.children(block).iter().map(|&child| Step::Enter(child)));
    }
    clear_unreachable(function, &graph.flow);
    replacements.apply(function);
}
