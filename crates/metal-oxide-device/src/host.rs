//! The coordinates of the thread that the CPU device is running, one set for each thread of the host.
//! Only the CPU device writes them: that every thread of a launch has coordinates of its own is what makes disjoint access sound.

use core::cell::Cell;

use crate::Dim3;

std::thread_local! {
    static CURRENT: Coordinates = const { Coordinates::outside() };
}

/// The coordinates of one running thread. Each field has a value that no running thread can have, which means "outside a launch".
struct Coordinates {
    thread: [Cell<u32>; 3],
    block: [Cell<u32>; 3],
    block_dim: [Cell<u32>; 3],
    grid_dim: [Cell<u32>; 3],
    /// The position along `x`, or `NOT_LINEAR`.
    linear: Cell<usize>,
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
            thread: [const { Cell::new(NO_POSITION) }; 3],
            block: [const { Cell::new(NO_POSITION) }; 3],
            block_dim: [const { Cell::new(NO_EXTENT) }; 3],
            grid_dim: [const { Cell::new(NO_EXTENT) }; 3],
            linear: Cell::new(NOT_LINEAR),
        }
    }
}

/// The thread's position in its block.
#[inline(always)]
pub(crate) fn thread<const AXIS: usize>() -> u32 {
    let value = CURRENT.with(|current| current.thread[AXIS].get());
    if value == NO_POSITION { outside_a_launch() } else { value }
}

/// The block's position in the grid.
#[inline(always)]
pub(crate) fn block<const AXIS: usize>() -> u32 {
    let value = CURRENT.with(|current| current.block[AXIS].get());
    if value == NO_POSITION { outside_a_launch() } else { value }
}

/// The threads of a block.
#[inline(always)]
pub(crate) fn block_dim<const AXIS: usize>() -> u32 {
    let value = CURRENT.with(|current| current.block_dim[AXIS].get());
    if value == NO_EXTENT { outside_a_launch() } else { value }
}

/// The blocks of the grid.
#[inline(always)]
pub(crate) fn grid_dim<const AXIS: usize>() -> u32 {
    let value = CURRENT.with(|current| current.grid_dim[AXIS].get());
    if value == NO_EXTENT { outside_a_launch() } else { value }
}

/// The thread's position in the grid, which a launch keeps below 2³² on every axis.
#[inline(always)]
pub(crate) fn thread_position<const AXIS: usize>() -> u32 {
    block::<AXIS>().wrapping_mul(block_dim::<AXIS>()).wrapping_add(thread::<AXIS>())
}

/// The thread's position in a grid of one dimension.
#[inline(always)]
pub(crate) fn linear_index() -> usize {
    let value = CURRENT.with(|current| current.linear.get());
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
    CURRENT.with(|current| current.thread[0].get() != NO_POSITION)
}

/// The position in its block of the thread that is running, or that panicked last.
pub fn running_thread() -> Dim3 {
    CURRENT.with(|current| Dim3::new(current.thread[0].get(), current.thread[1].get(), current.thread[2].get()))
}

/// The coordinates of the host thread while a block of a launch runs on it. Dropping it brings back those from before, so that a kernel
/// which launches another one still finds its own.
pub struct RunningBlock {
    thread: [u32; 3],
    block: [u32; 3],
    block_dim: [u32; 3],
    grid_dim: [u32; 3],
    linear: usize,
    /// The position along `x` of the block's first thread where the launch has one dimension.
    first: Option<usize>,
}

impl RunningBlock {
    /// Makes this host thread run `block`.
    ///
    /// # Safety
    ///
    /// `block` lies in a grid of `grid_dim` blocks of `block_dim` threads, which has at least one and at most 2³² threads on each axis, and
    /// no other host thread runs the same block of the same launch. The value is dropped on the thread that made it, after every such
    /// value that was made there later.
    pub unsafe fn enter(block: Dim3, block_dim: Dim3, grid_dim: Dim3) -> Self {
        let linear = block_dim.y == 1 && block_dim.z == 1 && grid_dim.y == 1 && grid_dim.z == 1;
        CURRENT.with(|current| Self {
            thread: current.thread.each_ref().map(Cell::get),
            block: replace(&current.block, block),
            block_dim: replace(&current.block_dim, block_dim),
            grid_dim: replace(&current.grid_dim, grid_dim),
            linear: current.linear.get(),
            first: linear.then_some(block.x as usize * block_dim.x as usize),
        })
    }

    /// Runs the block's threads one after another, from `start`, with `body` called once for each.
    ///
    /// # Safety
    ///
    /// `start` and `block_dim` are as given to [`enter`](Self::enter), no thread runs twice, and `body` does not keep anything that belongs
    /// to a thread beyond its call.
    #[inline(always)]
    pub unsafe fn run_threads(&mut self, start: Dim3, block_dim: Dim3, mut body: impl FnMut()) {
        CURRENT.with(|current| {
            if let Some(first) = self.first {
                current.thread[1].set(0);
                current.thread[2].set(0);
                for x in start.x..block_dim.x {
                    current.thread[0].set(x);
                    current.linear.set(first + x as usize);
                    body();
                }
                return;
            }
            current.linear.set(NOT_LINEAR);
            let (mut x, mut y) = (start.x, start.y);
            for z in start.z..block_dim.z {
                while y < block_dim.y {
                    while x < block_dim.x {
                        current.thread[0].set(x);
                        current.thread[1].set(y);
                        current.thread[2].set(z);
                        body();
                        x += 1;
                    }
                    (x, y) = (0, y + 1);
                }
                y = 0;
            }
        });
    }
}

impl Drop for RunningBlock {
    fn drop(&mut self) {
        CURRENT.with(|current| {
            replace(&current.thread, self.thread.into());
            replace(&current.block, self.block.into());
            replace(&current.block_dim, self.block_dim.into());
            replace(&current.grid_dim, self.grid_dim.into());
            current.linear.set(self.linear);
        });
    }
}

fn replace(cells: &[Cell<u32>; 3], value: Dim3) -> [u32; 3] {
    [cells[0].replace(value.x), cells[1].replace(value.y), cells[2].replace(value.z)]
}
