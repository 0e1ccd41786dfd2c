//! Which bits of an integer are known, and which narrower value a range of bits is.
//! Looks a few operations back.

use super::Context;
use crate::{BinaryOperator, CastOperator, Constant, Operation, Type, ValueId};

const MAX_DEPTH: u32 = 6;

impl Context<'_> {
    /// The bits of an integer or `bool` that are certainly zero, and those that are certainly one. Bits above the width are zero.
    pub(super) fn known_bits(&self, value: ValueId) -> (u128, u128) {
        self.known_bits_at(value, MAX_DEPTH)
    }

    fn known_bits_at(&self, value: ValueId, depth: u32) -> (u128, u128) {
        let ty = self.function.ty(value);
        let mask = u128::MAX >> (128 - ty.bits());
        let (zeros, ones) = self.known_bits_within(value, ty, depth);
        (zeros | !mask, ones & mask)
    }

    fn known_bits_within(&self, value: ValueId, ty: Type, depth: u32) -> (u128, u128) {
        use BinaryOperator::*;
        if let Some(Constant::Bits { bits, .. }) = self.function.constant(value) {
            return (!bits, bits);
        }
        if depth == 0 {
            return (0, 0);
        }
        let known = |value: ValueId| self.known_bits_at(value, depth - 1);
        match self.operation(value) {
            Some(&Operation::Binary(operator, a, b)) if ty.is_integer() || ty == Type::Bool => match operator {
                And => {
                    let ((zeros_a, ones_a), (zeros_b, ones_b)) = (known(a), known(b));
                    (zeros_a | zeros_b, ones_a & ones_b)
                }
                Or => {
                    let ((zeros_a, ones_a), (zeros_b, ones_b)) = (known(a), known(b));
                    (zeros_a & zeros_b, ones_a | ones_b)
                }
                Xor => {
                    let ((zeros_a, ones_a), (zeros_b, ones_b)) = (known(a), known(b));
                    (zeros_a & zeros_b | ones_a & ones_b, zeros_a & ones_b | ones_a & zeros_b)
                }
                ShiftLeft | ShiftRightUnsigned => {
                    let Some(count) = self.bits(b).filter(|&count| count < u128::from(ty.bits())) else { return (0, 0) };
                    let (zeros, ones) = known(a);
                    match operator {
                        ShiftLeft => (zeros << count | !(u128::MAX << count), ones << count),
                        _ => (zeros >> count | !(u128::MAX >> count), ones >> count),
                    }
                }
                RemUnsigned => match self.bits(b) {
                    Some(divisor) if divisor > 0 => (above(divisor - 1), 0),
                    _ => (0, 0),
                },
                DivUnsigned => match self.bits(b) {
                    Some(divisor) if divisor > 0 => (above(!known(a).0 / divisor), 0),
                    _ => (0, 0),
                },
                MinUnsigned => (above((!known(a).0).min(!known(b).0)), 0),
                Add => {
                    // A sum that cannot carry out of a bit leaves those above it zero.
                    let (largest_a, largest_b) = (!known(a).0, !known(b).0);
                    match largest_a.checked_add(largest_b) {
                        Some(largest) if ty.bits() == 128 || largest >> ty.bits() == 0 => (above(largest), 0),
                        _ => (0, 0),
                    }
                }
                Mul => match (!known(a).0).checked_mul(!known(b).0) {
                    Some(largest) if ty.bits() == 128 || largest >> ty.bits() == 0 => (above(largest), 0),
                    _ => (0, 0),
                },
                _ => (0, 0),
            },
            Some(&Operation::Cast(CastOperator::ZeroExtend, a)) => known(a),
            Some(&Operation::Cast(CastOperator::Truncate, a)) => known(a),
            Some(&Operation::Select(_, a, b)) if !ty.is_float() => {
                let ((zeros_a, ones_a), (zeros_b, ones_b)) = (known(a), known(b));
                (zeros_a & zeros_b, ones_a & ones_b)
            }
            _ => (0, 0),
        }
    }

    /// A value of type `ty` that is the bits from `offset` of an integer, if there is one.
    pub(super) fn extract(&mut self, value: ValueId, offset: u32, ty: Type) -> Option<ValueId> {
        self.extract_at(value, offset, ty, MAX_DEPTH)
    }

    fn extract_at(&mut self, value: ValueId, offset: u32, ty: Type, depth: u32) -> Option<ValueId> {
        use BinaryOperator::*;
        if offset == 0 && self.function.ty(value) == ty {
            return Some(value);
        }
        let width = self.function.ty(value).bits();
        if depth == 0 || offset + ty.bits() > width {
            return None;
        }
        if let Some(bits) = self.bits(value) {
            return Some(self.integer(ty, (bits >> offset) as i128));
        }
        let wanted = (u128::MAX >> (128 - ty.bits())) << offset;
        match *self.operation(value)? {
            Operation::Binary(Or, a, b) => {
                if self.known_bits(a).0 & wanted == wanted {
                    self.extract_at(b, offset, ty, depth - 1)
                } else if self.known_bits(b).0 & wanted == wanted {
                    self.extract_at(a, offset, ty, depth - 1)
                } else {
                    None
                }
            }
            Operation::Binary(And, a, mask) => match self.bits(mask)? & wanted {
                bits if bits == wanted => self.extract_at(a, offset, ty, depth - 1),
                0 => Some(self.integer(ty, 0)),
                _ => None,
            },
            Operation::Binary(ShiftLeft, a, count) => {
                let count = u32::try_from(self.bits(count)?).ok().filter(|&count| count < width)?;
                match offset.checked_sub(count) {
                    Some(offset) => self.extract_at(a, offset, ty, depth - 1),
                    None if count >= offset + ty.bits() => Some(self.integer(ty, 0)),
                    None => None,
                }
            }
            Operation::Binary(ShiftRightUnsigned, a, count) => {
                let count = u32::try_from(self.bits(count)?).ok().filter(|&count| count < width)?;
                self.extract_at(a, offset + count, ty, depth - 1)
            }
            Operation::Cast(CastOperator::ZeroExtend, a) if offset >= self.function.ty(a).bits() => Some(self.integer(ty, 0)),
            Operation::Cast(CastOperator::ZeroExtend | CastOperator::SignExtend | CastOperator::Truncate, a) => {
                self.extract_at(a, offset, ty, depth - 1)
            }
            _ => None,
        }
    }
}

/// The bits above those that numbers up to `largest` need.
fn above(largest: u128) -> u128 {
    match largest.leading_zeros() {
        0 => 0,
        unused => u128::MAX << (128 - unused),
    }
}
