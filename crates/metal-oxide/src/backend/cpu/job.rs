//! One launch on the CPU device, which any number of host threads work on together.
//! They claim runs of blocks from a counter; whoever finishes the last block ends the launch.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::Duration;

use metal_oxide_device::host::RunningLaunch;

use super::block::{Block, RawArgument};
use super::failure::Failures;
use crate::backend::Work;
use crate::device::Dim3;
use crate::launch::{Arguments, Binding};
use crate::operation::Completion;

/// How many runs of blocks each host thread finds, about: enough that no thread is idle for long while another finishes its last.
const RUNS_PER_THREAD: u64 = 64;

pub(super) struct Job {
    work: Work,
    completion: Completion,
    arguments: Vec<RawArgument>,
    failures: Failures,
    /// The number of blocks.
    blocks: u64,
    /// How many blocks are claimed at a time.
    run: u64,
    /// The first block that nobody has claimed. It ends up beyond the last.
    unclaimed: AtomicU64,
    unfinished: AtomicU64,
    /// How many more host threads may join.
    places: AtomicUsize,
}

// SAFETY: the pointers in `arguments` lead to the storage and the values that `work` keeps alive. Kernels access them under the rules of
// the buffers' device types, for element types that may be sent and shared; everything else in a job is `Send` and `Sync`.
unsafe impl Send for Job {}
// SAFETY: as above.
unsafe impl Sync for Job {}

impl Job {
    /// A job for up to `threads` host threads.
    pub(super) fn new(work: Work, completion: Completion, threads: usize) -> Self {
        let arguments = work.prepared.bindings.iter().map(|binding| match binding {
            Binding::Buffer { storage, length, .. } => RawArgument { pointer: storage.pointer().as_ptr(), length: *length },
            // A type without a size has no room of its own; the end of the values is as good a place as any.
            Binding::Value { index, .. } => RawArgument { pointer: work.prepared.values[*index..].as_ptr().cast_mut().cast(), length: 1 },
        });
        let arguments = arguments.collect();
        let blocks = work.prepared.config.blocks().expect("the configuration was checked");
        Self {
            completion,
            arguments,
            failures: Failures::default(),
            blocks,
            run: (blocks / (threads as u64 * RUNS_PER_THREAD)).max(1),
            unclaimed: AtomicU64::new(0),
            unfinished: AtomicU64::new(blocks),
            places: AtomicUsize::new(threads),
            work,
        }
    }

    pub(super) fn completion(&self) -> &Completion {
        &self.completion
    }

    /// Whether more than one host thread can be of use.
    pub(super) fn is_divisible(&self) -> bool {
        self.blocks > 1
    }

    /// Whether every block has been claimed.
    pub(super) fn is_exhausted(&self) -> bool {
        self.unclaimed.load(Ordering::Relaxed) >= self.blocks
    }

    /// Takes one of the places for host threads, if there is one and something is left to do.
    pub(super) fn join(&self) -> bool {
        !self.is_exhausted() && self.places.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |places| places.checked_sub(1)).is_ok()
    }

    /// Runs blocks until none is left to claim, and ends the launch if this thread finished the last of all. Calls `after_run` after each
    /// run of blocks but the last. Returns how many blocks this thread ran.
    pub(super) fn work(&self, mut after_run: impl FnMut()) -> u64 {
        let mut done = 0;
        loop {
            let first = self.unclaimed.fetch_add(self.run, Ordering::Relaxed);
            if first >= self.blocks {
                return done;
            }
            let end = self.blocks.min(first.saturating_add(self.run));
            self.run_blocks(first, end);
            done += end - first;
            // The last to arrive sees what all the others wrote.
            if self.unfinished.fetch_sub(end - first, Ordering::AcqRel) == end - first {
                self.finish();
                return done;
            }
            after_run();
        }
    }

    /// How long the launch would take on one thread, judging by the kernel's last one. Unknown before that.
    pub(super) fn expected_duration(&self) -> Option<Duration> {
        self.work.prepared.kernel.pace().duration(self.threads(self.blocks))
    }

    /// Notes how long a thread took for so many blocks.
    pub(super) fn note_duration(&self, blocks: u64, duration: Duration) {
        self.work.prepared.kernel.pace().note(self.threads(blocks), duration);
    }

    /// The number of the kernel's threads in so many blocks.
    fn threads(&self, blocks: u64) -> u64 {
        let block = self.work.prepared.config.block_dim();
        blocks.saturating_mul(u64::from(block.x * block.y * block.z))
    }

    fn finish(&self) {
        let kernel = self.work.prepared.kernel;
        let failure = self.failures.to_error(kernel.name(), kernel.unit().file(), self.work.entry);
        self.completion.complete(failure.map_or(Ok(()), Err));
    }

    fn run_blocks(&self, first: u64, end: u64) {
        let (block_dim, grid_dim) = (self.work.prepared.config.block_dim(), self.work.prepared.config.grid_dim());
        let run_block = self.work.prepared.kernel.run_block();
        let arguments = Arguments::new(&self.arguments);
        // SAFETY: the configuration was checked, and the value does not leave this function.
        let running = unsafe { RunningLaunch::enter(block_dim, grid_dim) };
        let mut position = block_at(first, grid_dim);
        for _ in first..end {
            // SAFETY: the position is in the grid, and this thread alone claimed it.
            let mut block = unsafe { Block::new(position, block_dim, &running, &self.failures) };
            // SAFETY: whoever made the kernel vouched that `run_block` takes the arguments that were bound for it.
            unsafe { run_block(arguments, &mut block) };
            position = block_after(position, grid_dim);
        }
    }
}

/// The position of the block with this number, counted along x first.
fn block_at(number: u64, grid: Dim3) -> Dim3 {
    let (row, x) = (number / u64::from(grid.x), number % u64::from(grid.x));
    let (z, y) = (row / u64::from(grid.y), row % u64::from(grid.y));
    Dim3::new(x as u32, y as u32, z as u32)
}

fn block_after(block: Dim3, grid: Dim3) -> Dim3 {
    let Dim3 { x, y, z } = block;
    if x + 1 < grid.x {
        Dim3::new(x + 1, y, z)
    } else if y + 1 < grid.y {
        Dim3::new(0, y + 1, z)
    } else {
        Dim3::new(0, 0, z.wrapping_add(1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_counted_along_x_then_y_then_z() {
        let grid = Dim3::new(3, 2, 4);
        let mut expected = Dim3::default();
        for number in 0..24 {
            assert_eq!(block_at(number, grid), expected);
            assert_eq!(u64::from(expected.x + 3 * (expected.y + 2 * expected.z)), number);
            expected = block_after(expected, grid);
        }
    }
}
