//! Settles the address space of every pointer.
//! Pointers that may meet share a region of memory, and a region takes its space from where its pointers come from.
//!
//! Each function is solved once, callees first, with the regions behind its parameters left open; a call copies the callee's regions and
//! merges them with those of the arguments. Kernels then say what the open regions are, and a function that is needed with several
//! combinations is cloned for each. Regions that come from nowhere, such as behind integers cast to pointers, become thread memory.

mod function;
mod instance;
mod regions;
mod split;

use std::fmt;

use crate::analysis::call_graph;
use crate::{LocationId, Module, Space};

/// Where a pointer comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin {
    /// The space of the memory.
    pub space: Space,
    /// What the memory is, in a user's words, such as "the buffer `a`".
    pub what: String,
    /// Where the pointer is made, if that is known.
    pub location: Option<LocationId>,
}

/// A pointer that would have to point into two spaces.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpaceConflict {
    /// The function in which the two meet.
    pub function: String,
    /// Where they meet, if that is known.
    pub location: Option<LocationId>,
    /// Where the one comes from.
    pub first: Origin,
    /// Where the other comes from.
    pub second: Origin,
}

impl fmt::Display for SpaceConflict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { function, first, second, .. } = self;
        write!(f, "@{function}: one pointer would point to {} ({}) and to {} ({})", first.what, first.space, second.what, second.space)
    }
}

impl std::error::Error for SpaceConflict {}

/// Gives every pointer its space, removes the casts between spaces, and clones functions that are called with several combinations.
/// Pointers that may point into several spaces are split where that can be done.
///
/// # Errors
/// The pointers that would need two spaces.
pub fn infer_spaces(module: &mut Module) -> Result<(), Vec<SpaceConflict>> {
    loop {
        match solve(module) {
            Ok(solved) => {
                instance::rewrite(module, solved);
                return Ok(());
            }
            Err(conflicts) => {
                let mut progress = false;
                for function in &mut module.functions {
                    if conflicts.iter().any(|conflict| conflict.function == function.name) {
                        progress |= split::split(function);
                    }
                }
                if !progress {
                    return Err(conflicts);
                }
            }
        }
    }
}

fn solve(module: &Module) -> Result<Vec<function::Solved>, Vec<SpaceConflict>> {
    let mut solved: Vec<Option<function::Solved>> = (0..module.functions.len()).map(|_| None).collect();
    let mut conflicts = Vec::new();
    for id in call_graph::bottom_up(module) {
        let result = function::solve(module, id, &solved);
        conflicts.extend(result.regions.conflicts(&module.function(id).name));
        solved[id.index()] = Some(result);
    }
    if conflicts.is_empty() { Ok(solved.into_iter().flatten().collect()) } else { Err(conflicts) }
}

#[cfg(test)]
mod tests;
