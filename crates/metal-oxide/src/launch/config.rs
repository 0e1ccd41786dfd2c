//! How many threads a launch has: the shape of its blocks and how many blocks there are.
//! Limits that hold on every device are checked when a configuration is made, those of one device when a kernel is launched.

use crate::device::Dim3;
use crate::{Error, Result};

/// The most threads that a block can have, on any device.
pub(crate) const MAX_THREADS_PER_BLOCK: u32 = 1024;

/// A grid of blocks of `X` × `Y` × `Z` threads.
///
/// The block's shape is part of the type, the grid counts blocks. A block can have up to 1,024 threads, and a grid up to 2³² threads on
/// each axis.
///
/// ```
/// use metal_oxide::LaunchConfig;
///
/// let vector = LaunchConfig::<256>::for_elements(1000)?; // 4 blocks
/// let image = LaunchConfig::<16, 16>::for_extent((1920, 1080))?; // 120 × 68 blocks
/// let volume = LaunchConfig::<8, 8, 4>::grid((10, 10, 10))?; // 1000 blocks
/// # Ok::<(), metal_oxide::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct LaunchConfig<const X: u32, const Y: u32 = 1, const Z: u32 = 1> {
    grid: Dim3,
}

impl<const X: u32> LaunchConfig<X> {
    /// As many blocks as it takes for one thread an element. The last block may have threads without one.
    ///
    /// # Errors
    ///
    /// [`Error::InvalidLaunch`] if `X` is zero or more than 1,024, or if the grid would have more than 2³² threads.
    pub fn for_elements(elements: usize) -> Result<Self> {
        DynamicLaunchConfig::for_elements(X, elements).map(|config| Self { grid: config.grid })
    }
}

impl<const X: u32, const Y: u32, const Z: u32> LaunchConfig<X, Y, Z> {
    /// A grid of so many blocks on each axis: a number, a pair or a triple. With an extent of zero nothing runs.
    ///
    /// # Errors
    ///
    /// [`Error::InvalidLaunch`] if the block has no threads or more than 1,024, or if the grid has more than 2³² on an axis.
    pub fn grid(blocks: impl Into<Dim3>) -> Result<Self> {
        DynamicLaunchConfig::new((X, Y, Z), blocks).map(|config| Self { grid: config.grid })
    }

    /// As many blocks as it takes to cover so many threads on each axis: a number, a pair or a triple. The last blocks may reach beyond.
    ///
    /// # Errors
    ///
    /// As for [`grid`](Self::grid).
    pub fn for_extent(threads: impl Into<Dim3>) -> Result<Self> {
        DynamicLaunchConfig::for_extent((X, Y, Z), threads).map(|config| Self { grid: config.grid })
    }
}

/// A grid of blocks whose shape is known only when the program runs.
///
/// The limits are those of [`LaunchConfig`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct DynamicLaunchConfig {
    block: Dim3,
    grid: Dim3,
}

impl DynamicLaunchConfig {
    /// A grid of `grid` blocks of `block` threads: each a number, a pair or a triple. With a grid extent of zero nothing runs.
    ///
    /// # Errors
    ///
    /// [`Error::InvalidLaunch`] if the block has no threads or more than 1,024, or if the grid has more than 2³² on an axis.
    pub fn new(block: impl Into<Dim3>, grid: impl Into<Dim3>) -> Result<Self> {
        let config = Self { block: block.into(), grid: grid.into() };
        config.check()?;
        Ok(config)
    }

    /// As many blocks of `block` threads as it takes for one thread an element.
    ///
    /// # Errors
    ///
    /// As for [`new`](Self::new).
    pub fn for_elements(block: u32, elements: usize) -> Result<Self> {
        check_block(block.into())?;
        let blocks = elements.div_ceil(block as usize);
        let blocks = u32::try_from(blocks).map_err(|_| too_many_threads("x", block, blocks as u64))?;
        Self::new(block, blocks)
    }

    /// As many blocks as it takes to cover so many threads on each axis.
    ///
    /// # Errors
    ///
    /// As for [`new`](Self::new).
    pub fn for_extent(block: impl Into<Dim3>, threads: impl Into<Dim3>) -> Result<Self> {
        let (block, threads) = (block.into(), threads.into());
        check_block(block)?;
        Self::new(block, (threads.x.div_ceil(block.x), threads.y.div_ceil(block.y), threads.z.div_ceil(block.z)))
    }

    /// The threads of a block.
    pub fn block_dim(&self) -> Dim3 {
        self.block
    }

    /// The blocks of the grid.
    pub fn grid_dim(&self) -> Dim3 {
        self.grid
    }

    /// The number of blocks, or `None` if it does not fit.
    pub(crate) fn blocks(&self) -> Option<u64> {
        u64::from(self.grid.x).checked_mul(self.grid.y.into())?.checked_mul(self.grid.z.into())
    }

