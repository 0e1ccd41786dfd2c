//! Finds pointers that step through the elements of one object, and rewrites them as a fixed base with an index.
//! This is what turns a slice iterator's start and end pointers into the index of a `for` loop.

use std::collections::{HashMap, HashSet};

use crate::analysis::{ControlFlow, Dominators, Loops};
use crate::passes::Pass;
use crate::passes::builder::Sequence;
use crate::passes::dce::drop_parameters;
use crate::passes::rewrite::{self, Replacements};
use crate::{BinaryOperator, BlockId, Constant, Function, InstructionId, Module, Operation, Type, TypeId, ValueDefinition, ValueId};

/// The pass.
pub struct PointerInduction;

impl Pass for PointerInduction {
    fn name(&self) -> &'static str {
        "pointer_induction"
    }

    fn run(&self, function: &mut Function, module: &mut Module) -> bool {
        let mut changed = join_indices(function, module);
        let flow = ControlFlow::new(function);
        let dominators = Dominators::new(function, &flow);
        let loops = Loops::new(function, &flow, &dominators);
        let mut homes = rewrite::homes(function, &flow);
        for (index, body) in loops.all().iter().enumerate() {
            for parameter in function.block(body.header).parameters.clone() {
                if !function.ty(parameter).is_pointer() {
                    continue;
                }
                let search = Search { function, module, flow: &flow, loops: &loops, homes: &homes, index };
                if let Some(family) = search.family(parameter) {
                    family.rewrite(function, &flow, &mut homes);
                    changed = true;
                }
            }
        }
        changed
    }
}

/// Replaces pointer parameters that are always elements of the same base by their index. Returns whether there were any.
fn join_indices(function: &mut Function, module: &Module) -> bool {
    let flow = ControlFlow::new(function);
    let dominators = Dominators::new(function, &flow);
    let homes = rewrite::homes(function, &flow);
    let mut replacements = Replacements::default();
    let mut joined = Vec::new();
    for &block in flow.reverse_postorder() {
        if block == function.entry() {
            continue;
        }
        for (position, parameter) in function.block(block).parameters.clone().into_iter().enumerate() {
            if !function.ty(parameter).is_pointer() {
                continue;
            }
            let arguments: Vec<ValueId> =
                flow.edges(block).iter().map(|edge| rewrite::target(function, edge.from, edge.index).arguments[position]).collect();
            if let Some((base, element)) = common_base(function, module, &arguments)
                && is_available(function, &dominators, &homes, base, block)
            {
                joined.push((block, parameter, base, element, arguments));
            }
        }
    }
    let zero = function.add_constant(Constant::integer(Type::I64, 0));
    for (block, parameter, base, element, arguments) in &joined {
        let index = function.add_parameter(*block, Type::I64);
        for (edge, argument) in flow.edges(*block).iter().zip(arguments) {
            let index = match function.defining_operation(*argument) {
                Some(&Operation::Element { base: from, index, .. }) if from == *base => index,
                _ => zero,
            };
            rewrite::target_mut(function, edge.from, edge.index).arguments.push(index);
        }
        let address = Operation::Element { base: *base, index, ty: *element };
        let address = function.create_instruction(address, Some(function.ty(*parameter)), None);
        function.block_mut(*block).instructions.insert(0, address);
        replacements.replace(*parameter, function.instruction(address).result.expect("addresses have a result"));
    }
    for (block, parameter, ..) in &joined {
        drop_parameters(function, &flow, *block, |known| known != *parameter);
    }
    replacements.apply(function)
}

/// The base that all of several pointers are elements of, one of them at an index that is not zero.
fn common_base(function: &Function, module: &Module, pointers: &[ValueId]) -> Option<(ValueId, TypeId)> {
    let element = |pointer: ValueId| match function.defining_operation(pointer) {
        Some(&Operation::Element { base, ty, .. }) => Some((base, ty)),
        _ => None,
    };
    let (base, ty) = pointers.iter().find_map(|&pointer| element(pointer))?;
    let size = module.ty(ty).size;
    let fits = |pointer: ValueId| {
        pointer == base || element(pointer).is_some_and(|(other, other_ty)| other == base && module.ty(other_ty).size == size)
    };
    (size > 0 && pointers.iter().all(|&pointer| fits(pointer))).then_some((base, ty))
}

/// Whether a value is computed before a block on every path.
fn is_available(
    function: &Function,
    dominators: &Dominators,
    homes: &HashMap<InstructionId, BlockId>,
    value: ValueId,
    block: BlockId,
) -> bool {
    match function.definition(value) {
        ValueDefinition::Constant(_) => true,
        ValueDefinition::Parameter { block: home, .. } => home != block && dominators.dominates(home, block),
        ValueDefinition::Instruction { instruction, .. } => {
            homes.get(&instruction).is_some_and(|&home| home != block && dominators.dominates(home, block))
        }
    }
}

