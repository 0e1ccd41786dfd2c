//! Memory types as C++ declares them, with the layout that Rust gave them.
//! Vector types never take part: their sizes and alignments differ from Rust's (trap M3).

use std::cell::RefCell;
use std::collections::{BTreeSet, HashSet};
use std::fmt::Write as _;

use metal_oxide_ir::{MemoryKind, Module, Space, TypeId};

use crate::expression::{Pointee, PointerType};
use crate::names::{Names, Scope};
use crate::scalar::Scalar;
use crate::support::space_name;

/// The names of memory types and of their members, and which of them the text uses.
#[derive(Debug)]
pub(crate) struct Structs {
    /// By type; empty for types that have no declaration of their own.
    names: Vec<String>,
    fields: Vec<Vec<String>>,
    /// Structs with a field where C++ would not put it, not even with padding.
    bytes: HashSet<TypeId>,
    used: RefCell<BTreeSet<TypeId>>,
}

impl Structs {
    pub(crate) fn new(module: &Module, names: &mut Names) -> Self {
        let mut structs = Structs { names: Vec::new(), fields: Vec::new(), bytes: HashSet::new(), used: RefCell::new(BTreeSet::new()) };
        for (index, ty) in module.types.iter().enumerate() {
            let mut fields = Vec::new();
            let name = match &ty.kind {
                MemoryKind::Struct { fields: list } => {
                    let taken = Names::for_members();
                    let mut scope = Scope::new(&taken);
                    fields.extend(list.iter().map(|field| scope.local(&field.name)));
                    if list.iter().any(|field| field.offset % module.ty(field.ty).align != 0) {
                        structs.bytes.insert(TypeId::new(index));
                    }
                    names.global(&ty.name)
                }
                MemoryKind::Opaque => names.global(&ty.name),
                MemoryKind::Scalar { .. } | MemoryKind::Array { .. } => String::new(),
            };
            structs.names.push(name);
            structs.fields.push(fields);
        }
        structs
    }

    /// Whether a struct is declared as bytes.
    pub(crate) fn is_bytes(&self, ty: TypeId) -> bool {
        self.bytes.contains(&ty)
    }

    pub(crate) fn field_name(&self, ty: TypeId, field: usize) -> &str {
        &self.fields[ty.index()][field]
    }

    /// A pointer type.
    pub(crate) fn pointer_name(&self, module: &Module, ty: &PointerType) -> String {
        let pointee = match ty.pointee {
            Pointee::Memory(pointee) => self.element_name(module, pointee),
            Pointee::Bytes | Pointee::Unknown => "uchar".to_owned(),
        };
        let constant = if ty.read_only && ty.space != Space::Constant { " const" } else { "" };
        format!("{}{constant} {pointee} *", space_name(ty.space))
    }

    /// The type of the innermost elements of an array, or of anything else itself.
    fn element_name(&self, module: &Module, ty: TypeId) -> String {
        let memory = module.ty(ty);
        match memory.kind {
            MemoryKind::Scalar { ty, signed } => Scalar::of(ty, signed).name().to_owned(),
            MemoryKind::Array { element, .. } => self.element_name(module, element),
            _ if memory.size == 0 => "uchar".to_owned(),
            MemoryKind::Struct { .. } | MemoryKind::Opaque => {
                self.used.borrow_mut().insert(ty);
                self.names[ty.index()].clone()
            }
        }
    }

    /// A declaration of something with a memory type.
    pub(crate) fn declaration(&self, module: &Module, ty: TypeId, name: &str) -> String {
        let mut counts = String::new();
        let mut element = ty;
        while let MemoryKind::Array { element: inner, count } = module.ty(element).kind {
            let _ = write!(counts, "[{}]", count.max(1));
            element = inner;
        }
        format!("{} {name}{counts}", self.element_name(module, element))
    }

    /// The declarations of all types in use, each behind those it contains.
    pub(crate) fn text(&self, module: &Module) -> String {
        let mut text = String::new();
        let mut done = HashSet::new();
        let used: Vec<TypeId> = self.used.borrow().iter().copied().collect();
        for ty in used {
            self.declare(module, ty, &mut done, &mut text);
        }
        text
    }

    fn declare(&self, module: &Module, ty: TypeId, done: &mut HashSet<TypeId>, text: &mut String) {
        if !done.insert(ty) {
            return;
        }
        let memory = module.ty(ty);
        match &memory.kind {
            _ if memory.size == 0 => {}
            MemoryKind::Scalar { .. } => {}
            MemoryKind::Array { element, .. } => self.declare(module, *element, done, text),
            MemoryKind::Struct { fields } if !self.is_bytes(ty) => {
                for field in fields {
                    self.declare(module, field.ty, done, text);
                }
                self.declare_struct(module, ty, text);
            }
            MemoryKind::Struct { .. } | MemoryKind::Opaque => {
                let name = &self.names[ty.index()];
                let _ = writeln!(text, "struct alignas({}) {name} {{\n    uchar bytes[{}];\n}};\n", memory.align, memory.size);
            }
        }
    }

    fn declare_struct(&self, module: &Module, ty: TypeId, text: &mut String) {
        let memory = module.ty(ty);
        let MemoryKind::Struct { fields } = &memory.kind else { return };
        let name = &self.names[ty.index()];
        let natural = fields.iter().map(|field| module.ty(field.ty).align).max().unwrap_or(1);
        let align = if natural < memory.align { format!(" alignas({})", memory.align) } else { String::new() };
        let _ = writeln!(text, "struct{align} {name} {{");
        let mut end = 0u64;
        // No name of a field ends with `_`.
        let mut paddings = 0;
        let mut pad = |bytes: u64, text: &mut String| {
            paddings += 1;
            let _ = writeln!(text, "    uchar padding_{paddings}_[{bytes}];");
        };
        for (field, name) in fields.iter().zip(&self.fields[ty.index()]) {
            let inner = module.ty(field.ty);
            let placed = end.next_multiple_of(inner.align);
            if placed < field.offset {
                pad(field.offset - end, text);
            }
            let _ = writeln!(text, "    {};", self.declaration(module, field.ty, name));
            end = field.offset + inner.size;
        }
        if end.next_multiple_of(memory.align) < memory.size {
            pad(memory.size - end, text);
        }
        let _ = writeln!(text, "}};\nstatic_assert(sizeof({name}) == {}, \"Rust's layout\");\n", memory.size);
    }

    /// For each member of a struct's declaration, the field it is; `None` for padding.
    pub(crate) fn members(&self, module: &Module, ty: TypeId) -> Vec<Option<usize>> {
        let memory = module.ty(ty);
        let MemoryKind::Struct { fields } = &memory.kind else { return Vec::new() };
        let mut members = Vec::new();
        let mut end = 0u64;
        for (index, field) in fields.iter().enumerate() {
            let inner = module.ty(field.ty);
            if end.next_multiple_of(inner.align) < field.offset {
                members.push(None);
            }
            members.push(Some(index));
            end = field.offset + inner.size;
        }
        if end.next_multiple_of(memory.align) < memory.size {
            members.push(None);
        }
        members
    }
}
