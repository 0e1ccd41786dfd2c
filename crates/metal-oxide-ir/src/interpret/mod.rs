//! Runs kernels on plain bytes, slowly and obviously right, and reports everything that the IR leaves undefined.
//! Threads run one after another. What optimised and unoptimised modules compute here is compared in tests.

pub mod arithmetic;
mod machine;
mod memory;
mod thread;
mod violation;

use crate::{Module, SiteId};

pub use violation::{Place, Violation, ViolationKind};

/// The grid of a launch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Launch {
    /// Blocks on each axis.
    pub grid: [u32; 3],
    /// Threads of a block on each axis.
    pub block: [u32; 3],
}

impl Launch {
    /// A grid of one dimension.
    pub fn linear(grid: u32, block: u32) -> Self {
        Launch { grid: [grid, 1, 1], block: [block, 1, 1] }
    }
}

/// Where to stop a run that may not end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Instructions and terminators that all threads together may execute.
    pub steps: u64,
    /// Calls that may be active at once.
    pub depth: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Limits { steps: 10_000_000, depth: 256 }
    }
}

/// A failure that a thread reported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Failure {
    /// What failed.
    pub site: SiteId,
    /// The thread's position in its block.
    pub thread: [u32; 3],
    /// The block's position in the grid.
    pub block: [u32; 3],
}

/// What a run did besides writing to its buffers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    /// The failures, in the order of the threads. The host sees one of them.
    pub failures: Vec<Failure>,
    /// For each buffer, the offsets of bytes that the kernel left without a defined value, such as the padding of a record.
    pub undefined: Vec<Vec<usize>>,
    /// How many instructions and terminators were executed.
    pub steps: u64,
}

/// Runs a kernel over a grid.
///
/// `buffers` holds the bytes of the kernel's buffer parameters, in order; a buffer has as many elements as fit into its bytes. `values` holds the
/// bytes of its by-value parameters, in order. The module may be of any stage, and must be valid.
///
/// # Errors
/// The first thing that the IR leaves undefined, the limit that was reached, or how the arguments do not fit the kernel. The buffers then
/// hold what was written before.
pub fn run(
    module: &Module,
    kernel: &str,
    buffers: &mut [Vec<u8>],
    values: &[Vec<u8>],
    launch: Launch,
    limits: Limits,
) -> Result<Outcome, Violation> {
    let mut machine = machine::Machine::new(module, kernel, buffers, values, launch, limits)?;
    let result = machine.run();
    machine.write_back(buffers);
    result
}

#[cfg(test)]
mod tests;
