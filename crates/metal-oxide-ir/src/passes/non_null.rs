//! Which pointers cannot be null: addresses of slots, tables and kernel buffers, and what is computed from them.
//! A pointer that goes round a loop is not null if nothing that enters the loop is.

use std::collections::HashSet;

use crate::analysis::ControlFlow;
use crate::passes::rewrite;
use crate::{CastOperator, Constant, Function, Operation, Space, Type, ValueDefinition, ValueId};

/// Whether a pointer is certainly not null.
pub(super) fn is_non_null(function: &Function, pointer: ValueId) -> bool {
    // Parameters need the edges into their blocks, which are found only if one is met.
    let mut flow = None;
    let mut seen = HashSet::new();
    let mut work = vec![pointer];
    while let Some(pointer) = work.pop() {
        if !seen.insert(pointer) {
            continue;
        }
        if seen.len() > MAX_VALUES {
            return false;
        }
        match function.definition(pointer) {
            ValueDefinition::Constant(Constant::Bits { bits, .. }) if bits != 0 => {}
            ValueDefinition::Constant(Constant::Global(_) | Constant::Undef(_)) => {}
            ValueDefinition::Constant(_) => return false,
            // The host binds a buffer for every parameter, even if it is empty.
            ValueDefinition::Parameter { block, ty } if block == function.entry() => {
                if !function.is_kernel() || !matches!(ty, Type::Pointer(Space::Device | Space::Constant)) {
                    return false;
                }
            }
            ValueDefinition::Parameter { block, .. } => {
                let flow = flow.get_or_insert_with(|| ControlFlow::new(function));
                let index = function.block(block).parameters.iter().position(|&parameter| parameter == pointer);
                let Some(index) = index else { return false };
                work.extend(flow.edges(block).iter().map(|edge| rewrite::target(function, edge.from, edge.index).arguments[index]));
            }
            ValueDefinition::Instruction { instruction, .. } => match function.instruction(instruction).operation {
                Operation::Slot(_) => {}
                // There is no second element of nothing.
                Operation::Element { index, .. } if is_known_nonzero(function, index) => {}
                Operation::Element { base, .. } | Operation::Field { base, .. } => work.push(base),
                Operation::Cast(CastOperator::Space, base) => work.push(base),
                Operation::Select(_, a, b) => work.extend([a, b]),
                _ => return false,
            },
        }
    }
    true
}

/// Enough for every loop that people write; keeps the search from growing with the function.
const MAX_VALUES: usize = 64;

fn is_known_nonzero(function: &Function, value: ValueId) -> bool {
    function.constant(value).and_then(Constant::as_unsigned).is_some_and(|bits| bits != 0)
}