struct Search<'a> {
    function: &'a Function,
    module: &'a Module,
    flow: &'a ControlFlow,
    loops: &'a Loops,
    homes: &'a HashMap<InstructionId, BlockId>,
    /// The loop that is looked at.
    index: usize,
}

/// Pointers that are all the same base plus a number of elements.
struct Family {
    base: ValueId,
    element: TypeId,
    /// The parameters among them, with the blocks they belong to; the loop's is the first.
    parameters: Vec<(ValueId, BlockId)>,
    /// The steps and selections among them, each after those that it is computed from as far as these are not parameters.
    instructions: Vec<InstructionId>,
}

impl Search<'_> {
    /// The pointers that a parameter of the loop's header is stepped by, if it is stepped by whole elements of one size only.
    fn family(&self, parameter: ValueId) -> Option<Family> {
        let header = self.loops.all()[self.index].header;
        let members = self.fed_back(parameter, &self.members(parameter));
        let (mut base, mut element, mut stepped) = (None, None, false);
        for edge in self.flow.edges(header) {
            let argument = self.argument(header, parameter, edge)?;
            if self.loops.contains(self.index, edge.from) {
                if !members.contains(&argument) {
                    return None;
                }
                stepped |= argument != parameter;
                continue;
            }
            let start = match self.function.defining_operation(argument) {
                Some(&Operation::Element { base, .. }) => base,
                _ => argument,
            };
            if base.is_some_and(|base| base != start) {
                return None;
            }
            base = Some(start);
        }
        let base = base.filter(|_| stepped)?;

        let mut family = Family { base, element: TypeId::new(0), parameters: vec![(parameter, header)], instructions: Vec::new() };
        for &block in &self.loops.all()[self.index].blocks {
            for &value in &self.function.block(block).parameters {
                if members.contains(&value) && value != parameter {
                    family.parameters.push((value, block));
                }
            }
            for &id in &self.function.block(block).instructions {
                let instruction = self.function.instruction(id);
                if !instruction.result.is_some_and(|result| members.contains(&result)) {
                    continue;
                }
                family.instructions.push(id);
                if let Operation::Element { ty, .. } = instruction.operation
                    && element.replace(ty).is_some_and(|known| self.size(known) != self.size(ty))
                {
                    return None;
                }
            }
        }
        family.element = element?;
        // Where the base is an element itself, its index must count elements of the same size.
        let starts_fit = self.flow.edges(header).iter().filter(|edge| !self.loops.contains(self.index, edge.from)).all(|edge| {
            match self.argument(header, parameter, edge).and_then(|argument| self.function.defining_operation(argument)) {
                Some(&Operation::Element { ty, .. }) => self.size(ty) == self.size(family.element),
                _ => true,
            }
        });
        (starts_fit && self.size(family.element) > 0).then_some(family)
    }

    fn size(&self, ty: TypeId) -> u64 {
        self.module.ty(ty).size
    }

    fn argument(&self, block: BlockId, parameter: ValueId, edge: &crate::analysis::Edge) -> Option<ValueId> {
        let index = self.function.block(block).parameters.iter().position(|&known| known == parameter)?;
        rewrite::target(self.function, edge.from, edge.index).arguments.get(index).copied()
    }

    /// The members that the parameter's next values are computed from.
    fn fed_back(&self, parameter: ValueId, members: &HashSet<ValueId>) -> HashSet<ValueId> {
        let mut found = HashSet::new();
        let mut work = vec![parameter];
        while let Some(value) = work.pop() {
            if !members.contains(&value) || !found.insert(value) {
                continue;
            }
            match self.function.definition(value) {
                ValueDefinition::Parameter { block, .. } => {
                    let inside = self.flow.edges(block).iter().filter(|edge| self.loops.contains(self.index, edge.from));
                    work.extend(inside.filter_map(|edge| self.argument(block, value, edge)));
                }
                ValueDefinition::Instruction { instruction, .. } => match self.function.instruction(instruction).operation {
                    Operation::Element { base, .. } => work.push(base),
                    Operation::Select(_, a, b) => work.extend([a, b]),
                    _ => {}
                },
                ValueDefinition::Constant(_) => {}
            }
        }
        found
    }

    /// The pointers in the loop that are computed from the parameter alone: assumes that all are that can be, and takes back what cannot.
    fn members(&self, parameter: ValueId) -> HashSet<ValueId> {
        let mut members = HashSet::from([parameter]);
        let blocks = &self.loops.all()[self.index].blocks;
        let header = self.loops.all()[self.index].header;
        let mut grown = true;
        while grown {
            grown = false;
            for &block in blocks {
                for &id in &self.function.block(block).instructions {
                    let instruction = self.function.instruction(id);
                    let member = match instruction.operation {
                        Operation::Element { base, .. } => members.contains(&base),
                        Operation::Select(_, a, b) => members.contains(&a) || members.contains(&b),
                        _ => false,
                    };
                    if let Some(result) = instruction.result.filter(|_| member) {
                        grown |= members.insert(result);
                    }
                }
                for target in self.function.block(block).terminator.targets() {
                    if target.block == header || !self.loops.contains(self.index, target.block) {
                        continue;
                    }
                    for (argument, &value) in target.arguments.iter().zip(&self.function.block(target.block).parameters) {
                        if members.contains(argument) {
                            grown |= members.insert(value);
                        }
                    }
                }
            }
        }
        loop {
            let wrong: Vec<ValueId> =
                members.iter().copied().filter(|&value| value != parameter && !self.belongs(value, &members)).collect();
            if wrong.is_empty() {
                return members;
            }
            members.retain(|value| !wrong.contains(value));
        }
    }

    /// Whether a value is computed from members alone.
    fn belongs(&self, value: ValueId, members: &HashSet<ValueId>) -> bool {
        match self.function.definition(value) {
            ValueDefinition::Parameter { block, .. } => self
                .flow
                .edges(block)
                .iter()
                .all(|edge| self.argument(block, value, edge).is_some_and(|argument| members.contains(&argument))),
            ValueDefinition::Instruction { instruction, .. } => {
                self.homes.contains_key(&instruction)
                    && match self.function.instruction(instruction).operation {
                        Operation::Element { base, .. } => members.contains(&base),
                        Operation::Select(_, a, b) => members.contains(&a) && members.contains(&b),
                        _ => false,
                    }
            }
            ValueDefinition::Constant(_) => false,
        }
    }
}

