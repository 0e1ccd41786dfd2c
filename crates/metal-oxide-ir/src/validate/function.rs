//! Checks one function: its signature, its blocks, and that every use of a value is dominated by its definition.

use std::collections::HashSet;

use super::names::Names;
use super::operation::Checker;
use super::{Problem, Stage};
use crate::analysis::{ControlFlow, Dominators};
use crate::{
    BlockId, Function, FunctionKind, KernelParameter, KernelParameterKind, LocationId, MemoryKind, Module, Space, Target, Terminator, Type,
    ValueDefinition, ValueId,
};

pub(super) fn check(module: &Module, function: &Function, stage: Stage, problems: &mut Vec<Problem>) {
    let nothing = Names::default();
    let mut pass = Pass { checker: Checker { module, function, stage, names: &nothing }, problems };
    if function.blocks.is_empty() {
        pass.report(None, None, "it has no blocks".into());
        return;
    }
    if !pass.structure() {
        // The graph cannot be walked.
        return;
    }
    let flow = ControlFlow::new(function);
    let names = Names::new(function, &flow);
    pass.checker.names = &names;
    if let Err(message) = pass.signature() {
        pass.report(None, None, message);
    }
    if !flow.edges(function.entry()).is_empty() {
        pass.report(Some(function.entry()), None, "the entry has a predecessor".into());
    }
    pass.operations(&flow);
    pass.dominance(&flow);
}

struct Pass<'a> {
    checker: Checker<'a>,
    problems: &'a mut Vec<Problem>,
}

