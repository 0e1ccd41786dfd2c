//! The attribute of kernels as the device sees it: it leaves the function as it is.
//! A procedural macro would have to be built for that before anything else could be.

/// Marks a kernel in a crate of kernels.
#[macro_export]
macro_rules! kernel {
    attr($($arguments:tt)*) ($($item:tt)*) => { $($item)* };
}