    fn check(&self) -> Result<()> {
        check_block(self.block)?;
        for (axis, block, grid) in [("x", self.block.x, self.grid.x), ("y", self.block.y, self.grid.y), ("z", self.block.z, self.grid.z)] {
            if u64::from(block) * u64::from(grid) > 1 << 32 {
                return Err(too_many_threads(axis, block, grid.into()));
            }
        }
        if self.blocks().is_none() {
            return Err(invalid(format!("a grid of {} × {} × {} blocks is too large: use fewer", self.grid.x, self.grid.y, self.grid.z)));
        }
        Ok(())
    }
}

fn check_block(block: Dim3) -> Result<()> {
    let Dim3 { x, y, z } = block;
    let threads = u128::from(x) * u128::from(y) * u128::from(z);
    if threads == 0 {
        return Err(invalid(format!("a block of {x} × {y} × {z} threads has none: use extents of at least 1")));
    }
    if threads > MAX_THREADS_PER_BLOCK.into() {
        return Err(invalid(format!(
            "a block of {x} × {y} × {z} threads has more than the {MAX_THREADS_PER_BLOCK} that a device runs together: use smaller blocks \
             and more of them"
        )));
    }
    Ok(())
}

fn too_many_threads(axis: &str, block: u32, blocks: u64) -> Error {
    invalid(format!(
        "{blocks} blocks of {block} threads on the {axis} axis are more than 2^32 threads: let each thread do more, use another axis or \
         launch several times"
    ))
}

fn invalid(reason: String) -> Error {
    Error::InvalidLaunch { kernel: String::new(), reason }
}

/// The configurations that a launch function accepts: [`LaunchConfig`] and [`DynamicLaunchConfig`].
pub trait IntoLaunchConfig: sealed::Sealed {
    /// The configuration in its dynamic form.
    fn into_launch_config(self) -> DynamicLaunchConfig;
}

impl<const X: u32, const Y: u32, const Z: u32> IntoLaunchConfig for LaunchConfig<X, Y, Z> {
    fn into_launch_config(self) -> DynamicLaunchConfig {
        DynamicLaunchConfig { block: Dim3::new(X, Y, Z), grid: self.grid }
    }
}

impl IntoLaunchConfig for DynamicLaunchConfig {
    fn into_launch_config(self) -> DynamicLaunchConfig {
        self
    }
}

mod sealed {
    pub trait Sealed {}
    impl<const X: u32, const Y: u32, const Z: u32> Sealed for super::LaunchConfig<X, Y, Z> {}
    impl Sealed for super::DynamicLaunchConfig {}
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reason(result: Result<DynamicLaunchConfig>) -> String {
        result.expect_err("the configuration is refused").to_string()
    }

    #[test]
    fn elements_are_covered_by_whole_blocks() {
        for (elements, blocks) in [(0, 0), (1, 1), (255, 1), (256, 1), (257, 2), (1_000_003, 3907)] {
            let config = LaunchConfig::<256>::for_elements(elements).unwrap().into_launch_config();
            assert_eq!((config.block_dim(), config.grid_dim()), (Dim3::new(256, 1, 1), Dim3::new(blocks, 1, 1)));
        }
    }

    #[test]
    fn extents_are_covered_on_each_axis() {
        let config = LaunchConfig::<16, 16>::for_extent((1920, 1080)).unwrap().into_launch_config();
        assert_eq!((config.block_dim(), config.grid_dim()), (Dim3::new(16, 16, 1), Dim3::new(120, 68, 1)));
        let config = LaunchConfig::<8, 4, 2>::grid((3, 2, 1)).unwrap().into_launch_config();
        assert_eq!((config.block_dim(), config.blocks()), (Dim3::new(8, 4, 2), Some(6)));
    }

    #[test]
    fn a_block_has_between_1_and_1024_threads() {
        assert!(LaunchConfig::<32, 32>::grid(1).is_ok());
        assert!(reason(DynamicLaunchConfig::new((33, 32), 1)).contains("more than the 1024"));
        assert!(reason(DynamicLaunchConfig::new((u32::MAX, u32::MAX, u32::MAX), 1)).contains("use smaller blocks"));
        assert!(reason(DynamicLaunchConfig::for_elements(0, 5)).contains("has none"));
        assert!(LaunchConfig::<2048>::for_elements(1).is_err());
    }

    #[test]
    fn an_axis_has_up_to_2_to_the_32_threads() {
        assert!(LaunchConfig::<256>::for_elements(1 << 32).is_ok());
        assert!(LaunchConfig::<1>::for_elements(u32::MAX as usize).is_ok());
        assert!(reason(DynamicLaunchConfig::for_elements(256, (1 << 32) + 1)).contains("more than 2^32 threads"));
        assert!(reason(DynamicLaunchConfig::for_elements(1, 1 << 32)).contains("more than 2^32 threads"));
        assert!(reason(DynamicLaunchConfig::new((1, 2), (1, u32::MAX))).contains("on the y axis"));
        assert!(reason(DynamicLaunchConfig::new(1, (u32::MAX, u32::MAX, u32::MAX))).contains("is too large"));
    }
}
