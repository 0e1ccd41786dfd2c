//! Memory as objects of bytes. Each byte knows whether it is initialised, and which pointer it is a part of.
//! Pointers carry the object that they point into, so that leaving it is noticed wherever the address happens to lead.

use std::collections::HashMap;

use super::violation::ViolationKind;
use crate::{Space, Type};

/// A value of an SSA type, which whoever uses the value knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Value {
    /// Any value.
    Undefined,
    /// Bits, with the object that a pointer or an integer made from one points into.
    Known {
        /// The bits, zero-extended.
        bits: u128,
        /// The object.
        object: Option<ObjectId>,
    },
}

impl Value {
    pub(super) fn bits(bits: u128) -> Self {
        Value::Known { bits, object: None }
    }
}

/// The name of an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum ObjectId {
    /// Memory that all threads see.
    Shared(usize),
    /// Memory of the running thread.
    Own(usize),
}

/// A piece of memory.
pub(super) struct Object {
    pub(super) base: u64,
    pub(super) space: Space,
    pub(super) writable: bool,
    /// Whether the function that owns it is still active.
    pub(super) alive: bool,
    pub(super) bytes: Vec<u8>,
    pub(super) defined: Vec<bool>,
    /// The objects that the bytes of stored pointers refer to.
    pub(super) pointers: HashMap<usize, ObjectId>,
}

/// Objects at increasing addresses.
pub(super) struct Arena {
    pub(super) objects: Vec<Object>,
    next: u64,
}

/// Bytes between objects, so that an address just behind one is not the next one's.
const GAP: u64 = 64;

impl Arena {
    /// An arena whose objects stand at `start` and above.
    pub(super) fn new(start: u64) -> Self {
        Arena { objects: Vec::new(), next: start }
    }

    /// Adds an object and returns its index. Its address is a multiple of `align` but of no higher power of two, so that accesses which rely
    /// on more are noticed.
    pub(super) fn add(&mut self, bytes: Vec<u8>, defined: bool, align: u64, space: Space, writable: bool) -> usize {
        let align = align.max(1);
        let base = self.next.next_multiple_of(2 * align) + align;
        self.next = base + bytes.len() as u64 + GAP;
        let defined = vec![defined; bytes.len()];
        self.objects.push(Object { base, space, writable, alive: true, bytes, defined, pointers: HashMap::new() });
        self.objects.len() - 1
    }
}

/// The memory that one thread sees.
pub(super) struct View<'a> {
    pub(super) shared: &'a mut Arena,
    pub(super) own: &'a mut Arena,
}

/// A place that may be accessed.
#[derive(Clone, Copy)]
struct Accessible {
    object: ObjectId,
    offset: usize,
}

impl View<'_> {
    pub(super) fn object(&mut self, id: ObjectId) -> &mut Object {
        match id {
            ObjectId::Shared(index) => &mut self.shared.objects[index],
            ObjectId::Own(index) => &mut self.own.objects[index],
        }
    }

    /// Checks an access through a pointer of type `ptr<space>`.
    fn access(&mut self, pointer: Value, space: Space, bytes: u64, align: u64, write: bool) -> Result<Accessible, ViolationKind> {
        let Value::Known { bits, object } = pointer else { return Err(ViolationKind::UndefinedValue("an address")) };
        let address = bits as u64;
        let id = object.ok_or(ViolationKind::NoMemory(address))?;
        let object = self.object(id);
        if !object.alive {
            return Err(ViolationKind::Dangling);
        }
        let (offset, size) = (i128::from(address) - i128::from(object.base), object.bytes.len() as u64);
        if offset < 0 || offset + i128::from(bytes) > i128::from(size) {
            return Err(ViolationKind::OutOfBounds { offset, bytes, size });
        }
        if !address.is_multiple_of(align) {
            return Err(ViolationKind::Misaligned { address, align });
        }
        if write && !object.writable {
            return Err(ViolationKind::ReadOnly);
        }
        if space != Space::Generic && space != object.space {
            return Err(ViolationKind::WrongSpace { claimed: space, actual: object.space });
        }
        Ok(Accessible { object: id, offset: offset as usize })
    }

    /// Reads a value. It is undefined if any of its bytes is.
    pub(super) fn load(&mut self, pointer: Value, space: Space, ty: Type) -> Result<Value, ViolationKind> {
        let size = ty.size() as usize;
        let place = self.access(pointer, space, ty.size(), ty.size(), false)?;
        let object = self.object(place.object);
        let range = place.offset..place.offset + size;
        if !object.defined[range.clone()].iter().all(|&defined| defined) {
            return Ok(Value::Undefined);
        }
        let bits = object.bytes[range.clone()].iter().rev().fold(0, |bits, &byte| bits << 8 | u128::from(byte));
        if ty == Type::Bool && bits > 1 {
            // Only a byte written as something else is no `bool`.
            return Ok(Value::Undefined);
        }
        let first = object.pointers.get(&place.offset).copied();
        let whole = first.filter(|_| range.clone().all(|offset| object.pointers.get(&offset).copied() == first));
        Ok(Value::Known { bits, object: whole })
    }

    /// Writes a value.
    pub(super) fn store(&mut self, pointer: Value, space: Space, ty: Type, value: Value) -> Result<(), ViolationKind> {
        let place = self.access(pointer, space, ty.size(), ty.size(), true)?;
        let object = self.object(place.object);
        for index in 0..ty.size() as usize {
            let offset = place.offset + index;
            match value {
                Value::Undefined => object.set(offset, 0, false, None),
                // What other threads read must not name this thread's objects.
                Value::Known { bits, object: target } => {
                    let target = target.filter(|_| matches!(place.object, ObjectId::Own(_)));
                    object.set(offset, (bits >> (8 * index)) as u8, true, target);
                }
            }
        }
        Ok(())
    }

    /// Copies bytes, initialised or not.
    pub(super) fn copy(&mut self, to: (Value, Space), from: (Value, Space), bytes: u64, align: u64) -> Result<(), ViolationKind> {
        if bytes == 0 {
            return Ok(());
        }
        let source = self.access(from.0, from.1, bytes, align, false)?;
        let target = self.access(to.0, to.1, bytes, align, true)?;
        if source.object == target.object && source.offset.abs_diff(target.offset) < bytes as usize {
            return Err(ViolationKind::Overlap);
        }
        for index in 0..bytes as usize {
            let object = self.object(source.object);
            let offset = source.offset + index;
            let (byte, defined, pointer) = (object.bytes[offset], object.defined[offset], object.pointers.get(&offset).copied());
            let pointer = pointer.filter(|_| matches!(target.object, ObjectId::Own(_)));
            self.object(target.object).set(target.offset + index, byte, defined, pointer);
        }
        Ok(())
    }
}

impl Object {
    fn set(&mut self, offset: usize, byte: u8, defined: bool, pointer: Option<ObjectId>) {
        self.bytes[offset] = byte;
        self.defined[offset] = defined;
        match pointer {
            Some(pointer) => {
                self.pointers.insert(offset, pointer);
            }
            None => {
                self.pointers.remove(&offset);
            }
        }
    }
}
