//! Addresses as C++ writes them: subscripts and members of what memory was declared as.
//!
//! # Aliasing
//! C++ lets a compiler assume that accesses of different scalar types do not meet. The IR has no such rule: its memory is bytes. So an
//! access never uses the type of its value, but the type with which the memory was *declared*: the element type of a buffer, the type of a
//! slot, a table or an argument. What is stored as something else of the same size is converted with `as_type`. Memory without one
//! declared type (enums with data, unions, pointers from several places) is read and written as vectors of `uchar`, which may alias anything
//! (see `support::load`). One place is therefore never accessed with two types that the compiler may hold apart.
//!
//! The exception is a pointer that was itself read from memory: nothing is known about what it points at, so it is taken to point at what
//! address arithmetic on it says. That is wrong only for a program that views one place as two types through pointers kept in memory.

use metal_oxide_ir::{CastOperator, Constant, MemoryKind, Operation, Space, Type, TypeId, ValueId};

use super::{Expression, Level, Parameter, VariableType, Writer};
use crate::flow::coalesce::{Source, VariableId};
use crate::flow::fold::Form;
use crate::scalar::Scalar;
use crate::support::space_name;

/// What a pointer is declared to point at. Arrays are pointed at through their innermost elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pointee {
    /// Not known, as far as inference has come.
    Unknown,
    /// Bytes that may hold anything.
    Bytes,
    Memory(TypeId),
}

/// The type of a pointer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PointerType {
    pub(crate) space: Space,
    pub(crate) pointee: Pointee,
    pub(crate) read_only: bool,
}

/// An address: an element of something.
#[derive(Clone, Debug)]
pub(crate) struct Address {
    base: Base,
    /// The type of the elements.
    pub(crate) ty: Pointee,
    index: Index,
    pub(super) space: Space,
    read_only: bool,
}

#[derive(Clone, Debug)]
enum Base {
    /// A pointer to element 0; `array` if subscripts suit it better than `*`.
    Pointer { text: String, level: Level, array: bool },
    /// A single object; the index is zero.
    Object { text: String },
}

/// A sum of scaled values and a constant.
#[derive(Clone, Debug, Default)]
struct Index {
    terms: Vec<(ValueId, i64)>,
    constant: i64,
}

impl Index {
    fn is_zero(&self) -> bool {
        self.terms.is_empty() && self.constant == 0
    }
}

impl Address {
    fn at_pointer(text: String, level: Level, ty: PointerType, array: bool) -> Self {
        Address {
            base: Base::Pointer { text, level, array },
            ty: ty.pointee,
            index: Index::default(),
            space: ty.space,
            read_only: ty.read_only || ty.space == Space::Constant,
        }
    }

    fn of_object(text: String, ty: TypeId, space: Space) -> Self {
        Address {
            base: Base::Object { text },
            ty: Pointee::Memory(ty),
            index: Index::default(),
            space,
            read_only: space == Space::Constant,
        }
    }

    /// The same place as the first byte or element of something else.
    fn with(&self, base: Base, ty: Pointee) -> Self {
        Address { base, ty, index: Index::default(), space: self.space, read_only: self.read_only }
    }
}

