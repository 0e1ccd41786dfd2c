//! Operations: work for a device, described now and done when somebody waits for it.

mod completion;
mod submission;

use std::future::IntoFuture;

pub(crate) use completion::{Completion, WaitingTask};
pub(crate) use submission::{run, submit};

use crate::Result;

/// Work for a device that starts when it is waited for.
///
/// An operation is also [`IntoFuture`]: `operation.await` does the same as [`wait`](Self::wait) without blocking the thread, under any
/// executor.
pub trait Operation: Sized + IntoFuture<Output = Result<<Self as Operation>::Output>> {
    /// What the operation gives when it is done.
    type Output;

    /// Does the work and blocks the thread until it is done.
    ///
    /// # Errors
    ///
    /// What was wrong with the operation, or what failed on the device.
    fn wait(self) -> Result<<Self as Operation>::Output>;
}