impl Family {
    /// Gives each pointer an index, and computes the pointer from it where it is needed.
    fn rewrite(self, function: &mut Function, flow: &ControlFlow, homes: &mut HashMap<InstructionId, BlockId>) {
        let zero = function.add_constant(Constant::integer(Type::I64, 0));
        let pointer_type = function.ty(self.parameters[0].0);
        let mut indices: HashMap<ValueId, ValueId> = HashMap::new();
        let mut replacements = Replacements::default();
        for &(parameter, block) in &self.parameters {
            let index = function.add_parameter(block, Type::I64);
            indices.insert(parameter, index);
            let address = Operation::Element { base: self.base, index, ty: self.element };
            let address = function.create_instruction(address, Some(pointer_type), None);
            function.block_mut(block).instructions.insert(0, address);
            homes.insert(address, block);
            replacements.replace(parameter, function.instruction(address).result.expect("addresses have a result"));
        }

        let members: HashSet<InstructionId> = self.instructions.iter().copied().collect();
        let mut touched: Vec<BlockId> = self.instructions.iter().filter_map(|id| homes.get(id).copied()).collect();
        touched.dedup();
        for block in touched {
            let mut sequence = Sequence::default();
            for id in std::mem::take(&mut function.block_mut(block).instructions) {
                if !members.contains(&id) {
                    sequence.instructions.push(id);
                    continue;
                }
                let instruction = function.instruction(id).clone();
                sequence.location = instruction.location;
                let index = match instruction.operation {
                    Operation::Element { base, index, .. } => sequence.binary(function, BinaryOperator::Add, indices[&base], index),
                    Operation::Select(condition, a, b) => sequence.select(function, condition, indices[&a], indices[&b]),
                    _ => unreachable!("members are elements and selections"),
                };
                if let Some(result) = instruction.result {
                    indices.insert(result, index);
                }
                function.instruction_mut(id).operation = Operation::Element { base: self.base, index, ty: self.element };
                sequence.instructions.push(id);
            }
            homes.extend(sequence.instructions.iter().map(|&id| (id, block)));
            function.block_mut(block).instructions = sequence.instructions;
        }

        for &(parameter, block) in &self.parameters {
            let position = function.block(block).parameters.iter().position(|&known| known == parameter).expect("the parameter is there");
            for edge in flow.edges(block) {
                let argument = rewrite::target(function, edge.from, edge.index).arguments[position];
                let index = match (indices.get(&argument), function.defining_operation(argument)) {
                    (Some(&index), _) => index,
                    (None, Some(&Operation::Element { index, .. })) => index,
                    (None, _) => zero,
                };
                rewrite::target_mut(function, edge.from, edge.index).arguments.push(index);
            }
        }
        for &(parameter, block) in &self.parameters {
            drop_parameters(function, flow, block, |known| known != parameter);
        }
        replacements.apply(function);
    }
}
