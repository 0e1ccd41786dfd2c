//! Splits slots into the byte ranges by which they are accessed, so that each becomes a scalar that can live in a value.
//! Copies of aggregates become loads and stores of their parts; slots that are indexed at run time stay whole.

mod partition;
mod rewrite;
mod uses;

use partition::Division;
use rewrite::Rewriter;
use uses::Uses;

use crate::passes::Pass;
use crate::passes::layout;
use crate::{Function, Module, Operation, TypeId, ValueId};

/// The pass.
pub struct Sroa;

impl Pass for Sroa {
    fn name(&self) -> &'static str {
        "sroa"
    }

    fn run(&self, function: &mut Function, module: &mut Module) -> bool {
        let mut uses = Uses::collect(function, module);
        if uses.slots.is_empty() {
            return false;
        }
        let (mut divisions, copies) = uses.divisions(module);
        partition::spread(module, &mut divisions, &copies);

        let split: Vec<bool> = divisions.iter().enumerate().map(|(slot, division)| worth(&uses, slot, division)).collect();
        if !split.contains(&true) {
            return false;
        }
        let parts =
            divisions.iter().zip(&split).map(|(division, &split)| if split { part_types(module, division) } else { Vec::new() }).collect();
        Rewriter::new(module, &uses, &divisions, split, parts).run(function);
        true
    }
}

/// Whether splitting a slot changes anything.
fn worth(uses: &Uses, slot: usize, division: &Division) -> bool {
    match &division.parts[..] {
        // Nothing in it matters; the slot goes.
        [] => division.size > 0 && !uses.slots[slot].1,
        [only] => match only.scalar() {
            Some(_) => !(uses.slots[slot].1 && only.types.len() == 1 && only.size() == division.size),
            None => only.size() != division.size,
        },
        _ => true,
    }
}

/// The memory types of a slot's parts.
fn part_types(module: &mut Module, division: &Division) -> Vec<TypeId> {
    let align = module.ty(division.ty).align;
    let types = division.parts.iter().map(|part| match part.scalar() {
        Some(ty) => layout::scalar(module, ty),
        None => layout::type_at(module, division.ty, part.start, part.size()).unwrap_or_else(|| {
            // What is inside is aligned to its size, so that the part's size is a multiple of all that its contents need.
            let lowest = (part.start | part.size()).trailing_zeros();
            layout::opaque(module, part.size(), align.min(1 << lowest))
        }),
    });
    types.collect()
}

/// What a part of a slot is called: after the variable and the field.
fn part_name(function: &Function, module: &Module, slot: ValueId, division: &Division, start: u64, size: u64) -> Option<String> {
    let variable = function.name(slot)?;
    if start == 0 && size == division.size {
        return Some(variable.to_owned());
    }
    let field = layout::field_name(module, division.ty, start, size)?;
    Some(format!("{variable}_{field}"))
}

/// Whether an operation only computes an address.
fn is_address(operation: &Operation) -> bool {
    matches!(
        operation,
        Operation::Slot(_)
            | Operation::Element { .. }
            | Operation::Field { .. }
            | Operation::Offset { .. }
            | Operation::Cast(crate::CastOperator::Space, _)
    )
}
