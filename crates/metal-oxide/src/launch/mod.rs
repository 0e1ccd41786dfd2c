//! Launches: operations that run a kernel over a grid.
//! A launch function binds the arguments and returns; nothing is checked or run before the launch is waited for.

mod argument;
mod binder;
mod check;
mod config;
mod kernel;

use std::fmt;
use std::future::{Future, IntoFuture};
use std::pin::Pin;
use std::task::{Context, Poll, ready};

pub use argument::{ArgumentFor, Arguments, KernelParameter};
pub use binder::Binder;
pub(crate) use binder::{Binding, Prepared};
pub use config::{DynamicLaunchConfig, IntoLaunchConfig, LaunchConfig};
pub use kernel::{Kernel, RunBlock, Unit};

pub use crate::backend::cpu::{Block, RawArgument};
use crate::operation::{Completion, Operation, WaitingTask, run, submit};
use crate::{Device, Result};

/// A kernel and its arguments, ready to run: what a launch function returns.
///
/// It is lazy. Waiting for it, with [`wait`](Operation::wait) or `.await`, checks the launch, runs it and gives `Arguments` back: all
/// arguments in the form in which they were passed, as a tuple, or bare if there is one. A launch that is dropped before has no effect.
#[must_use = "a launch does nothing until it is waited for: use `.wait()` or `.await`"]
pub struct Launch<Arguments> {
    device: Device,
    prepared: Prepared,
    arguments: Arguments,
}

impl<Arguments> Launch<Arguments> {
    fn new(device: Device, prepared: Prepared, arguments: Arguments) -> Self {
        Self { device, prepared, arguments }
    }
}

impl<Arguments> Operation for Launch<Arguments> {
    type Output = Arguments;

    fn wait(self) -> Result<Arguments> {
        run(&self.device, self.prepared)?;
        Ok(self.arguments)
    }
}

impl<Arguments> IntoFuture for Launch<Arguments> {
    type Output = Result<Arguments>;
    type IntoFuture = LaunchFuture<Arguments>;

    fn into_future(self) -> LaunchFuture<Arguments> {
        LaunchFuture { state: State::Lazy(self) }
    }
}

impl<Arguments> fmt::Debug for Launch<Arguments> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (kernel, config) = (self.prepared.kernel.name(), self.prepared.config);
        formatter.debug_struct("Launch").field("kernel", &kernel).field("config", &config).field("device", &self.device).finish()
    }
}

/// A launch as a future.
///
/// Polling it for the first time gives the work to the device, without blocking; the task is woken when the work is done. Dropping it
/// afterwards does not stop the work: the device keeps what it needs, and whoever next uses one of the buffers waits for it.
#[must_use = "a future does nothing until it is awaited"]
pub struct LaunchFuture<Arguments> {
    state: State<Arguments>,
}

enum State<Arguments> {
    Lazy(Launch<Arguments>),
    Running { completion: Completion, task: WaitingTask, arguments: Arguments },
    Done,
}

/// The arguments are never pinned.
impl<Arguments> Unpin for LaunchFuture<Arguments> {}

impl<Arguments> Future for LaunchFuture<Arguments> {
    type Output = Result<Arguments>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        if let State::Lazy(_) = self.state {
            let State::Lazy(launch) = std::mem::replace(&mut self.state, State::Done) else { unreachable!("it is lazy") };
            let completion = submit(&launch.device, launch.prepared)?;
            let task = WaitingTask::new(completion.clone());
            self.state = State::Running { completion, task, arguments: launch.arguments };
        }
        let State::Running { task, .. } = &mut self.state else { panic!("a launch is not polled after it was ready") };
        ready!(task.poll(context));
        let State::Running { completion, arguments, .. } = std::mem::replace(&mut self.state, State::Done) else {
            unreachable!("it is running")
        };
        Poll::Ready(completion.take_outcome().map(|()| arguments))
    }
}
