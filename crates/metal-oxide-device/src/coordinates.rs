//! Where a thread stands in its block, and its block in the grid.
//! The names and their meaning are CUDA's; a block is one Metal threadgroup.

use crate::{Dim3, intrinsics};

/// The thread's position in its block.
///
/// # Panics
///
/// On the host outside a launch, as do all functions of this kind.
#[inline]
pub fn thread_idx() -> Dim3 {
    Dim3::new(
        intrinsics::thread_position_in_threadgroup::<0>(),
        intrinsics::thread_position_in_threadgroup::<1>(),
        intrinsics::thread_position_in_threadgroup::<2>(),
    )
}

/// The block's position in the grid.
#[inline]
pub fn block_idx() -> Dim3 {
    Dim3::new(
        intrinsics::threadgroup_position_in_grid::<0>(),
        intrinsics::threadgroup_position_in_grid::<1>(),
        intrinsics::threadgroup_position_in_grid::<2>(),
    )
}

/// The number of threads in each block.
#[inline]
pub fn block_dim() -> Dim3 {
    Dim3::new(
        intrinsics::threads_per_threadgroup::<0>(),
        intrinsics::threads_per_threadgroup::<1>(),
        intrinsics::threads_per_threadgroup::<2>(),
    )
}

/// The number of blocks in the grid.
#[inline]
pub fn grid_dim() -> Dim3 {
    Dim3::new(intrinsics::threadgroups_per_grid::<0>(), intrinsics::threadgroups_per_grid::<1>(), intrinsics::threadgroups_per_grid::<2>())
}

/// The thread's position in the whole grid: `block_idx() * block_dim() + thread_idx()` on each axis.
#[inline]
pub fn thread_position() -> Dim3 {
    Dim3::new(
        intrinsics::thread_position_in_grid::<0>(),
        intrinsics::thread_position_in_grid::<1>(),
        intrinsics::thread_position_in_grid::<2>(),
    )
}
