//! Reading, writing and copying memory: which object, or which bytes, an access goes to.
//! See `address` for why an access uses the declared type of memory and not the type of its value.

use metal_oxide_ir::{MemoryKind, Operation, Space, Type, TypeId, ValueId};

use super::address::{Address, Pointee};
use super::{Expression, Level, Writer};
use crate::flow::fold::Form;
use crate::scalar::Scalar;
use crate::support::Support;

/// How a scalar in memory is reached.
pub(crate) enum Access {
    /// As an object with this declared type.
    Object { text: String, level: Level, scalar: Scalar },
    /// As bytes at a pointer.
    Bytes { pointer: String, space: Space },
}

impl Writer<'_> {
    /// Reads a value of a type.
    pub(super) fn load(&self, pointer: ValueId, ty: Type) -> Expression {
        let wanted = Scalar::of(ty, false);
        match self.access(self.address(pointer), ty) {
            Access::Object { text, level, scalar } => {
                let object = Expression::new(text, scalar, level);
                match (scalar, wanted) {
                    (Scalar::Integer { .. }, Scalar::Integer { .. }) | (Scalar::Bool, Scalar::Integer { .. }) => object,
                    (Scalar::Integer { .. }, Scalar::Bool) => {
                        Expression::new(format!("{} != 0", object.within(Level::Relation)), Scalar::Bool, Level::Equality)
                    }
                    _ => self.reinterpret(object, wanted),
                }
            }
            Access::Bytes { pointer, space } => {
                let bits = ty.size() as u32 * 8;
                let name = self.support(Support::LoadBytes(bits, space));
                self.reinterpret(Expression::atom(format!("{name}({pointer})"), Scalar::unsigned(bits)), wanted)
            }
        }
    }

    /// The statement that writes a value, without its semicolon.
    pub(crate) fn store(&self, pointer: ValueId, value: ValueId) -> String {
        let ty = self.function.ty(value);
        let number = |scalar: Scalar| match (ty, scalar) {
            (Type::Pointer(_), _) => self.address_as_number(value).text,
            (Type::Bool, Scalar::Bool | Scalar::Integer { .. }) => self.natural(value).text,
            (_, Scalar::Integer { .. }) if ty.is_integer() => self.converted(value, scalar),
            (_, Scalar::Bool) => {
                let value = self.exact(value, Scalar::of(ty, false));
                format!("{} != 0", value.within(Level::Relation))
            }
            _ => {
                let value = self.exact(value, Scalar::of(ty, false));
                self.reinterpret(value, scalar).text
            }
        };
        match self.access(self.address(pointer), ty) {
            Access::Object { text, scalar, .. } => match self.compound(value, &text, scalar, pointer) {
                Some(statement) => statement,
                None => format!("{text} = {}", number(scalar)),
            },
            Access::Bytes { pointer, space } => {
                let bits = ty.size() as u32 * 8;
                let name = self.support(Support::StoreBytes(bits, space));
                // Bytes that come from bytes need not become a value in between.
                let value = self.loaded_bytes(value).unwrap_or_else(|| number(Scalar::unsigned(bits)));
                format!("{name}({pointer}, {value})")
            }
        }
    }

    /// The bits of a value that is read from bytes where it is used.
    fn loaded_bytes(&self, value: ValueId) -> Option<String> {
        let Some(Operation::Load(from)) = self.function.defining_operation(value) else { return None };
        let ty = self.function.ty(value);
        let integer = Type::integer(ty.size() as u32 * 8)?;
        let folded = self.forms.of(self.function, value) == Form::Folded;
        match self.access(self.address(*from), ty) {
            Access::Bytes { .. } if folded => Some(self.load(*from, integer).text),
            _ => None,
        }
    }

    /// `x += y` for a value that is computed from what the place held.
    fn compound(&self, value: ValueId, text: &str, scalar: Scalar, pointer: ValueId) -> Option<String> {
        let ty = self.function.ty(value);
        let is_place = |operand: ValueId| {
            let Some(Operation::Load(from)) = self.function.defining_operation(operand) else { return false };
            self.forms.of(self.function, operand) == Form::Folded
                && self.function.ty(operand) == ty
                && (*from == pointer || self.load(*from, ty).text == text)
        };
        self.compound_assignment(text, scalar, value, false, &is_place)
    }

    /// The statements that copy bytes, without their semicolons.
    pub(crate) fn copy(&self, to: ValueId, from: ValueId, bytes: u64, align: u64) -> Vec<String> {
        let (to, from) = (self.address(to), self.address(from));
        if let (Some((left, a)), Some((right, b))) = (self.object_of_size(to.clone(), bytes), self.object_of_size(from.clone(), bytes))
            && a == b
        {
            return vec![format!("{left} = {right}")];
        }
        if let Some(parts) = self.copy_parts(&to, &from, bytes) {
            return parts;
        }
        let unit = if align.is_multiple_of(4) && bytes.is_multiple_of(4) { 4 } else { 1 };
        let name = self.support(Support::Copy(unit, to.space, from.space));
        let (to, from) = (self.byte_pointer(to), self.byte_pointer(from));
        vec![format!("{name}({to}, {from}, {})", bytes / unit)]
    }

    /// Copies scalar by scalar, if there are few and both sides are declared alike.
    fn copy_parts(&self, to: &Address, from: &Address, bytes: u64) -> Option<Vec<String>> {
        const MOST_PARTS: usize = 8;
        let mut statements = Vec::new();
        let mut offset = 0;
        while offset < bytes {
            if statements.len() == MOST_PARTS {
                return None;
            }
            let ty = self.scalar_at(to, offset)?;
            let place = |address: &Address| match self.access(self.advanced(address.clone(), offset as i64), ty) {
                Access::Object { text, scalar, .. } => Some((text, scalar)),
                Access::Bytes { .. } => None,
            };
            let ((left, a), (right, b)) = (place(to)?, place(from)?);
            if a != b {
                return None;
            }
            statements.push(format!("{left} = {right}"));
            offset += ty.size();
        }
        (offset == bytes).then_some(statements)
    }

    /// The scalar that an address is declared to have at an offset.
    fn scalar_at(&self, address: &Address, offset: u64) -> Option<Type> {
        let place = self.advanced(address.clone(), offset as i64);
        let Pointee::Memory(mut ty) = place.ty else { return None };
        loop {
            match self.kind(ty) {
                MemoryKind::Scalar { ty, .. } => return Some(*ty),
                MemoryKind::Array { element, count } if *count > 0 => ty = *element,
                MemoryKind::Struct { fields } => ty = fields.first().filter(|field| field.offset == 0)?.ty,
                _ => return None,
            }
        }
    }

    /// How the scalar of a type at an address is reached.
    pub(crate) fn access(&self, mut address: Address, ty: Type) -> Access {
        loop {
            address = self.decayed(address);
            let Pointee::Memory(memory) = address.ty else { break };
            if let MemoryKind::Scalar { ty: declared, signed } = *self.kind(memory) {
                if declared.size() != ty.size() {
                    break;
                }
                let text = self.object(&address);
                let level = if text.starts_with('*') { Level::Unary } else { Level::Atom };
                return Access::Object { text, level, scalar: Scalar::of(declared, signed) };
            }
            match self.first_part(&address) {
                Some(part) => address = part,
                None => break,
            }
        }
        if ty.size() == 1 {
            let bytes = self.bytes_of(address);
            let text = self.object(&bytes);
            let level = if text.starts_with('*') { Level::Unary } else { Level::Atom };
            return Access::Object { text, level, scalar: Scalar::unsigned(8) };
        }
        let space = address.space;
        Access::Bytes { pointer: self.byte_pointer(address), space }
    }

    /// An aggregate of some size at an address, with its type.
    fn object_of_size(&self, mut address: Address, bytes: u64) -> Option<(String, TypeId)> {
        loop {
            let Pointee::Memory(ty) = address.ty else { return None };
            let memory = self.module.ty(ty);
            if memory.size == bytes && !matches!(self.kind(ty), MemoryKind::Array { .. }) {
                return Some((self.object(&address), ty));
            }
            if memory.size < bytes {
                return None;
            }
            address = match self.kind(ty) {
                MemoryKind::Array { .. } => self.decayed(self.first_part(&address)?),
                _ => self.first_part(&address)?,
            };
        }
    }
}
