//! Computes in `f64` by means of integers: MSL has no such type.
//!
//! Values of the type become their bits, operations become calls of functions on bits, which a library brings along. Memory keeps its
//! layout. The library's functions are found by their names, `f64_add` and so on; they stay functions, as they are large.

mod rewrite;

use crate::passes::link::Linker;
use crate::{CastOperator, Function, Module, Operation, Type};

/// Replaces all values of `f64` in a module. Operations that [`can_soften`] refuses are left as they are.
///
/// # Panics
/// If the library lacks a function.
pub fn soften(module: &mut Module, library: &Module) {
    let mut linker = Linker::new(library);
    for index in 0..module.functions.len() {
        if uses_doubles(&module.functions[index]) {
            let absent = Function::new("", crate::FunctionKind::Helper { keep: false }, &[], None);
            let mut function = std::mem::replace(&mut module.functions[index], absent);
            rewrite::soften_function(&mut function, module, &mut linker);
            module.functions[index] = function;
        }
    }
}

/// Whether any value of a function is an `f64`.
pub fn uses_doubles(function: &Function) -> bool {
    let is_double = |value| function.ty(value) == Type::F64;
    function.result == Some(Type::F64)
        || function.blocks.iter().any(|block| {
            let mut found = block.parameters.iter().any(|&value| is_double(value));
            for &id in &block.instructions {
                let instruction = function.instruction(id);
                found |= instruction.result.is_some_and(is_double);
                instruction.operation.operands(|value| found |= is_double(value));
            }
            found
        })
}

/// Whether an operation that has to do with `f64` can be replaced. `result` is the type of its result.
pub fn can_soften(function: &Function, operation: &Operation, result: Option<Type>) -> bool {
    match *operation {
        Operation::Math(..) => false,
        Operation::Cast(CastOperator::Bitcast, _) => true,
        // There are no conversions from and to the half-width floats: through `f32` they would be rounded twice.
        Operation::Cast(_, value) => [Some(function.ty(value)), result]
            .into_iter()
            .flatten()
            .all(|ty| matches!(ty, Type::F64 | Type::F32 | Type::Bool | Type::I8 | Type::I16 | Type::I32 | Type::I64)),
        _ => true,
    }
}

#[cfg(test)]
mod tests;
