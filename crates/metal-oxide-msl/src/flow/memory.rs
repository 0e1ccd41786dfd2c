//! Where pointers come from and what may change what they point at: enough to move a read to the place of its use.
//! Two pointers are taken to be apart only if they differ in space, or one of them is into a slot whose address stays in the function's hands.

use std::collections::{HashMap, HashSet};

use metal_oxide_ir::{Function, FunctionKind, InstructionId, KernelParameterKind, Operation, Space, Type, ValueDefinition, ValueId};

/// What an address was computed from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Origin {
    Slot(InstructionId),
    Value(ValueId),
}

/// Follows address arithmetic to its start.
pub(crate) fn origin(function: &Function, mut pointer: ValueId) -> Origin {
    loop {
        let Some(id) = function.defining_instruction(pointer) else { return Origin::Value(pointer) };
        match &function.instruction(id).operation {
            Operation::Element { base, .. } | Operation::Field { base, .. } | Operation::Offset { base, .. } => pointer = *base,
            Operation::Slot(_) => return Origin::Slot(id),
            _ => return Origin::Value(pointer),
        }
    }
}

/// Facts about a function's memory.
#[derive(Debug)]
pub(crate) struct Memory {
    escaped: HashSet<InstructionId>,
    read_only: HashSet<ValueId>,
}

impl Memory {
    pub(crate) fn new(function: &Function) -> Self {
        Memory { escaped: escaped(function), read_only: read_only(function) }
    }

    /// Whether nothing changes what a pointer points at while the function runs.
    pub(crate) fn is_immutable(&self, function: &Function, pointer: ValueId) -> bool {
        match function.ty(pointer) {
            Type::Pointer(Space::Constant) => true,
            Type::Pointer(Space::Device) => matches!(origin(function, pointer), Origin::Value(value) if self.read_only.contains(&value)),
            _ => false,
        }
    }

    /// Whether a slot's address is used for more than reading and writing it.
    pub(crate) fn escapes(&self, slot: InstructionId) -> bool {
        self.escaped.contains(&slot)
    }
}

/// The slots whose address becomes a value that somebody else may hold.
fn escaped(function: &Function) -> HashSet<InstructionId> {
    let mut escaped = HashSet::new();
    let mut leak = |value: ValueId| {
        if let (Type::Pointer(_), Origin::Slot(slot)) = (function.ty(value), origin(function, value)) {
            escaped.insert(slot);
        }
    };
    for block in &function.blocks {
        for &id in &block.instructions {
            match &function.instruction(id).operation {
                Operation::Load(_) | Operation::Copy { .. } | Operation::Element { .. } | Operation::Field { .. } => {}
                Operation::Offset { .. } => {}
                Operation::Store { value, .. } => leak(*value),
                other => other.operands(&mut leak),
            }
        }
        block.terminator.operands(&mut leak);
    }
    escaped
}

/// The buffers that a kernel only reads. The host lets nobody write them meanwhile.
fn read_only(function: &Function) -> HashSet<ValueId> {
    let FunctionKind::Kernel { parameters } = &function.kind else { return HashSet::new() };
    let mut values = function.parameters().iter();
    let mut found = HashSet::new();
    for parameter in parameters {
        let value = values.next();
        if let KernelParameterKind::Buffer { writable, .. } = parameter.kind {
            values.next();
            found.extend(value.filter(|_| !writable));
        }
    }
    found
}

/// The closest writes behind a place, while a block is walked backwards.
#[derive(Debug, Default)]
pub(crate) struct WritesAhead {
    device: Option<usize>,
    threadgroup: Option<usize>,
    thread: Option<usize>,
    slots: HashMap<InstructionId, usize>,
    any_access: Option<usize>,
}

impl WritesAhead {
    /// Notes an instruction at a position.
    pub(crate) fn note(&mut self, function: &Function, memory: &Memory, operation: &Operation, position: usize) {
        match operation {
            Operation::Load(_) => {}
            Operation::Store { pointer, .. } => self.write(function, memory, *pointer, position),
            Operation::Copy { to, .. } => self.write(function, memory, *to, position),
            Operation::Call(..) => {
                self.device = Some(position);
                self.threadgroup = Some(position);
                self.thread = Some(position);
            }
            _ => return,
        }
        self.any_access = Some(position);
    }

    /// Whether a read through `pointer` gives the same at a later position as here.
    pub(crate) fn can_read_at(&self, function: &Function, memory: &Memory, pointer: ValueId, later: usize) -> bool {
        let write = match function.ty(pointer) {
            _ if memory.is_immutable(function, pointer) => None,
            Type::Pointer(Space::Device) => self.device,
            Type::Pointer(Space::Threadgroup) => self.threadgroup,
            _ => match origin(function, pointer) {
                Origin::Slot(slot) if !memory.escapes(slot) => self.slots.get(&slot).copied(),
                _ => self.thread,
            },
        };
        write.is_none_or(|position| later <= position)
    }

    /// Whether nothing touches memory between here and a later position.
    pub(crate) fn is_quiet_until(&self, later: usize) -> bool {
        self.any_access.is_none_or(|position| later <= position)
    }

    fn write(&mut self, function: &Function, memory: &Memory, pointer: ValueId, position: usize) {
        match function.ty(pointer) {
            Type::Pointer(Space::Device) => self.device = Some(position),
            Type::Pointer(Space::Threadgroup) => self.threadgroup = Some(position),
            _ => match origin(function, pointer) {
                Origin::Slot(slot) if !memory.escapes(slot) => {
                    self.slots.insert(slot, position);
                }
                _ => self.thread = Some(position),
            },
        }
    }
}

/// Whether a value is a parameter of the function itself.
pub(crate) fn is_function_parameter(function: &Function, value: ValueId) -> bool {
    matches!(function.definition(value), ValueDefinition::Parameter { block, .. } if block == function.entry())
}
