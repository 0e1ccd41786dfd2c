//! What can go wrong, and what to do about it.
//! Every message names the next step; every variant keeps what a program needs to react.

use std::fmt;

use metal_oxide_artifact::FailureKind;

/// The result of an operation of this crate.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Why an operation failed.
///
/// Its `Debug` form is the message as well, because that is what a program shows whose `main` returns an error.
#[derive(thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A check in the kernel failed: an index out of range, a division by zero, an overflow, a panic.
    ///
    /// It is the first failure that the launch met; which one that is can differ from run to run. The thread that failed wrote nothing
    /// after the check. Other threads may have failed too, and those that did not have finished their work, so writable buffers hold a
    /// mixture of old and new values.
    #[error("{file}:{line}:{column}: kernel `{kernel}` failed in thread {thread:?} of block {block:?}: {message}")]
    KernelFailed {
        /// The launch function's name.
        kernel: String,
        /// The Rust source file, spelt as the host's own panics spell it.
        file: String,
        /// Line in `file`, from 1.
        line: u32,
        /// Column in `file`, from 1.
        column: u32,
        /// What kind of check it was.
        kind: FailureKind,
        /// What the check says. A GPU knows only what was known when the kernel was compiled, the CPU device also knows values.
        message: String,
        /// The thread's position in its block: x, y, z.
        thread: [u32; 3],
        /// The block's position in the grid: x, y, z.
        block: [u32; 3],
    },

    /// A relation that the kernel `requires` does not hold for these arguments. Nothing ran.
    #[error(
        "kernel `{kernel}` requires `{relation}`, but the left side is {left} and the right side is {right}: \
         pass arguments for which it holds"
    )]
    RequirementNotMet {
        /// The launch function's name.
        kernel: String,
        /// The relation as its author wrote it.
        relation: String,
        /// The left side's value. `too large to compute` where it leaves the range of 128-bit integers.
        left: String,
        /// The right side's value.
        right: String,
    },

    /// The grid or the blocks cannot be launched: an extent of zero, too many threads, a dimension that the kernel has no use for.
    #[error("invalid launch{}: {reason}", of_kernel(.kernel))]
    InvalidLaunch {
        /// The launch function's name; empty while a configuration is made, before there is a kernel.
        kernel: String,
        /// What is wrong and what to do.
        reason: String,
    },

    /// A buffer cannot be made, or cannot be used where it was passed.
    #[error("invalid buffer: {reason}")]
    InvalidBuffer {
        /// What is wrong and what to do.
        reason: String,
    },

    /// The compiled kernel that the program carries is missing, damaged or does not belong to the launch function.
    #[error("the artifact of kernel `{kernel}` cannot be used: {reason}")]
    Artifact {
        /// The launch function's name.
        kernel: String,
        /// What is wrong and what to do.
        reason: String,
    },

    /// The device that was asked for is not there.
    #[error("no device: {reason}")]
    NoDevice {
        /// What was asked for, why there is none, and what to do.
        reason: String,
    },

    /// The device could not load or run the kernel, for a reason outside the kernel's own code.
    #[error("the device `{device}` could not run kernel `{kernel}`: {source}")]
    DeviceFailed {
        /// The device's name.
        device: String,
        /// The launch function's name.
        kernel: String,
        /// The device's own error.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
}

impl fmt::Debug for Error {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, formatter)
    }
}

fn of_kernel(kernel: &str) -> String {
    if kernel.is_empty() { String::new() } else { format!(" of kernel `{kernel}`") }
}