impl Pass<'_> {
    fn report(&mut self, block: Option<BlockId>, instruction: Option<usize>, message: String) {
        let block = block.map(|block| self.checker.names.block(block));
        self.problems.push(Problem { function: Some(self.checker.function.name.clone()), block, instruction, message });
    }

    fn signature(&self) -> Result<(), String> {
        let function = self.checker.function;
        if let Some(ty) = function.result {
            self.checker.value_type(ty)?;
        }
        let FunctionKind::Kernel { parameters } = &function.kind else { return Ok(()) };
        if function.result.is_some() {
            return Err("a kernel returns nothing".into());
        }
        let mut expected = Vec::new();
        for parameter in parameters {
            self.kernel_parameter(parameter, &mut expected)?;
        }
        let found: Vec<_> = function.parameters().iter().map(|&value| function.ty(value)).collect();
        if found == expected {
            return Ok(());
        }
        let list = |types: &[Type]| types.iter().map(Type::to_string).collect::<Vec<_>>().join(", ");
        Err(format!("the kernel's parameters arrive as ({}), not ({})", list(&expected), list(&found)))
    }

    /// Appends the entry parameters in which a kernel's parameter arrives.
    fn kernel_parameter(&self, parameter: &KernelParameter, expected: &mut Vec<Type>) -> Result<(), String> {
        let (KernelParameterKind::Buffer { element: id, .. }
        | KernelParameterKind::Scalar { ty: id }
        | KernelParameterKind::Aggregate { ty: id }) = parameter.kind;
        let ty = self.checker.module.types.get(id.index()).ok_or_else(|| format!("the type of `{}` does not exist", parameter.name))?;
        match (parameter.kind, &ty.kind) {
            (KernelParameterKind::Buffer { .. }, _) => expected.extend([Type::Pointer(Space::Device), Type::I64]),
            (KernelParameterKind::Aggregate { .. }, _) => expected.push(Type::Pointer(Space::Constant)),
            (KernelParameterKind::Scalar { .. }, MemoryKind::Scalar { ty, .. }) => expected.push(*ty),
            (KernelParameterKind::Scalar { .. }, _) => return Err(format!("the type of `{}` is not scalar", parameter.name)),
        }
        Ok(())
    }

    /// Checks that what blocks and values refer to exists, in all blocks.
    fn structure(&mut self) -> bool {
        let function = self.checker.function;
        let before = self.problems.len();
        let mut placed = HashSet::new();
        for id in function.block_ids() {
            let block = function.block(id);
            for &parameter in &block.parameters {
                let defined = (parameter.index() < function.value_count()).then(|| function.definition(parameter));
                if !matches!(defined, Some(ValueDefinition::Parameter { block, .. }) if block == id) {
                    self.report(Some(id), None, format!("the parameter {parameter} is not defined as one of this block"));
                } else if !placed.insert(parameter) {
                    self.report(Some(id), None, format!("the parameter {parameter} stands there twice"));
                }
            }
            let mut instructions = HashSet::new();
            for (position, &instruction) in block.instructions.iter().enumerate() {
                if instruction.index() >= function.instructions.len() {
                    self.report(Some(id), Some(position), format!("{instruction} does not exist"));
                    continue;
                }
                if !instructions.insert(instruction) {
                    self.report(Some(id), Some(position), "the instruction stands there twice".into());
                }
                let Some(result) = function.instruction(instruction).result else { continue };
                let defined = (result.index() < function.value_count()).then(|| function.definition(result));
                if !matches!(defined, Some(ValueDefinition::Instruction { instruction: by, .. }) if by == instruction) {
                    self.report(Some(id), Some(position), format!("the result {result} is not defined by this instruction"));
                } else if !placed.insert(result) {
                    self.report(Some(id), Some(position), format!("the result {result} is defined in two places"));
                }
            }
            for target in block.terminator.targets() {
                if target.block.index() >= function.blocks.len() {
                    self.report(Some(id), Some(block.instructions.len()), format!("{} does not exist", target.block));
                }
            }
        }
        self.problems.len() == before
    }

    fn operations(&mut self, flow: &ControlFlow) {
        let function = self.checker.function;
        for &id in flow.reverse_postorder() {
            let block = function.block(id);
            for &parameter in &block.parameters {
                if let Err(message) = self.checker.value_type(function.ty(parameter)) {
                    self.report(Some(id), None, message);
                }
            }
            for (position, &instruction) in block.instructions.iter().enumerate() {
                let instruction = function.instruction(instruction);
                let result = instruction.result.map(|value| function.ty(value));
                let checked = self.checker.operation(&instruction.operation, result).and_then(|()| self.location(instruction.location));
                if let Err(message) = checked {
                    self.report(Some(id), Some(position), format!("{}: {message}", keyword(&instruction.operation)));
                }
            }
            if let Err(message) = self.terminator(&block.terminator).and_then(|()| self.location(block.location)) {
                self.report(Some(id), Some(block.instructions.len()), message);
            }
        }
    }

    fn location(&self, location: Option<LocationId>) -> Result<(), String> {
        match location {
            Some(location) if location.index() >= self.checker.module.locations.len() => Err(format!("{location} does not exist")),
            _ => Ok(()),
        }
    }

    fn terminator(&self, terminator: &Terminator) -> Result<(), String> {
        let function = self.checker.function;
        match terminator {
            Terminator::CondBranch { condition, .. } => self.checker.same(Type::Bool, *condition)?,
            Terminator::Switch { value, cases, .. } => {
                let ty = self.checker.operand(*value)?;
                if !ty.is_integer() {
                    return Err(format!("a switch takes an integer, not {ty}"));
                }
                let mut seen = HashSet::new();
                for (case, _) in cases {
                    if *case > u128::MAX >> (128 - ty.bits()) {
                        return Err(format!("the case {case:#x} has bits that {ty} has not"));
                    }
                    if !seen.insert(case) {
                        return Err(format!("the case {case} stands there twice"));
                    }
                }
            }
            Terminator::Return(value) => match (value, function.result) {
                (None, None) => {}
                (Some(value), Some(ty)) => self.checker.same(ty, *value)?,
                (None, Some(ty)) => return Err(format!("the function returns {ty}, but there is no value")),
                (Some(_), None) => return Err("the function returns nothing, but there is a value".into()),
            },
            Terminator::Fail(site) if site.index() >= self.checker.module.sites.len() => return Err(format!("{site} does not exist")),
            Terminator::Unsupported(reason) if reason.index() >= self.checker.module.unsupported.len() => {
                return Err(format!("{reason} does not exist"));
            }
            _ => {}
        }
        terminator.targets().try_for_each(|target| self.target(target))
    }

    fn target(&self, target: &Target) -> Result<(), String> {
        let parameters = &self.checker.function.block(target.block).parameters;
        if parameters.len() != target.arguments.len() {
            return Err(format!("{} takes {} arguments, not {}", target.block, parameters.len(), target.arguments.len()));
        }
        parameters.iter().zip(&target.arguments).try_for_each(|(&parameter, &argument)| {
            let expected = self.checker.function.ty(parameter);
            self.checker.same(expected, argument).map_err(|message| format!("for {}: {message}", target.block))
        })
    }

    fn dominance(&mut self, flow: &ControlFlow) {
        let function = self.checker.function;
        let dominators = Dominators::new(function, flow);
        let mut places: Vec<Option<(BlockId, usize)>> = vec![None; function.value_count()];
        for &id in flow.reverse_postorder() {
            let block = function.block(id);
            block.parameters.iter().for_each(|value| places[value.index()] = Some((id, 0)));
            for (position, &instruction) in block.instructions.iter().enumerate() {
                if let Some(value) = function.instruction(instruction).result {
                    places[value.index()] = Some((id, position + 1));
                }
            }
        }
        // A definition at position n is visible to what stands at position n and later: parameters at 0, results behind their instruction.
        let visible = |value: ValueId, block: BlockId, position: usize| {
            if value.index() >= places.len() || function.constant(value).is_some() {
                return true;
            }
            match places[value.index()] {
                Some((at, from)) if at == block => from <= position,
                Some((at, _)) => dominators.dominates(at, block),
                None => false,
            }
        };
        for &id in flow.reverse_postorder() {
            let block = function.block(id);
            for position in 0..=block.instructions.len() {
                let mut wrong = Vec::new();
                let visit = |value| {
                    if !visible(value, id, position) {
                        wrong.push(value);
                    }
                };
                match block.instructions.get(position) {
                    Some(&instruction) => function.instruction(instruction).operation.operands(visit),
                    None => block.terminator.operands(visit),
                }
                for value in wrong {
                    self.report(
                        Some(id),
                        Some(position),
                        format!("{} is not defined on every path to here", self.checker.names.value(function, value)),
                    );
                }
            }
        }
    }
}

/// The word that begins an operation in the text form.
fn keyword(operation: &crate::Operation) -> &'static str {
    use crate::Operation::*;
    match operation {
        Binary(operator, ..) => operator.keyword(),
        Unary(operator, _) => operator.keyword(),
        Compare(operator, ..) => operator.keyword(),
        Select(..) => "select",
        Cast(operator, _) => operator.keyword(),
        Math(function, _) => function.keyword(),
        Slot(_) => "slot",
        Load(_) => "load",
        Store { .. } => "store",
        Copy { .. } => "copy",
        Element { .. } => "element",
        Field { .. } => "field",
        Offset { .. } => "offset",
        Call(..) => "call",
        Coordinate(..) => "coordinate",
        Assume(_) => "assume",
    }
}
