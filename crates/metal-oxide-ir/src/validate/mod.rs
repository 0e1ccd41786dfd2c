//! Checks that a module follows the rules of the IR, so that passes and back ends need not.
//! Problems are bugs of whoever made the module; what users may do wrong is diagnosed elsewhere.

mod function;
mod module;
mod names;
mod operation;

use std::fmt;

use crate::{BlockId, Module};

/// How far a module has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Made by an importer: pointers may be generic.
    Imported,
    /// Ready for a back end: every pointer has a space, every value a form in MSL, and functions do not recurse.
    Optimized,
}

/// A rule that a module breaks, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The function, unless the problem lies in one of the module's tables.
    pub function: Option<String>,
    /// The block, numbered as the text form prints it.
    pub block: Option<BlockId>,
    /// The position of the instruction in its block; the terminator is at the position behind the last instruction.
    pub instruction: Option<usize>,
    /// What is wrong.
    pub message: String,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(function) = &self.function {
            write!(f, "@{function}")?;
            if let Some(block) = self.block {
                write!(f, ", {block}")?;
            }
            if let Some(instruction) = self.instruction {
                write!(f, ", instruction {instruction}")?;
            }
            f.write_str(": ")?;
        }
        f.write_str(&self.message)
    }
}

impl std::error::Error for Problem {}

/// Checks every rule for every reachable block.
///
/// # Errors
/// All problems that were found.
pub fn validate(module: &Module, stage: Stage) -> Result<(), Vec<Problem>> {
    let mut problems = Vec::new();
    module::check(module, stage, &mut problems);
    for function in &module.functions {
        function::check(module, function, stage, &mut problems);
    }
    if problems.is_empty() { Ok(()) } else { Err(problems) }
}
