//! From a graph to nested statements, in four steps: place the blocks, tidy the jumps, replace those that C++ has no word for, name the loops.
//!
//! `place` follows the dominator tree as in Ramsey's "Beyond Relooper": a block that several jumps meet at stands behind the statements
//! that jump to it, and those jumps leave labelled statements. Nothing is printed twice. `tidy` turns labels into `else` and removes the
//! jumps that lead where the text goes on anyway. `jumps` turns the remaining ones into `break`, `continue` and flags. `loops` recognises
//! `while` and `for`, and `scopes` declares variables.

mod jumps;
mod loops;
mod mentions;
mod place;
mod scopes;
mod tidy;
mod tree;

pub(crate) use tree::{Condition, Loop, Statement, leaves};

use metal_oxide_ir::{Function, Module};

use crate::flow::Flow;
use crate::flow::coalesce::Variables;
use crate::flow::fold::Forms;
use crate::flow::liveness::Liveness;
use crate::flow::memory::Memory;

/// The statements of a function, with declarations.
pub(crate) fn structure(
    module: &Module,
    function: &Function,
    flow: &Flow,
    memory: &Memory,
    forms: &Forms,
    liveness: &Liveness,
    variables: &mut Variables,
) -> Vec<Statement> {
    let (statements, mut labels) = place::place(module, function, flow, forms, liveness, variables);
    let statements = tidy::tidy(statements, &mut labels);
    let statements = jumps::lower(statements, variables);
    let statements = loops::recognise(function, forms, variables, statements);
    scopes::declare(function, forms, memory, variables, statements)
}
