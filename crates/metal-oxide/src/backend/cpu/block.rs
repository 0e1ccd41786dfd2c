//! Runs the threads of a block: the one piece of the CPU device that is compiled into the user's crate.
//! There the loop over the threads and the kernel become one function, which is optimised as if it had been written by hand.

use std::panic::{AssertUnwindSafe, catch_unwind};

use metal_oxide_device::host::{RunningLaunch, running_thread};

use super::failure::Failures;
use crate::device::Dim3;

/// An argument of a launch on the CPU device: the elements of a buffer and how many there are, or a value.
#[derive(Clone, Copy)]
pub struct RawArgument {
    pub(crate) pointer: *mut u8,
    pub(crate) length: usize,
}

/// A block whose threads are to be run.
pub struct Block<'launch> {
    position: Dim3,
    block_dim: Dim3,
    launch: &'launch RunningLaunch,
    failures: &'launch Failures,
}

impl<'launch> Block<'launch> {
    /// # Safety
    ///
    /// `position` lies in the grid of the launch that this host thread takes part in, whose blocks have `block_dim` threads. The value is
    /// used once, and no other is made for the same block of the same launch.
    pub(super) unsafe fn new(position: Dim3, block_dim: Dim3, launch: &'launch RunningLaunch, failures: &'launch Failures) -> Self {
        Self { position, block_dim, launch, failures }
    }

    /// Calls `body` once for each thread of the block, with the thread's coordinates in place.
    ///
    /// A thread that panics is a failure of the kernel. The others run all the same.
    #[inline(always)]
    pub fn for_each_thread(&mut self, mut body: impl FnMut()) {
        let mut start = Some(Dim3::default());
        while let Some(first) = start {
            // A panic leaves the loop, so there is nothing to set up for each thread. The kernel's state is its own: buffers hold values of
            // `Copy` types, which no panic leaves half written.
            let outcome = catch_unwind(AssertUnwindSafe(|| {
                // SAFETY: `new`'s caller vouched that the block is in the grid and run once. The threads from `first` on have not run yet,
                // and the closure that a kernel's macro makes keeps nothing.
                unsafe { self.launch.run_threads(self.position, first, &mut body) }
            }));
            start = match outcome {
                Ok(()) => None,
                Err(payload) => self.thread_failed(payload),
            };
        }
    }

    /// Notes that the running thread failed, and returns the thread that comes after it.
    #[cold]
    #[inline(never)]
    fn thread_failed(&self, payload: Box<dyn std::any::Any + Send>) -> Option<Dim3> {
        let failed = running_thread();
        self.failures.record(payload, failed, self.position);
        let Dim3 { x, y, z } = failed;
        if x + 1 < self.block_dim.x {
            Some(Dim3::new(x + 1, y, z))
        } else if y + 1 < self.block_dim.y {
            Some(Dim3::new(0, y + 1, z))
        } else if z + 1 < self.block_dim.z {
            Some(Dim3::new(0, 0, z + 1))
        } else {
            None
        }
    }
}
