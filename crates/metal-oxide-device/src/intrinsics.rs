//! The functions that the kernel compiler replaces by what the hardware knows.
//!
//! The compiler finds them by diagnostic item and takes the axis from the const argument. They have bodies only for the host, where the
//! CPU device keeps the coordinates of the running thread.

/// Declares coordinate intrinsics: the item's name for the compiler, and the field that holds its value on the host.
macro_rules! coordinates {
    ($($(#[$documentation:meta])* $item:literal $name:ident = $host:ident;)*) => {$(
        $(#[$documentation])*
        #[cfg_attr(metal_oxide_device, rustc_diagnostic_item = $item, inline(never))]
        #[cfg_attr(not(metal_oxide_device), inline(always))]
        pub fn $name<const AXIS: usize>() -> u32 {
            const { assert!(AXIS < 3, "the axes are 0, 1 and 2") }
            #[cfg(metal_oxide_device)]
            return recognised_by_the_compiler();
            #[cfg(not(metal_oxide_device))]
            return crate::host::$host::<AXIS>();
        }
    )*};
}

coordinates! {
    /// The thread's position in the grid.
    "metal_oxide_thread_position_in_grid" thread_position_in_grid = thread_position;
    /// The thread's position in its block.
    "metal_oxide_thread_position_in_threadgroup" thread_position_in_threadgroup = thread;
    /// The block's position in the grid.
    "metal_oxide_threadgroup_position_in_grid" threadgroup_position_in_grid = block;
    /// The threads of a block.
    "metal_oxide_threads_per_threadgroup" threads_per_threadgroup = block_dim;
    /// The blocks of the grid.
    "metal_oxide_threadgroups_per_grid" threadgroups_per_grid = grid_dim;
}

/// The thread's position in a grid that has one dimension. Using it marks the kernel as linear.
#[cfg_attr(metal_oxide_device, rustc_diagnostic_item = "metal_oxide_linear_thread_index", inline(never))]
#[cfg_attr(not(metal_oxide_device), inline(always))]
pub fn linear_thread_index() -> usize {
    #[cfg(metal_oxide_device)]
    return recognised_by_the_compiler();
    #[cfg(not(metal_oxide_device))]
    return crate::host::linear_index();
}

/// The body of an intrinsic on the device, which no kernel ever reaches.
#[cfg(metal_oxide_device)]
fn recognised_by_the_compiler<T>() -> T {
    loop {}
}
