//! Simplifies accesses to memory that need no knowledge of other accesses: tables of constants, and effects that do nothing.

use super::{Context, Simpler};
use crate::passes::layout;
use crate::{Constant, Operation, Type, ValueId};

impl Context<'_> {
    pub(super) fn simplify_effect(&mut self, operation: &Operation) -> Option<Simpler> {
        let undefined = |value: ValueId| matches!(self.function.constant(value), Some(Constant::Undef(_)));
        match *operation {
            // Memory may keep what it holds.
            Operation::Store { value, .. } if undefined(value) => Some(Simpler::Nothing),
            Operation::Copy { bytes: 0, .. } => Some(Simpler::Nothing),
            Operation::Copy { to, from, .. } if to == from => Some(Simpler::Nothing),
            Operation::Assume(condition) => match self.function.constant(condition)? {
                Constant::Bits { bits: 0, .. } => None,
                _ => Some(Simpler::Nothing),
            },
            _ => None,
        }
    }

    /// A load from a table at a place that is known.
    pub(super) fn simplify_load(&mut self, pointer: ValueId, ty: Type) -> Option<Simpler> {
        let mut offset = 0i64;
        let mut base = pointer;
        while let Some(operation) = self.operation(base) {
            base = match *operation {
                Operation::Cast(crate::CastOperator::Space, inner) => inner,
                Operation::Element { base: inner, .. } | Operation::Field { base: inner, .. } | Operation::Offset { base: inner, .. } => {
                    offset = offset.checked_add(layout::constant_distance(self.function, self.module, operation)?)?;
                    inner
                }
                _ => return None,
            };
        }
        let Some(Constant::Global(global)) = self.function.constant(base) else { return None };
        let global = &self.module.globals[global.index()];
        let start = usize::try_from(offset).ok()?;
        let bytes = global.bytes.get(start..start.checked_add(ty.size() as usize)?)?;
        let size = ty.size();
        let overlapping = global.relocations.iter().find(|relocation| {
            let distance = relocation.offset.abs_diff(start as u64);
            distance < if relocation.offset < start as u64 { 8 } else { size }
        });
        if let Some(relocation) = overlapping {
            let whole = relocation.offset == start as u64 && relocation.addend == 0 && ty.is_pointer();
            if !whole {
                return None;
            }
            let target = self.function.add_constant(Constant::Global(relocation.target));
            return match self.function.ty(target) == ty {
                true => Some(Simpler::Value(target)),
                false => Some(Simpler::Operation(Operation::Cast(crate::CastOperator::Space, target))),
            };
        }
        let bits = bytes.iter().rev().fold(0u128, |bits, &byte| bits << 8 | u128::from(byte));
        let bits = if ty == Type::Bool { bits & 1 } else { bits };
        Some(Simpler::Value(self.function.add_constant(Constant::Bits { ty, bits })))
    }
}
