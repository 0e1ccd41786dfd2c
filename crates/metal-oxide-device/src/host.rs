//! The coordinates of the thread that the CPU device is running, one set for each thread of the host.
//! Only the CPU device writes them: that every thread of a launch has coordinates of its own is what makes disjoint access sound.

use core::cell::Cell;
use core::ptr;

use crate::Dim3;

std::thread_local! {
    static CURRENT: Coordinates = const { Coordinates::outside() };
}

/// The coordinates of one running thread. Each field has a value that no running thread can have, which means "outside a launch".
struct Coordinates {
    /// The position along `x` in a grid of one dimension, or `NOT_LINEAR`. In such a grid this is all that changes from thread to thread:
    /// a small kernel spends as much time on a second store as on its own.
    linear: Cell<usize>,
    /// The position in the block; zero where `linear` says it.
    thread: [Cell<u32>; 3],
    block: [Cell<u32>; 3],
    block_dim: [Cell<u32>; 3],
    grid_dim: [Cell<u32>; 3],
}

/// No thread has this position in its block and no block this position in its grid: both are less than the extent, which is a `u32`.
const NO_POSITION: u32 = u32::MAX;
/// No running block or grid has this extent.
const NO_EXTENT: u32 = 0;
/// Greater than any position in a grid.
const NOT_LINEAR: usize = usize::MAX;

impl Coordinates {
    const fn outside() -> Self {
        Self {
            linear: Cell::new(NOT_LINEAR),
            thread: [const { Cell::new(NO_POSITION) }; 3],
            block: [const { Cell::new(NO_POSITION) }; 3],
            block_dim: [const { Cell::new(NO_EXTENT) }; 3],
            grid_dim: [const { Cell::new(NO_EXTENT) }; 3],
        }
    }
}

/// The coordinates of this host thread.
///
/// The address is found in this one way only, by a function that the optimiser sees to be the same each time: so what a loop over
/// threads stores is known where the kernel in the loop loads it.
#[inline(always)]
fn current<'here>() -> &'here Coordinates {
    // SAFETY: the value needs no drop, so it lives as long as its thread. It is not `Sync`, so the borrow stays there.
    CURRENT.with(|current| unsafe { &*ptr::from_ref(current) })
}

/// The thread's position in its block.
#[inline(always)]
pub(crate) fn thread<const AXIS: usize>() -> u32 {
    let linear = current().linear.get();
    if AXIS == 0 && linear != NOT_LINEAR {
        return (linear as u32).wrapping_sub(block::<0>().wrapping_mul(block_dim::<0>()));
    }
    let value = current().thread[AXIS].get();
    if value == NO_POSITION { outside_a_launch() } else { value }
}

/// The block's position in the grid.
#[inline(always)]
pub(crate) fn block<const AXIS: usize>() -> u32 {
    let value = current().block[AXIS].get();
    if value == NO_POSITION { outside_a_launch() } else { value }
}

/// The threads of a block.
#[inline(always)]
pub(crate) fn block_dim<const AXIS: usize>() -> u32 {
    let value = current().block_dim[AXIS].get();
    if value == NO_EXTENT { outside_a_launch() } else { value }
}

/// The blocks of the grid.
#[inline(always)]
pub(crate) fn grid_dim<const AXIS: usize>() -> u32 {
    let value = current().grid_dim[AXIS].get();
    if value == NO_EXTENT { outside_a_launch() } else { value }
}

/// The thread's position in the grid, which a launch keeps below 2³² on every axis.
#[inline(always)]
pub(crate) fn thread_position<const AXIS: usize>() -> u32 {
    let linear = current().linear.get();
    if AXIS == 0 && linear != NOT_LINEAR {
        return linear as u32;
    }
    block::<AXIS>().wrapping_mul(block_dim::<AXIS>()).wrapping_add(thread::<AXIS>())
}

/// The thread's position in a grid of one dimension.
#[inline(always)]
pub(crate) fn linear_index() -> usize {
    let value = current().linear.get();
    if value == NOT_LINEAR { not_linear() } else { value }
}

#[cold]
#[inline(never)]
fn outside_a_launch() -> ! {
    panic!("thread coordinates exist only while a kernel runs: call this from a kernel that was launched on a device");
}

#[cold]
#[inline(never)]
fn not_linear() -> ! {
    if is_running() {
        panic!("`thread_index` needs a one-dimensional grid: launch with extents of one in Y and Z");
    }
    outside_a_launch()
}

/// Whether this host thread is running a kernel.
#[inline]
pub fn is_running() -> bool {
    current().thread[0].get() != NO_POSITION
}

/// The position in its block of the thread that is running, or that panicked last.
pub fn running_thread() -> Dim3 {
    Dim3::new(thread::<0>(), thread::<1>(), thread::<2>())
}

/// The coordinates of the host thread while it runs blocks of a launch. Dropping it brings back those from before, so that a kernel which
/// launches another one still finds its own.
pub struct RunningLaunch {
    before: [[u32; 3]; 4],
    linear_before: usize,
    block_dim: Dim3,
    is_linear: bool,
}

impl RunningLaunch {
    /// Makes this host thread take part in a launch.
    ///
    /// # Safety
    ///
    /// The grid has at least one and at most 2³² threads on each axis. The value is dropped on the thread that made it, after every such
    /// value that was made there later.
    pub unsafe fn enter(block_dim: Dim3, grid_dim: Dim3) -> Self {
        let current = current();
        let before = [
            current.thread.each_ref().map(Cell::get),
            current.block.each_ref().map(Cell::get),
            replace(&current.block_dim, block_dim.into()),
            replace(&current.grid_dim, grid_dim.into()),
        ];
        let is_linear = [block_dim.y, block_dim.z, grid_dim.y, grid_dim.z] == [1; 4];
        Self { before, linear_before: current.linear.replace(NOT_LINEAR), block_dim, is_linear }
    }

    /// Runs threads of a block one after another, from `start` to the last, with `body` called once for each.
    ///
    /// # Safety
    ///
    /// `block` lies in the grid and `start` in the block, no thread of the launch runs twice, on this host thread or another, and `body`
    /// keeps nothing that belongs to a thread beyond its call.
    #[inline(always)]
    pub unsafe fn run_threads(&self, block: Dim3, start: Dim3, mut body: impl FnMut()) {
        let (current, block_dim) = (current(), self.block_dim);
        replace(&current.block, block.into());
        if self.is_linear {
            replace(&current.thread, [0; 3]);
            // It fits: it is less than the number of threads. Keeping it short tells the optimiser that no index is `NOT_LINEAR`.
            let first = block.x.wrapping_mul(block_dim.x);
            for x in start.x..block_dim.x {
                current.linear.set(first as usize + x as usize);
                body();
            }
            return;
        }
        let (mut x, mut y) = (start.x, start.y);
        for z in start.z..block_dim.z {
            while y < block_dim.y {
                while x < block_dim.x {
                    replace(&current.thread, [x, y, z]);
                    body();
                    x += 1;
                }
                (x, y) = (0, y + 1);
            }
            y = 0;
        }
    }
}

impl Drop for RunningLaunch {
    fn drop(&mut self) {
        let current = current();
        for (cells, before) in [&current.thread, &current.block, &current.block_dim, &current.grid_dim].into_iter().zip(self.before) {
            replace(cells, before);
        }
        current.linear.set(self.linear_before);
    }
}

#[inline(always)]
fn replace(cells: &[Cell<u32>; 3], value: [u32; 3]) -> [u32; 3] {
    [cells[0].replace(value[0]), cells[1].replace(value[1]), cells[2].replace(value[2])]
}
