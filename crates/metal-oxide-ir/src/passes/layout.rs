//! Questions about memory types: what stands at an offset, and how to get there.
//! Builds addresses along the type's structure, so that they can be read.

use crate::passes::builder::Sequence;
use crate::{Constant, Function, MemoryKind, MemoryType, Module, Operation, Type, TypeId, ValueId};

/// A part of a memory type that has no parts itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Leaf {
    /// Bytes from the start.
    pub offset: u64,
    /// Bytes.
    pub size: u64,
    /// The type of the value; none if the bytes mean different things at different times.
    pub ty: Option<Type>,
}

/// The leaves of a type by increasing offset; what none of them covers is padding. `None` if there are more than `limit`.
pub(super) fn leaves(module: &Module, ty: TypeId, limit: usize) -> Option<Vec<Leaf>> {
    let mut leaves = Vec::new();
    collect_leaves(module, ty, 0, limit, &mut leaves).then_some(leaves)
}

fn collect_leaves(module: &Module, ty: TypeId, offset: u64, limit: usize, leaves: &mut Vec<Leaf>) -> bool {
    let memory = module.ty(ty);
    match &memory.kind {
        MemoryKind::Scalar { ty, .. } => leaves.push(Leaf { offset, size: memory.size, ty: Some(*ty) }),
        MemoryKind::Opaque => leaves.push(Leaf { offset, size: memory.size, ty: None }),
        MemoryKind::Array { element, count } => {
            let stride = module.ty(*element).size;
            for index in 0..if stride == 0 { 0 } else { *count } {
                if !collect_leaves(module, *element, offset + index * stride, limit, leaves) {
                    return false;
                }
            }
        }
        MemoryKind::Struct { fields } => {
            for field in fields {
                if !collect_leaves(module, field.ty, offset + field.offset, limit, leaves) {
                    return false;
                }
            }
        }
    }
    leaves.len() <= limit
}

/// The outermost type inside `ty` that spans exactly the `size` bytes from `offset`.
pub(super) fn type_at(module: &Module, ty: TypeId, offset: u64, size: u64) -> Option<TypeId> {
    let mut current = ty;
    let mut offset = offset;
    loop {
        let memory = module.ty(current);
        if offset == 0 && memory.size == size {
            return Some(current);
        }
        (current, offset) = step(module, current, offset).map(|(inner, rest, _)| (inner, rest))?;
    }
}

/// The bytes of the outermost array inside `ty` that starts at `offset` and is not all of `ty`.
pub(super) fn array_at(module: &Module, ty: TypeId, offset: u64) -> Option<(u64, u64)> {
    let (mut current, mut rest) = (ty, offset);
    loop {
        (current, rest) = step(module, current, rest).map(|(inner, rest, _)| (inner, rest))?;
        let memory = module.ty(current);
        if rest == 0 && matches!(memory.kind, MemoryKind::Array { .. }) {
            return Some((offset, offset + memory.size));
        }
    }
}

/// How a type is entered.
enum Entrance {
    Element(u64),
    Field(u32),
}

/// The part of a type that contains the byte at `offset`, and where in the part the byte is.
fn step(module: &Module, ty: TypeId, offset: u64) -> Option<(TypeId, u64, Entrance)> {
    match &module.ty(ty).kind {
        MemoryKind::Array { element, count } => {
            let stride = module.ty(*element).size;
            let index = offset.checked_div(stride)?;
            (index < *count).then_some((*element, offset - index * stride, Entrance::Element(index)))
        }
        MemoryKind::Struct { fields } => {
            let index = fields.iter().rposition(|field| field.offset <= offset)?;
            let field = &fields[index];
            let rest = offset - field.offset;
            (rest < module.ty(field.ty).size).then_some((field.ty, rest, Entrance::Field(index as u32)))
        }
        MemoryKind::Scalar { .. } | MemoryKind::Opaque => None,
    }
}

