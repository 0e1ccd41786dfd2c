//! Checks the tables that the functions of a module share: memory types, constant tables, names, and who calls whom.

use std::collections::HashSet;

use super::{Problem, Stage};
use crate::{FunctionId, Global, MemoryKind, MemoryType, Module, Operation, TypeId};

pub(super) fn check(module: &Module, stage: Stage, problems: &mut Vec<Problem>) {
    let mut report = |message: String| problems.push(Problem { function: None, block: None, instruction: None, message });
    for (index, ty) in module.types.iter().enumerate() {
        if let Err(message) = check_type(module, index, ty) {
            report(format!("{}: {message}", TypeId::new(index)));
        }
    }
    for (index, global) in module.globals.iter().enumerate() {
        if let Err(message) = check_global(module, global) {
            report(format!("global{index}: {message}"));
        }
    }
    let mut names = HashSet::new();
    for function in &module.functions {
        if !names.insert(function.name.as_str()) {
            report(format!("two functions have the name `{}`", function.name));
        }
    }
    if stage == Stage::Optimized
        && let Some(function) = recursive_function(module)
    {
        report(format!("`{}` calls itself", module.function(function).name));
    }
}

fn check_type(module: &Module, index: usize, ty: &MemoryType) -> Result<(), String> {
    if !ty.align.is_power_of_two() {
        return Err(format!("{} is no alignment", ty.align));
    }
    if !ty.size.is_multiple_of(ty.align) {
        return Err(format!("the size {} is no multiple of the alignment {}", ty.size, ty.align));
    }
    // What a type contains stands before it, which also makes every type finite.
    let contained = |part: TypeId| {
        if part.index() < index { Ok(module.ty(part)) } else { Err(format!("it contains {part}, which does not stand before it")) }
    };
    match &ty.kind {
        MemoryKind::Scalar { ty: scalar, .. } => {
            if scalar.size() != ty.size {
                return Err(format!("the size {} is not that of {scalar}", ty.size));
            }
        }
        MemoryKind::Array { element, count } => {
            if contained(*element)?.size.checked_mul(*count) != Some(ty.size) {
                return Err(format!("the size {} is not that of {count} elements", ty.size));
            }
        }
        MemoryKind::Struct { fields } => {
            let mut end = 0;
            for field in fields {
                let inner = contained(field.ty)?;
                if field.offset < end {
                    return Err(format!("the field `{}` overlaps the one before", field.name));
                }
                end = field
                    .offset
                    .checked_add(inner.size)
                    .filter(|&end| end <= ty.size)
                    .ok_or_else(|| format!("the field `{}` ends outside", field.name))?;
            }
        }
        MemoryKind::Opaque => {}
    }
    Ok(())
}

fn check_global(module: &Module, global: &Global) -> Result<(), String> {
    let ty = module.types.get(global.ty.index()).ok_or("its type does not exist")?;
    if ty.size != global.bytes.len() as u64 {
        return Err(format!("it has {} bytes, its type has {}", global.bytes.len(), ty.size));
    }
    let mut end = 0;
    for relocation in &global.relocations {
        if relocation.offset < end || relocation.offset.checked_add(8).is_none_or(|end| end > ty.size) {
            return Err(format!("the address at {} overlaps another or ends outside", relocation.offset));
        }
        end = relocation.offset + 8;
        let target = module.globals.get(relocation.target.index()).ok_or_else(|| format!("{} does not exist", relocation.target))?;
        if relocation.addend > target.bytes.len() as u64 {
            return Err(format!("the address at {} points outside of {}", relocation.offset, relocation.target));
        }
    }
    Ok(())
}

/// A function that may call itself through others, if there is one.
fn recursive_function(module: &Module) -> Option<FunctionId> {
    #[derive(Clone, Copy, PartialEq)]
    enum State {
        New,
        Open,
        Done,
    }
    let mut states = vec![State::New; module.functions.len()];
    for root in 0..module.functions.len() {
        if states[root] != State::New {
            continue;
        }
        let mut stack = vec![(root, callees(module, root))];
        states[root] = State::Open;
        while let Some((function, rest)) = stack.last_mut() {
            match rest.pop() {
                Some(next) if states[next] == State::Open => return Some(FunctionId::new(next)),
                Some(next) if states[next] == State::New => {
                    states[next] = State::Open;
                    stack.push((next, callees(module, next)));
                }
                Some(_) => {}
                None => {
                    states[*function] = State::Done;
                    stack.pop();
                }
            }
        }
    }
    None
}

fn callees(module: &Module, function: usize) -> Vec<usize> {
    let function = &module.functions[function];
    let instructions = function.blocks.iter().flat_map(|block| &block.instructions).filter_map(|id| function.instructions.get(id.index()));
    instructions
        .filter_map(|instruction| match &instruction.operation {
            Operation::Call(callee, _) if callee.index() < module.functions.len() => Some(callee.index()),
            _ => None,
        })
        .collect()
}
