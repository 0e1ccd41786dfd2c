//! What a run can do that the IR leaves undefined, and where it did.

use std::fmt;

use super::arithmetic::Undefined;
use crate::{BlockId, Location, Space};

/// Something that the IR leaves undefined, or the end of the interpreter's patience.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// What happened.
    pub kind: ViolationKind,
    /// Where, unless no thread was running.
    pub place: Option<Box<Place>>,
}

/// The point of execution of a thread.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The function.
    pub function: String,
    /// The block.
    pub block: BlockId,
    /// The position of the instruction; the terminator stands behind the last one.
    pub instruction: usize,
    /// Where that comes from in the source, if known.
    pub location: Option<Location>,
    /// The thread's position in its block.
    pub thread: [u32; 3],
    /// The block's position in the grid.
    pub thread_block: [u32; 3],
}

/// What a run did wrong.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ViolationKind {
    /// The arguments do not fit the kernel.
    #[error("{0}")]
    Arguments(String),
    /// The run took more steps than it may.
    #[error("the run does not end within the limit of steps")]
    Steps,
    /// More calls were active than may be.
    #[error("the calls are nested too deeply")]
    Depth,
    /// An access outside of the memory that the pointer belongs to.
    #[error("{bytes} bytes are accessed at offset {offset} of memory that has {size} bytes")]
    OutOfBounds {
        /// The distance from the start of the memory.
        offset: i128,
        /// The size of the access.
        bytes: u64,
        /// The size of the memory.
        size: u64,
    },
    /// An access through an address that belongs to no memory.
    #[error("memory is accessed through the address {0:#x}, which came from no pointer")]
    NoMemory(u64),
    /// An access to a slot of a function that has returned.
    #[error("memory is accessed after the function that it belongs to has returned")]
    Dangling,
    /// An access at an address that is not aligned.
    #[error("the address {address:#x} is not aligned to {align} bytes")]
    Misaligned {
        /// The address.
        address: u64,
        /// The alignment that the access needs.
        align: u64,
    },
    /// A write to memory that is only read.
    #[error("memory that is only read is written")]
    ReadOnly,
    /// A pointer whose type names another space than the memory's.
    #[error("a pointer to {claimed} memory points to {actual} memory")]
    WrongSpace {
        /// The space of the pointer's type.
        claimed: Space,
        /// The space of the memory.
        actual: Space,
    },
    /// A copy between places that overlap.
    #[error("the places of a copy overlap")]
    Overlap,
    /// A decision, an address or a division that depends on a value that is not defined.
    #[error("{0} depends on uninitialised memory or another undefined value")]
    UndefinedValue(&'static str),
    /// Arithmetic without a result.
    #[error(transparent)]
    Arithmetic(#[from] Undefined),
    /// An `assume` of something false.
    #[error("an assumption is false")]
    Assumption,
    /// Execution reached `unreachable`.
    #[error("`unreachable` is reached")]
    Unreachable,
    /// Execution reached code that the device cannot express.
    #[error("unsupported code is reached: {0}")]
    Unsupported(String),
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.kind.fmt(f)?;
        let Some(place) = &self.place else { return Ok(()) };
        write!(f, ", in @{}, {}, instruction {}", place.function, place.block, place.instruction)?;
        if let Some(location) = &place.location {
            write!(f, " ({}:{}:{})", location.file, location.line, location.column)?;
        }
        write!(f, ", thread {:?} of block {:?}", place.thread, place.thread_block)
    }
}

impl std::error::Error for Violation {}