/// Appends the address of the `size` bytes at `offset` from `base`, where a `ty` stands.
pub(super) fn address(
    sequence: &mut Sequence,
    function: &mut Function,
    module: &Module,
    (base, ty): (ValueId, TypeId),
    offset: u64,
    size: u64,
) -> ValueId {
    let mut path = Vec::new();
    let (mut current, mut rest) = (ty, offset);
    while rest != 0 || module.ty(current).size != size {
        let Some((inner, next, entrance)) = step(module, current, rest) else { break };
        path.push((current, inner, entrance));
        (current, rest) = (inner, next);
    }
    if rest != 0 || module.ty(current).size < size {
        return byte_offset(sequence, function, base, offset);
    }
    let mut pointer = base;
    for (outer, inner, entrance) in path {
        let pointer_type = function.ty(pointer);
        pointer = match entrance {
            Entrance::Element(index) => sequence.element(function, pointer, index, inner),
            Entrance::Field(field) => sequence.value(function, Operation::Field { base: pointer, ty: outer, field }, pointer_type),
        };
    }
    pointer
}

/// Appends the address that many bytes after `base`.
pub(super) fn byte_offset(sequence: &mut Sequence, function: &mut Function, base: ValueId, offset: u64) -> ValueId {
    if offset == 0 {
        return base;
    }
    let bytes = function.add_constant(Constant::integer(Type::I64, offset.into()));
    let pointer = function.ty(base);
    sequence.value(function, Operation::Offset { base, bytes }, pointer)
}

/// The name of the part that spans exactly the `size` bytes from `offset`, such as `position_x` or `rows_2`.
pub(super) fn field_name(module: &Module, ty: TypeId, offset: u64, size: u64) -> Option<String> {
    let mut name = String::new();
    let (mut current, mut rest) = (ty, offset);
    while rest != 0 || module.ty(current).size != size {
        let (inner, next, entrance) = step(module, current, rest)?;
        if !name.is_empty() {
            name.push('_');
        }
        match (entrance, &module.ty(current).kind) {
            (Entrance::Element(index), _) => name.push_str(&index.to_string()),
            (Entrance::Field(field), MemoryKind::Struct { fields }) => name.push_str(fields[field as usize].name.trim_start_matches('_')),
            _ => return None,
        }
        (current, rest) = (inner, next);
    }
    (!name.is_empty()).then_some(name)
}

/// The memory type of a scalar.
pub(super) fn scalar(module: &mut Module, ty: Type) -> TypeId {
    let existing = module.types.iter().position(|memory| matches!(memory.kind, MemoryKind::Scalar { ty: known, .. } if known == ty));
    existing.map(TypeId::new).unwrap_or_else(|| {
        module.types.push(MemoryType {
            name: ty.to_string(),
            size: ty.size(),
            align: ty.size(),
            kind: MemoryKind::Scalar { ty, signed: false },
        });
        TypeId::new(module.types.len() - 1)
    })
}

/// The memory type of at least `size` bytes without structure. A size is always a multiple of the alignment.
pub(super) fn opaque(module: &mut Module, size: u64, align: u64) -> TypeId {
    let size = size.next_multiple_of(align);
    module.intern_type(MemoryType { name: format!("bytes{size}"), size, align, kind: MemoryKind::Opaque })
}

/// The distance that an address operation adds to its base, if it is constant.
pub(super) fn constant_distance(function: &Function, module: &Module, operation: &Operation) -> Option<i64> {
    let constant = |value: ValueId| function.constant(value).and_then(Constant::as_signed);
    match *operation {
        Operation::Field { ty, field, .. } => match &module.ty(ty).kind {
            MemoryKind::Struct { fields } => fields.get(field as usize).and_then(|field| i64::try_from(field.offset).ok()),
            _ => None,
        },
        Operation::Element { index, ty, .. } => {
            let distance = constant(index)?.checked_mul(i128::from(module.ty(ty).size))?;
            i64::try_from(distance).ok()
        }
        Operation::Offset { bytes, .. } => i64::try_from(constant(bytes)?).ok(),
        _ => None,
    }
}
