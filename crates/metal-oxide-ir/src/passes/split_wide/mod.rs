//! Splits 128-bit integers into halves of 64 bits: MSL has nothing wider.
//!
//! A value becomes two, an operation a few on the halves. Division and conversions from and to floats are calls of functions that a
//! library brings along. Where a function returns such an integer, its caller provides the memory for it.

mod arithmetic;
mod function;

use std::collections::HashMap;

use crate::passes::link::Linker;
use crate::{CastOperator, Function, FunctionId, MemoryKind, MemoryType, Module, Operation, Type};

/// Splits all 128-bit integers of a module. Operations that [`can_split`] refuses are left as they are.
///
/// # Panics
/// If the library lacks a function.
pub fn split_wide(module: &mut Module, library: &Module) {
    let results: HashMap<FunctionId, bool> = module
        .functions
        .iter()
        .enumerate()
        .map(|(index, function)| (FunctionId::new(index), function.result == Some(Type::I128)))
        .collect();
    let mut linker = Linker::new(library);
    for index in 0..module.functions.len() {
        // What the linker adds has been split before.
        if results.contains_key(&FunctionId::new(index)) && uses_wide_integers(&module.functions[index]) {
            let absent = Function::new("", crate::FunctionKind::Helper { keep: false }, &[], None);
            let mut function = std::mem::replace(&mut module.functions[index], absent);
            function::split(&mut function, module, &results, &mut linker);
            module.functions[index] = function;
        }
    }
    for ty in &mut module.types {
        if matches!(ty.kind, MemoryKind::Scalar { ty: Type::I128, .. }) {
            ty.kind = MemoryKind::Opaque;
        }
    }
}

/// Whether any value of a function has 128 bits.
pub fn uses_wide_integers(function: &Function) -> bool {
    let is_wide = |value| function.ty(value) == Type::I128;
    function.result == Some(Type::I128)
        || function.blocks.iter().any(|block| {
            let mut found = block.parameters.iter().any(|&value| is_wide(value));
            for &id in &block.instructions {
                let instruction = function.instruction(id);
                found |= instruction.result.is_some_and(is_wide);
                instruction.operation.operands(|value| found |= is_wide(value));
            }
            block.terminator.operands(|value| found |= is_wide(value));
            found
        })
}

/// Whether an operation that has to do with 128-bit integers can be split. `result` is the type of its result.
pub fn can_split(function: &Function, operation: &Operation, result: Option<Type>) -> bool {
    match *operation {
        Operation::Cast(operator, value) => {
            let (from, to) = (function.ty(value), result.unwrap_or(Type::I128));
            let other = if from == Type::I128 { to } else { from };
            operator != CastOperator::Bitcast && !matches!(other, Type::F16 | Type::BF16 | Type::F64)
        }
        _ => true,
    }
}

/// The memory of one 128-bit integer, as two of 64 bits.
fn halves_type(module: &mut Module) -> crate::TypeId {
    let scalar = MemoryKind::Scalar { ty: Type::I64, signed: false };
    let half = module.intern_type(MemoryType { name: "u64".to_owned(), size: 8, align: 8, kind: scalar });
    let array = MemoryKind::Array { element: half, count: 2 };
    module.intern_type(MemoryType { name: "[u64; 2]".to_owned(), size: 16, align: 8, kind: array })
}

#[cfg(test)]
mod tests;
