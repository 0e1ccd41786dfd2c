//! How instructions access slots whose addresses can be followed, and at which blocks the contents of a slot matter.

use std::collections::HashMap;

use crate::analysis::ControlFlow;
use crate::passes::alias::Aliases;
use crate::passes::layout;
use crate::{BlockId, CastOperator, Function, InstructionId, Module, Operation, ValueId};

/// The bytes of a slot that an instruction accesses. Without a range it can be any of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Access {
    /// The index of the slot in [`Slots::all`].
    pub slot: usize,
    /// The first byte and the one behind the last.
    pub range: Option<(u64, u64)>,
}

/// The slots of a function that are accessed through addresses that can be followed.
pub(super) struct Slots {
    /// The slots' addresses, in order of their instructions.
    pub all: Vec<ValueId>,
    /// Their sizes.
    pub sizes: Vec<u64>,
    indices: HashMap<ValueId, usize>,
}

impl Slots {
    /// Finds the slots.
    pub fn new(function: &Function, module: &Module, flow: &ControlFlow, aliases: &Aliases) -> Self {
        let mut slots = Slots { all: Vec::new(), sizes: Vec::new(), indices: HashMap::new() };
        for &id in flow.reverse_postorder().iter().flat_map(|&block| &function.block(block).instructions) {
            let instruction = function.instruction(id);
            if let (&Operation::Slot(ty), Some(slot)) = (&instruction.operation, instruction.result)
                && aliases.is_private(function, slot)
            {
                slots.indices.insert(slot, slots.all.len());
                slots.all.push(slot);
                slots.sizes.push(module.ty(ty).size);
            }
        }
        slots
    }

    /// The access of `bytes` bytes through an address, if it is in one of the slots.
    pub fn locate(&self, function: &Function, module: &Module, pointer: ValueId, bytes: u64) -> Option<Access> {
        let (root, offset) = trace(function, module, pointer);
        let &slot = self.indices.get(&root)?;
        let range = offset.and_then(|offset| u64::try_from(offset).ok()).map(|start| (start, start + bytes));
        Some(Access { slot, range })
    }

    /// What an instruction reads from slots and what it writes to them.
    pub fn accesses(&self, function: &Function, module: &Module, id: InstructionId) -> (Option<Access>, Option<Access>) {
        let instruction = function.instruction(id);
        let locate = |pointer, bytes| self.locate(function, module, pointer, bytes);
        match instruction.operation {
            Operation::Load(pointer) => {
                let bytes = instruction.result.map_or(0, |result| function.ty(result).size());
                (locate(pointer, bytes), None)
            }
            Operation::Store { pointer, value } => (None, locate(pointer, function.ty(value).size())),
            Operation::Copy { to, from, bytes, .. } => (locate(from, bytes), locate(to, bytes)),
            _ => (None, None),
        }
    }

    /// Whether an access covers its slot.
    pub fn is_whole(&self, access: Access) -> bool {
        access.range.is_some_and(|(start, end)| start == 0 && end >= self.sizes[access.slot])
    }
}

/// The value that an address is computed from, and the distance between them if it is constant.
pub(super) fn trace(function: &Function, module: &Module, pointer: ValueId) -> (ValueId, Option<i64>) {
    let (mut current, mut offset) = (pointer, Some(0i64));
    while let Some(operation) = function.defining_operation(current) {
        current = match *operation {
            Operation::Element { base, .. } | Operation::Field { base, .. } | Operation::Offset { base, .. } => {
                let distance = layout::constant_distance(function, module, operation);
                offset = offset.zip(distance).and_then(|(offset, distance)| offset.checked_add(distance));
                base
            }
            Operation::Cast(CastOperator::Space, base) => base,
            _ => break,
        };
    }
    (current, offset)
}

/// The blocks on whose entry, and on whose end, the contents of each slot can still be read.
pub(super) struct Liveness {
    /// For each block, whether each slot is live on entry.
    pub live_in: Vec<Vec<bool>>,
    /// For each block, whether each slot is live at its end.
    pub live_out: Vec<Vec<bool>>,
}

impl Liveness {
    /// Works backwards from reads to writes of all bytes.
    pub fn new(function: &Function, module: &Module, flow: &ControlFlow, slots: &Slots) -> Self {
        let count = slots.all.len();
        let blocks = function.blocks.len();
        let mut exposed = vec![vec![false; count]; blocks];
        let mut killed = vec![vec![false; count]; blocks];
        for &block in flow.reverse_postorder() {
            let mut written: HashMap<usize, Written> = HashMap::new();
            for &id in &function.block(block).instructions {
                let (read, write) = slots.accesses(function, module, id);
                if let Some(read) = read {
                    let covered = written.get(&read.slot).is_some_and(|written| match read.range {
                        Some((start, end)) => written.covers(start, end),
                        None => written.covers(0, slots.sizes[read.slot]),
                    });
                    exposed[block.index()][read.slot] |= !covered;
                }
                if let Some(Access { slot, range: Some((start, end)) }) = write {
                    let written = written.entry(slot).or_default();
                    written.add(start, end);
                    killed[block.index()][slot] |= written.covers(0, slots.sizes[slot]);
                }
            }
        }

        let mut live_in = exposed;
        let mut live_out = vec![vec![false; count]; blocks];
        let mut work: Vec<BlockId> = flow.reverse_postorder().to_vec();
        while let Some(block) = work.pop() {
            let mut grown = false;
            for slot in 0..count {
                let live = function.block(block).terminator.targets().any(|target| live_in[target.block.index()][slot]);
                live_out[block.index()][slot] = live;
                if live && !killed[block.index()][slot] && !live_in[block.index()][slot] {
                    live_in[block.index()][slot] = true;
                    grown = true;
                }
            }
            if grown {
                work.extend(flow.predecessors(block));
            }
        }
        Liveness { live_in, live_out }
    }
}

/// Byte ranges that have been written, in order and joined.
#[derive(Default)]
struct Written(Vec<(u64, u64)>);

impl Written {
    fn add(&mut self, start: u64, end: u64) {
        let (mut start, mut end) = (start, end);
        self.0.retain(|&(from, to)| {
            let apart = to < start || from > end;
            if !apart {
                start = start.min(from);
                end = end.max(to);
            }
            apart
        });
        self.0.push((start, end));
    }

    fn covers(&self, start: u64, end: u64) -> bool {
        self.0.iter().any(|&(from, to)| from <= start && end <= to)
    }
}
