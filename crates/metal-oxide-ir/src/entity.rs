//! The small integer identifiers of everything in a module.
//! They index the vectors of [`Module`](crate::Module) and [`Function`](crate::Function).

use std::fmt;

macro_rules! entity {
    ($($(#[$doc:meta])* $name:ident = $prefix:literal;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(u32);

        impl $name {
            /// The identifier of the entity at `index`.
            ///
            /// # Panics
            /// If `index` does not fit in 32 bits.
            pub fn new(index: usize) -> Self {
                Self(u32::try_from(index).expect("an entity index fits in 32 bits"))
            }

            /// The position in the vector that holds the entity.
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!($prefix, "{}"), self.0)
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(self, f)
            }
        }
    )*};
}

entity! {
    /// A value of a function.
    ValueId = "%";
    /// An instruction of a function.
    InstructionId = "inst";
    /// A basic block of a function.
    BlockId = "block";
    /// A function of a module.
    FunctionId = "fn";
    /// A constant table of a module.
    GlobalId = "global";
    /// A memory type of a module.
    TypeId = "type";
    /// A failure site of a module.
    SiteId = "site";
    /// A source location of a module.
    LocationId = "loc";
    /// A reason why code cannot be compiled for the device.
    UnsupportedId = "unsupported";
}