impl Writer<'_> {
    /// The address that a pointer value is.
    pub(crate) fn address(&self, value: ValueId) -> Address {
        let space = match self.function.ty(value) {
            Type::Pointer(space) => space,
            _ => Space::Thread,
        };
        let unknown = |text: String, level: Level| unknown(space, text, level);
        match self.forms.of(self.function, value) {
            Form::Leaf => match (self.function.constant(value), self.parameter(value)) {
                (Some(Constant::Global(global)), _) => {
                    let (name, table) = (self.program.global_name(global), &self.module.globals[global.index()]);
                    if table.relocations.is_empty() {
                        Address::of_object(name.to_owned(), table.ty, space)
                    } else {
                        // Declared in pieces; see `tables`.
                        let ty = PointerType { space, pointee: Pointee::Bytes, read_only: true };
                        Address::at_pointer(format!("(constant uchar *)&{name}"), Level::Unary, ty, true)
                    }
                }
                (Some(constant), _) => from_number(space, &self.literal(constant, Scalar::ULONG)),
                (None, Some(Parameter::Pointer { text, ty })) => {
                    Address::at_pointer(text.clone(), Level::Atom, *ty, self.function.is_kernel())
                }
                (None, Some(Parameter::Aggregate { text, ty })) => Address::of_object(text.clone(), *ty, space),
                _ => from_number(space, &self.literal(Constant::Undef(Type::I64), Scalar::ULONG)),
            },
            Form::Slot | Form::Variable => {
                let Some(variable) = self.variables.of(value) else { return unknown(String::new(), Level::Atom) };
                let name = self.names[variable.index()].clone();
                match &self.types[variable.index()] {
                    VariableType::Pointer(ty) => Address::at_pointer(name, Level::Atom, *ty, false),
                    VariableType::Memory(ty) => Address::of_object(name, *ty, Space::Thread),
                    VariableType::Scalar(_) => unknown(name, Level::Atom),
                }
            }
            Form::Absent => unknown(String::new(), Level::Atom),
            Form::Folded => match self.function.defining_operation(value) {
                Some(operation) => self.computed(operation, value, space),
                None => unknown(String::new(), Level::Atom),
            },
        }
    }

    /// The address that an operation computes.
    fn computed(&self, operation: &Operation, value: ValueId, space: Space) -> Address {
        match operation {
            Operation::Element { base, index, ty } => self.element(self.address(*base), *index, *ty),
            Operation::Field { base, ty, field } => self.field(self.address(*base), *ty, *field as usize),
            Operation::Offset { base, bytes } => match self.function.constant(*bytes).and_then(Constant::as_signed) {
                Some(bytes) => self.advanced(self.address(*base), bytes as i64),
                None => {
                    let mut address = self.bytes_of(self.address(*base));
                    address.index.terms.push((*bytes, 1));
                    address
                }
            },
            Operation::Cast(CastOperator::Space, from) => self.address(*from),
            Operation::Select(condition, a, b) => self.select_address(*condition, *a, *b, space),
            Operation::Call(callee, arguments) => match self.program.signature(*callee).result {
                Some(VariableType::Pointer(ty)) => Address::at_pointer(self.call(*callee, arguments).text, Level::Atom, ty, false),
                _ => unknown(space, String::new(), Level::Atom),
            },
            Operation::Load(_) | Operation::Cast(CastOperator::IntegerToPointer, _) => {
                from_number(space, &self.operation(operation, value))
            }
            _ => unknown(space, String::new(), Level::Atom),
        }
    }

    /// A pointer value as a pointer of a type.
    pub(crate) fn pointer(&self, value: ValueId, wanted: &PointerType) -> String {
        let pointer = self.as_pointer(&self.address(value));
        self.coerced(&pointer, wanted)
    }

    fn coerced(&self, pointer: &Address, wanted: &PointerType) -> String {
        let fits = self.is_same(pointer.ty, wanted.pointee) || (pointer.ty == Pointee::Unknown && wanted.pointee == Pointee::Bytes);
        match &pointer.base {
            Base::Pointer { text, .. } if fits && (wanted.read_only || !pointer.read_only) => text.clone(),
            _ => self.pointer_cast(pointer, wanted),
        }
    }

    /// The result of an instruction that a pointer variable holds.
    pub(crate) fn pointer_result(&self, value: ValueId, wanted: &PointerType) -> String {
        let space = wanted.space;
        let Some(operation) = self.function.defining_operation(value) else { return String::new() };
        let address = self.computed(operation, value, space);
        let pointer = self.as_pointer(&address);
        self.coerced(&pointer, wanted)
    }

    /// What a pointer variable is set to.
    pub(crate) fn pointer_source(&self, source: Source, wanted: &PointerType) -> String {
        match source {
            Source::Value(value) => self.pointer(value, wanted),
            Source::Variable(variable) => self.names[variable.index()].clone(),
        }
    }

    /// A pointer value as a number.
    pub(crate) fn address_as_number(&self, value: ValueId) -> Expression {
        if let Some(constant) = self.function.constant(value).filter(|constant| !matches!(constant, Constant::Global(_))) {
            return self.literal(constant, Scalar::ULONG);
        }
        if self.forms.of(self.function, value) == Form::Folded
            && let Some(operation @ (Operation::Load(_) | Operation::Cast(CastOperator::IntegerToPointer, _))) =
                self.function.defining_operation(value)
        {
            return self.operation(operation, value);
        }
        let pointer = self.as_pointer(&self.address(value));
        match pointer.base {
            Base::Pointer { text, .. } | Base::Object { text } => Expression::atom(format!("ulong({text})"), Scalar::ULONG),
        }
    }

    /// What the memory behind a pointer was declared as, as far as it is known.
    pub(crate) fn pointee(&self, value: ValueId) -> Pointee {
        match self.function.constant(value) {
            // Addresses that nobody follows fit every type.
            Some(Constant::Bits { .. } | Constant::Undef(_)) => Pointee::Unknown,
            _ => self.as_pointer(&self.address(value)).ty,
        }
    }

    /// What both pointers can be taken to point at.
    pub(crate) fn joined(&self, a: Pointee, b: Pointee) -> Pointee {
        match (a, b) {
            (Pointee::Unknown, other) | (other, Pointee::Unknown) => other,
            _ if self.is_same(a, b) => a,
            // The two integers of a size may alias.
            (Pointee::Memory(x), Pointee::Memory(y)) => match (self.kind(x), self.kind(y)) {
                (MemoryKind::Scalar { ty: x, .. }, MemoryKind::Scalar { ty: y, .. }) if x == y => a,
                _ => Pointee::Bytes,
            },
            _ => Pointee::Bytes,
        }
    }

    /// What a memory type is declared as. A struct that C++ cannot lay out is declared as bytes.
    pub(super) fn kind(&self, ty: TypeId) -> &MemoryKind {
        if self.program.structs.is_bytes(ty) { &MemoryKind::Opaque } else { &self.module.ty(ty).kind }
    }

    pub(super) fn compare_pointers(&self, operator: &str, level: Level, a: ValueId, b: ValueId) -> Expression {
        let above = if level == Level::Equality { Level::Relation } else { Level::Shift };
        let is_number = |value| matches!(self.function.constant(value), Some(Constant::Bits { .. } | Constant::Undef(_)));
        if !is_number(a) && !is_number(b) {
            let (left, right) = (self.as_pointer(&self.address(a)), self.as_pointer(&self.address(b)));
            if self.is_same(left.ty, right.ty)
                && let (Base::Pointer { .. }, Base::Pointer { .. }) = (&left.base, &right.base)
            {
                let side = |base: Base| match base {
                    // Comparing arrays by name looks like a mistake to compilers.
                    Base::Pointer { text, array: true, level } => {
                        format!("&{}[0]", Expression::new(text, Scalar::ULONG, level).within(Level::Atom))
                    }
                    Base::Pointer { text, level, .. } => Expression::new(text, Scalar::ULONG, level).within(above),
                    Base::Object { text } => text,
                };
                return Expression::new(format!("{} {operator} {}", side(left.base), side(right.base)), Scalar::Bool, level);
            }
        }
        let (a, b) = (self.address_as_number(a), self.address_as_number(b));
        Expression::new(format!("{} {operator} {}", a.within(above), b.within(above)), Scalar::Bool, level)
    }

    fn select_address(&self, condition: ValueId, a: ValueId, b: ValueId, space: Space) -> Address {
        let pointee = self.joined(self.pointee(a), self.pointee(b));
        let read_only = self.address(a).read_only || self.address(b).read_only;
        let ty = PointerType { space, pointee, read_only };
        let text = format!("{} ? {} : {}", self.test(condition, false).within(Level::Or), self.pointer(a, &ty), self.pointer(b, &ty));
        Address::at_pointer(text, Level::Choice, ty, false)
    }

    /// `base + index * size of ty`.
    fn element(&self, mut base: Address, index: ValueId, ty: TypeId) -> Address {
        let size = self.module.ty(ty).size;
        if let Some(index) = self.function.constant(index).and_then(Constant::as_signed) {
            return self.advanced(base, (index as i64).wrapping_mul(size as i64));
        }
        if size == 0 {
            return base;
        }
        if base.ty == Pointee::Unknown {
            base = self.assumed(base, ty);
        }
        loop {
            base = self.decayed(base);
            let own = self.size(base.ty);
            if own != 0 && size.is_multiple_of(own) {
                if let Base::Object { text } = &base.base {
                    // Elements beside a single object: it is the first of several after all.
                    let first = Base::Pointer { text: format!("&{text}"), level: Level::Unary, array: true };
                    base = base.with(first, base.ty);
                }
                base.index.terms.push((index, (size / own) as i64));
                return base;
            }
            match self.first_part(&base) {
                Some(part) => base = part,
                None => {
                    base = self.bytes_of(base);
                    base.index.terms.push((index, size as i64));
                    return base;
                }
            }
        }
    }

    fn field(&self, base: Address, ty: TypeId, field: usize) -> Address {
        let MemoryKind::Struct { fields } = &self.module.ty(ty).kind else { return base };
        let base = if base.ty == Pointee::Unknown { self.assumed(base, ty) } else { base };
        if base.ty == Pointee::Memory(ty) && matches!(self.kind(ty), MemoryKind::Struct { .. }) {
            return base.with(Base::Object { text: self.member(&base, ty, field) }, Pointee::Memory(fields[field].ty));
        }
        self.advanced(base, fields[field].offset as i64)
    }

    /// An address some bytes further on. At distance zero from the start of an aggregate it stays the aggregate's: accesses go inside.
    pub(super) fn advanced(&self, mut address: Address, mut bytes: i64) -> Address {
        while bytes != 0 {
            address = self.decayed(address);
            let size = self.size(address.ty) as i64;
            if let Base::Object { text } = &address.base
                && (bytes < 0 || bytes >= size)
            {
                let first = Base::Pointer { text: format!("&{text}"), level: Level::Unary, array: true };
                address = address.with(first, address.ty);
            }
            if size != 0 && matches!(address.base, Base::Pointer { .. }) {
                address.index.constant += bytes.div_euclid(size);
                bytes = bytes.rem_euclid(size);
                if bytes == 0 {
                    return address;
                }
            }
            let inside = match address.ty {
                Pointee::Memory(ty) => match self.kind(ty) {
                    MemoryKind::Struct { fields } => fields
                        .iter()
                        .position(|field| {
                            let distance = bytes - field.offset as i64;
                            distance >= 0 && distance < self.module.ty(field.ty).size as i64
                        })
                        .map(|index| {
                            let object = Base::Object { text: self.member(&address, ty, index) };
                            (address.with(object, Pointee::Memory(fields[index].ty)), fields[index].offset as i64)
                        }),
                    MemoryKind::Array { element, .. } => {
                        let rows = Base::Pointer { text: self.object(&address), level: Level::Atom, array: true };
                        Some((address.with(rows, Pointee::Memory(*element)), 0))
                    }
                    MemoryKind::Scalar { .. } | MemoryKind::Opaque => None,
                },
                Pointee::Unknown | Pointee::Bytes => None,
            };
            match inside {
                Some((part, offset)) => {
                    address = part;
                    bytes -= offset;
                }
                None => {
                    let mut address = self.bytes_of(address);
                    address.index.constant += bytes;
                    return address;
                }
            }
        }
        address
    }

    /// The first member or element of an aggregate, if it stands at its start.
    pub(super) fn first_part(&self, address: &Address) -> Option<Address> {
        let Pointee::Memory(ty) = address.ty else { return None };
        match self.kind(ty) {
            MemoryKind::Struct { fields } => {
                let first = fields.first().filter(|field| field.offset == 0)?;
                Some(address.with(Base::Object { text: self.member(address, ty, 0) }, Pointee::Memory(first.ty)))
            }
            MemoryKind::Array { element, .. } => {
                let rows = Base::Pointer { text: self.object(address), level: Level::Atom, array: true };
                Some(address.with(rows, Pointee::Memory(*element)))
            }
            MemoryKind::Scalar { .. } | MemoryKind::Opaque => None,
        }
    }

    /// An array as a pointer to its first element.
    pub(super) fn decayed(&self, address: Address) -> Address {
        match (&address.base, address.ty) {
            (Base::Object { text }, Pointee::Memory(ty)) => match self.kind(ty) {
                MemoryKind::Array { element, .. } => {
                    let first = Base::Pointer { text: text.clone(), level: Level::Atom, array: true };
                    address.with(first, Pointee::Memory(*element))
                }
                _ => address,
            },
            _ => address,
        }
    }

    /// An address as a pointer without a subscript.
    fn as_pointer(&self, address: &Address) -> Address {
        let mut address = self.decayed(address.clone());
        // A pointer to rows becomes one to the elements of a row.
        while let Pointee::Memory(ty) = address.ty
            && matches!(self.kind(ty), MemoryKind::Array { .. })
            && let Some(part) = self.first_part(&address)
        {
            address = part;
        }
        let array = address.index.is_zero() && matches!(address.base, Base::Pointer { array: true, .. });
        let (text, level) = match &address.base {
            Base::Object { text } => (format!("&{text}"), Level::Unary),
            Base::Pointer { text, level, .. } if address.index.is_zero() => (text.clone(), *level),
            Base::Pointer { text, level, .. } if address.ty == Pointee::Bytes => {
                let base = Expression::new(text.clone(), Scalar::ULONG, *level).within(Level::Sum);
                (format!("{base} + {}", self.index(&address.index)), Level::Sum)
            }
            Base::Pointer { .. } => (format!("&{}", self.object(&address)), Level::Unary),
        };
        address.with(Base::Pointer { text, level, array }, address.ty)
    }

    /// The same address, counted in bytes.
    pub(super) fn bytes_of(&self, address: Address) -> Address {
        match (address.ty, &address.base) {
            (Pointee::Bytes, _) => return address,
            (Pointee::Unknown, Base::Pointer { .. }) => return Address { ty: Pointee::Bytes, ..address },
            _ => {}
        }
        if let Pointee::Memory(ty) = address.ty
            && matches!(self.kind(ty), MemoryKind::Opaque)
        {
            let text = format!("{}bytes", self.member_prefix(&address));
            return address.with(Base::Pointer { text, level: Level::Atom, array: true }, Pointee::Bytes);
        }
        let pointer = self.as_pointer(&address);
        let ty = PointerType { space: address.space, pointee: Pointee::Bytes, read_only: address.read_only };
        let text = self.pointer_cast(&pointer, &ty);
        address.with(Base::Pointer { text, level: Level::Unary, array: true }, Pointee::Bytes)
    }

    pub(super) fn byte_pointer(&self, address: Address) -> String {
        match self.as_pointer(&self.bytes_of(address)).base {
            Base::Pointer { text, .. } | Base::Object { text } => text,
        }
    }

    fn pointer_cast(&self, pointer: &Address, wanted: &PointerType) -> String {
        let text = match &pointer.base {
            Base::Pointer { text, level, .. } => Expression::new(text.clone(), Scalar::ULONG, *level).within(Level::Unary),
            Base::Object { text } => format!("&{text}"),
        };
        format!("({}){text}", self.program.structs.pointer_name(self.module, wanted))
    }

    /// A pointer of which nothing is known, taken to point at elements of a type.
    fn assumed(&self, address: Address, ty: TypeId) -> Address {
        let mut ty = ty;
        while let MemoryKind::Array { element, .. } = *self.kind(ty) {
            ty = element;
        }
        let pointee = Pointee::Memory(ty);
        let wanted = PointerType { space: address.space, pointee, read_only: address.read_only };
        let mut pointer = self.as_pointer(&address);
        if let Base::Pointer { text, level, .. } = &mut pointer.base
            && let Some(number) = text.strip_prefix(&format!("({} uchar *)", space_name(address.space)))
        {
            // One cast is enough.
            (*text, *level) = (number.to_owned(), Level::Unary);
        }
        let text = self.pointer_cast(&pointer, &wanted);
        address.with(Base::Pointer { text, level: Level::Unary, array: false }, pointee)
    }

    /// The object at an address.
    pub(super) fn object(&self, address: &Address) -> String {
        match &address.base {
            Base::Object { text } => text.clone(),
            Base::Pointer { text, level, array } => {
                let pointer = Expression::new(text.clone(), Scalar::ULONG, *level);
                if address.index.is_zero() && !array {
                    return format!("*{}", pointer.within(Level::Unary));
                }
                format!("{}[{}]", pointer.within(Level::Atom), self.index(&address.index))
            }
        }
    }

    fn member(&self, address: &Address, ty: TypeId, field: usize) -> String {
        format!("{}{}", self.member_prefix(address), self.program.structs.field_name(ty, field))
    }

    /// What stands in front of a member's name.
    fn member_prefix(&self, address: &Address) -> String {
        match &address.base {
            Base::Pointer { text, level, array: false } if address.index.is_zero() => {
                format!("{}->", Expression::new(text.clone(), Scalar::ULONG, *level).within(Level::Atom))
            }
            _ => format!("{}.", self.object(address)),
        }
    }

    /// A subscript. One value stands as it is, since C++ widens it; a sum is computed in 64 bits.
    fn index(&self, index: &Index) -> String {
        if let ([(value, 1)], 0) = (&index.terms[..], index.constant) {
            return self.natural(*value).text;
        }
        let mut text = String::new();
        for (position, (value, scale)) in index.terms.iter().enumerate() {
            let term = if position == 0 { self.exact(*value, Scalar::ULONG) } else { self.natural(*value) };
            // A factor must be wide itself; a summand is widened by what stands before it.
            let term = match (scale, position) {
                (1, 0) => term.within(Level::Sum),
                (1, _) => term.within(Level::Product),
                _ => format!("{} * {scale}", self.cast(term, Scalar::ULONG).within(Level::Product)),
            };
            text = if position == 0 { term } else { format!("{text} + {term}") };
        }
        match index.constant {
            0 if !text.is_empty() => text,
            constant if text.is_empty() => constant.to_string(),
            constant if constant < 0 => format!("{text} - {}", constant.unsigned_abs()),
            constant => format!("{text} + {constant}"),
        }
    }

    fn size(&self, ty: Pointee) -> u64 {
        match ty {
            Pointee::Memory(ty) => self.module.ty(ty).size,
            Pointee::Bytes | Pointee::Unknown => 1,
        }
    }

    /// Whether two types are one for C++, except for a sign.
    fn is_same(&self, a: Pointee, b: Pointee) -> bool {
        match (a, b) {
            (Pointee::Memory(a), Pointee::Memory(b)) => {
                a == b
                    || match (self.kind(a), self.kind(b)) {
                        (MemoryKind::Scalar { ty: a, signed: x }, MemoryKind::Scalar { ty: b, signed: y }) => a == b && x == y,
                        _ => false,
                    }
            }
            _ => a == b,
        }
    }

    /// The name of a slot's variable, for declarations.
    pub(crate) fn variable_name(&self, variable: VariableId) -> &str {
        &self.names[variable.index()]
    }
}

/// An address of which only the space is known.
fn unknown(space: Space, text: String, level: Level) -> Address {
    Address::at_pointer(text, level, PointerType { space, pointee: Pointee::Unknown, read_only: false }, false)
}

/// The address that a number is.
fn from_number(space: Space, number: &Expression) -> Address {
    unknown(space, format!("({} uchar *){}", space_name(space), number.within(Level::Unary)), Level::Unary)
}
