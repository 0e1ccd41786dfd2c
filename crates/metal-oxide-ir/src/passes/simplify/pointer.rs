//! Address arithmetic: steps are joined, and comparisons of addresses with one base become comparisons of indices.
//! An `element` or `field` stays inside the object of its base, so its distance does not wrap.

use super::{Context, Simpler};
use crate::passes::layout;
use crate::passes::non_null;
use crate::{BinaryOperator, CastOperator, CompareOperator, Constant, Operation, Type, TypeId, ValueId};

impl Context<'_> {
    pub(super) fn simplify_element(&mut self, base: ValueId, index: ValueId, ty: TypeId) -> Option<Simpler> {
        if self.bits(index) == Some(0) || self.module.ty(ty).size == 0 {
            return Some(Simpler::Value(base));
        }
        let &Operation::Element { base, index: inner, ty: inner_ty } = self.operation(base)? else { return None };
        if inner_ty != ty {
            return None;
        }
        let index = self.binary(BinaryOperator::Add, inner, index);
        Some(Simpler::Operation(Operation::Element { base, index, ty }))
    }

    pub(super) fn simplify_offset(&mut self, base: ValueId, bytes: ValueId) -> Option<Simpler> {
        if self.bits(bytes) == Some(0) {
            return Some(Simpler::Value(base));
        }
        match *self.operation(base)? {
            Operation::Offset { base, bytes: inner } if self.bits(inner).is_some() && self.bits(bytes).is_some() => {
                let bytes = self.binary(BinaryOperator::Add, inner, bytes);
                Some(Simpler::Operation(Operation::Offset { base, bytes }))
            }
            _ => None,
        }
    }

    pub(super) fn simplify_field(&mut self, base: ValueId) -> Option<Simpler> {
        match self.function.constant(base)? {
            Constant::Undef(_) => Some(Simpler::Value(base)),
            _ => None,
        }
    }

    /// The pointer whose address a number is.
    pub(super) fn as_address(&self, value: ValueId) -> Option<ValueId> {
        match self.operation(value) {
            Some(&Operation::Cast(CastOperator::PointerToInteger, pointer)) => Some(pointer),
            _ => None,
        }
    }

    pub(super) fn simplify_pointer_compare(&mut self, operator: CompareOperator, a: ValueId, b: ValueId) -> Option<Simpler> {
        use CompareOperator::{Equal, NotEqual};
        if self.bits(b) == Some(0) {
            let never_null = non_null::is_non_null(self.function, a);
            return match operator {
                Equal if never_null => self.constant(Type::Bool, 0),
                NotEqual if never_null => self.constant(Type::Bool, 1),
                _ => None,
            };
        }
        if !matches!(operator, Equal | NotEqual) {
            return None;
        }
        // The same cast on both sides.
        if let (Some(&Operation::Cast(first, x)), Some(&Operation::Cast(second, y))) = (self.operation(a), self.operation(b))
            && first == second
            && self.function.ty(x) == self.function.ty(y)
        {
            return Some(Simpler::Operation(Operation::Compare(operator, x, y)));
        }
        let (first, second) = (self.decompose(a), self.decompose(b));
        if first.base != second.base {
            return None;
        }
        let zero = self.integer(Type::I64, 0);
        match (first.element, second.element) {
            (None, None) => self.constant(Type::Bool, ((first.bytes == second.bytes) == (operator == Equal)).into()),
            (Some((x, size)), Some((y, other))) if size == other && first.bytes == second.bytes => {
                Some(Simpler::Operation(Operation::Compare(operator, x, y)))
            }
            (Some((x, _)), None) | (None, Some((x, _))) if first.bytes == second.bytes => {
                Some(Simpler::Operation(Operation::Compare(operator, x, zero)))
            }
            // A whole number of elements apart.
            (Some((x, size)), None) if (second.bytes - first.bytes) % i128::from(size) == 0 => {
                let index = self.integer(Type::I64, (second.bytes - first.bytes) / i128::from(size));
                Some(Simpler::Operation(Operation::Compare(operator, x, index)))
            }
            (None, Some((y, size))) if (first.bytes - second.bytes) % i128::from(size) == 0 => {
                let index = self.integer(Type::I64, (first.bytes - second.bytes) / i128::from(size));
                Some(Simpler::Operation(Operation::Compare(operator, y, index)))
            }
            _ => None,
        }
    }

    /// The number of elements of a size between two addresses.
    pub(super) fn element_distance(&mut self, a: ValueId, b: ValueId, size: u64) -> Option<ValueId> {
        let (first, second) = (self.decompose(a), self.decompose(b));
        if first.base != second.base {
            return None;
        }
        let bytes = first.bytes - second.bytes;
        let fits = |element: Option<(ValueId, u64)>| element.is_none_or(|(_, other)| other == size);
        if size == 0 || bytes % i128::from(size) != 0 || !fits(first.element) || !fits(second.element) {
            return None;
        }
        let constant = self.integer(Type::I64, bytes / i128::from(size));
        let difference = match (first.element, second.element) {
            (None, None) => return Some(constant),
            (Some((x, _)), None) => x,
            (Some((x, _)), Some((y, _))) => self.binary(BinaryOperator::Sub, x, y),
            (None, Some((y, _))) => return Some(self.binary(BinaryOperator::Sub, constant, y)),
        };
        Some(self.binary(BinaryOperator::Add, difference, constant))
    }

    /// An address as a base, a number of elements and a constant distance.
    fn decompose(&self, pointer: ValueId) -> Address {
        let mut address = Address { base: pointer, element: None, bytes: 0 };
        while let Some(operation) = self.operation(address.base) {
            if let Some(distance) = layout::constant_distance(self.function, self.module, operation) {
                address.bytes += i128::from(distance);
            } else if let (&Operation::Element { index, ty, .. }, None) = (operation, address.element) {
                address.element = Some((index, self.module.ty(ty).size));
            } else {
                break;
            }
            match *operation {
                Operation::Element { base, .. } | Operation::Field { base, .. } | Operation::Offset { base, .. } => address.base = base,
                _ => break,
            }
        }
        address
    }
}

/// `base + index * size + bytes`.
struct Address {
    base: ValueId,
    element: Option<(ValueId, u64)>,
    bytes: i128,
}
