//! A module: the functions of one unit and what they share.

use crate::{Function, FunctionId, GlobalId, LocationId, MemoryType, SiteId, TypeId, UnsupportedId};

/// The functions of one unit and what they share.
#[derive(Clone, Debug, Default)]
pub struct Module {
    /// The functions, kernels among them.
    pub functions: Vec<Function>,
    /// Constant tables.
    pub globals: Vec<Global>,
    /// Memory types; equal ones are one entry.
    pub types: Vec<MemoryType>,
    /// Places where kernels can fail.
    pub sites: Vec<Site>,
    /// Reasons why code cannot be compiled.
    pub unsupported: Vec<Unsupported>,
    /// Source locations; equal ones are one entry.
    pub locations: Vec<Location>,
}

/// A table in the constant address space.
#[derive(Clone, Debug, PartialEq)]
pub struct Global {
    /// Its name in the MSL, before conflicts are resolved.
    pub name: String,
    /// Its layout.
    pub ty: TypeId,
    /// Its bytes; those that hold addresses are zero.
    pub bytes: Vec<u8>,
    /// The addresses inside, by increasing offset.
    pub relocations: Vec<Relocation>,
}

/// An address inside a constant table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Relocation {
    /// Where the address stands, in bytes.
    pub offset: u64,
    /// The table it points to.
    pub target: GlobalId,
    /// The distance from that table's start, in bytes.
    pub addend: u64,
}

/// A place in the user's Rust where a kernel can fail.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Site {
    /// Where.
    pub location: Location,
    /// What fails.
    pub kind: FailureKind,
    /// The message, where it is known at compile time.
    pub message: String,
}

crate::instruction::keywords! {
    /// The kinds of failure.
    FailureKind {
        /// An index was out of range.
        Bounds = "bounds",
        /// A division or remainder by zero.
        DivisionByZero = "division-by-zero",
        /// Integer arithmetic overflowed.
        Overflow = "overflow",
        /// `unwrap` or `expect` found nothing.
        Unwrap = "unwrap",
        /// `assert!`, `panic!` and the like.
        Panic = "panic",
    }
}

/// Why code cannot be compiled for the device.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Unsupported {
    /// The stable code of the diagnostic.
    pub code: String,
    /// The reason in a user's words.
    pub message: String,
}

/// A place in a source file. Line and column count from 1.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Location {
    /// The file.
    pub file: String,
    /// The line.
    pub line: u32,
    /// The column, in characters.
    pub column: u32,
}

impl Module {
    /// Adds a function.
    pub fn add_function(&mut self, function: Function) -> FunctionId {
        self.functions.push(function);
        FunctionId::new(self.functions.len() - 1)
    }

    /// Adds a constant table.
    pub fn add_global(&mut self, global: Global) -> GlobalId {
        self.globals.push(global);
        GlobalId::new(self.globals.len() - 1)
    }

    /// The entry of a memory type, added if it is new. Searches linearly: importers keep their own map.
    pub fn intern_type(&mut self, ty: MemoryType) -> TypeId {
        TypeId::new(intern(&mut self.types, ty))
    }

    /// Adds a failure site.
    pub fn add_site(&mut self, site: Site) -> SiteId {
        self.sites.push(site);
        SiteId::new(self.sites.len() - 1)
    }

    /// Adds a reason why code cannot be compiled.
    pub fn add_unsupported(&mut self, unsupported: Unsupported) -> UnsupportedId {
        self.unsupported.push(unsupported);
        UnsupportedId::new(self.unsupported.len() - 1)
    }

    /// Adds a source location. Does not look for an equal one: importers keep a map.
    pub fn add_location(&mut self, location: Location) -> LocationId {
        self.locations.push(location);
        LocationId::new(self.locations.len() - 1)
    }

    /// The function with this identifier.
    pub fn function(&self, id: FunctionId) -> &Function {
        &self.functions[id.index()]
    }

    /// The memory type with this identifier.
    pub fn ty(&self, id: TypeId) -> &MemoryType {
        &self.types[id.index()]
    }

    /// The kernels, in order.
    pub fn kernels(&self) -> impl Iterator<Item = (FunctionId, &Function)> {
        self.functions
            .iter()
            .enumerate()
            .filter(|(_, function)| function.is_kernel())
            .map(|(index, function)| (FunctionId::new(index), function))
    }
}

/// The index of `item` in `items`, where it is appended if it is new.
fn intern<T: PartialEq>(items: &mut Vec<T>, item: T) -> usize {
    items.iter().position(|known| *known == item).unwrap_or_else(|| {
        items.push(item);
        items.len() - 1
    })
}
