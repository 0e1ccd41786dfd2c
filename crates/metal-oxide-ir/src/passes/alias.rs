//! Whether two accesses to memory can touch the same bytes.
//! Slots, tables and kernel buffers are distinct objects; within one object, distances are compared as far as they are known.

use std::collections::HashSet;

use crate::passes::layout;
use crate::passes::rewrite::{as_sum, root};
use crate::{CastOperator, Constant, Function, FunctionKind, KernelParameterKind, Module, Operation, ValueDefinition, ValueId};

/// Some bytes of memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Location {
    /// Where they start.
    pub pointer: ValueId,
    /// How many.
    pub size: u64,
}

/// What is known about the objects that a function accesses.
pub(super) struct Aliases {
    /// Slots whose address goes where it cannot be followed.
    escaped: HashSet<ValueId>,
    /// Kernel parameters whose memory nobody writes while the kernel runs.
    read_only: HashSet<ValueId>,
}

/// What an address was computed from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Object {
    Slot(ValueId),
    /// A table, or a parameter of a kernel.
    Given(ValueId),
    Unknown,
}

impl Aliases {
    /// Looks for slots that escape.
    pub fn new(function: &Function) -> Self {
        let mut escaped = HashSet::new();
        let mut escape = |value: ValueId| {
            if function.ty(value).is_pointer() {
                let root = root(function, value);
                if matches!(function.defining_operation(root), Some(Operation::Slot(_))) {
                    escaped.insert(root);
                }
            }
        };
        for block in &function.blocks {
            for &id in &block.instructions {
                match function.instruction(id).operation {
                    Operation::Load(_) | Operation::Copy { .. } | Operation::Compare(..) | Operation::Slot(_) => {}
                    Operation::Element { .. } | Operation::Field { .. } | Operation::Offset { .. } => {}
                    Operation::Cast(CastOperator::Space, _) => {}
                    Operation::Store { value, .. } => escape(value),
                    ref other => other.operands(&mut escape),
                }
            }
            block.terminator.operands(&mut escape);
        }
        Aliases { escaped, read_only: read_only_parameters(function) }
    }

    fn object(&self, function: &Function, pointer: ValueId) -> Object {
        let root = root(function, pointer);
        match function.definition(root) {
            ValueDefinition::Constant(Constant::Global(_)) => Object::Given(root),
            ValueDefinition::Parameter { block, .. } if block == function.entry() && function.is_kernel() => Object::Given(root),
            ValueDefinition::Instruction { .. } if matches!(function.defining_operation(root), Some(Operation::Slot(_))) => {
                Object::Slot(root)
            }
            _ => Object::Unknown,
        }
    }

    /// Whether nothing can change what stands at an address while the function runs.
    pub fn is_read_only(&self, function: &Function, pointer: ValueId) -> bool {
        let root = root(function, pointer);
        self.read_only.contains(&root) || matches!(function.constant(root), Some(Constant::Global(_)))
    }

    /// Whether only accesses through addresses that can be followed reach an address.
    pub fn is_private(&self, function: &Function, pointer: ValueId) -> bool {
        matches!(self.object(function, pointer), Object::Slot(slot) if !self.escaped.contains(&slot))
    }

    /// Whether two accesses can overlap.
    pub fn may_alias(&self, function: &Function, module: &Module, a: Location, b: Location) -> bool {
        match (self.object(function, a.pointer), self.object(function, b.pointer)) {
            (Object::Unknown, Object::Unknown) => {}
            (Object::Slot(slot), Object::Unknown) | (Object::Unknown, Object::Slot(slot)) => return self.escaped.contains(&slot),
            (Object::Given(_), Object::Unknown) | (Object::Unknown, Object::Given(_)) => return true,
            (first, second) if first != second => return false,
            _ => {}
        }
        match self.distance(function, module, a.pointer, b.pointer) {
            Some(distance) => distance < i128::from(a.size) && -distance < i128::from(b.size),
            None => true,
        }
    }

    /// How far `b` stands after `a`, in bytes.
    pub fn distance(&self, function: &Function, module: &Module, a: ValueId, b: ValueId) -> Option<i128> {
        let (a, b) = (Address::of(function, module, a), Address::of(function, module, b));
        (a.base == b.base).then(|| b.bytes - a.bytes)
    }
}

fn read_only_parameters(function: &Function) -> HashSet<ValueId> {
    let FunctionKind::Kernel { parameters } = &function.kind else { return HashSet::new() };
    let mut values = function.parameters().iter();
    let mut read_only = HashSet::new();
    for parameter in parameters {
        let Some(&value) = values.next() else { break };
        match parameter.kind {
            KernelParameterKind::Buffer { writable, .. } => {
                values.next();
                if !writable {
                    read_only.insert(value);
                }
            }
            KernelParameterKind::Scalar { .. } => {}
            KernelParameterKind::Aggregate { .. } => {
                read_only.insert(value);
            }
        }
    }
    read_only
}

/// An address as a constant distance from the last step that is not constant.
struct Address {
    /// The value that the distance is added to, and the index of its element if it is the base of a step by a variable index plus a constant.
    base: (ValueId, Option<(ValueId, u64)>),
    bytes: i128,
}

impl Address {
    fn of(function: &Function, module: &Module, pointer: ValueId) -> Self {
        let mut bytes = 0i128;
        let mut current = pointer;
        while let Some(operation) = function.defining_operation(current) {
            if let Some(distance) = layout::constant_distance(function, module, operation) {
                bytes += i128::from(distance);
                match *operation {
                    Operation::Element { base, .. } | Operation::Field { base, .. } | Operation::Offset { base, .. } => current = base,
                    _ => break,
                }
            } else if let Operation::Cast(CastOperator::Space, base) = *operation {
                current = base;
            } else if let Operation::Element { base, index, ty } = *operation {
                let size = module.ty(ty).size;
                let (index, constant) = as_sum(function, index);
                bytes += constant * i128::from(size);
                return Address { base: (base, Some((index, size))), bytes };
            } else {
                break;
            }
        }
        Address { base: (current, None), bytes }
    }
}
