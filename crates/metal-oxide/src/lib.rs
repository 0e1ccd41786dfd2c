//! Write compute kernels in Rust and run them on Apple GPUs: devices, buffers and launches.
//!
//! A kernel is a Rust function with the attribute [`kernel`]. It is compiled to Metal Shading Language when the program is built, and the
//! attribute turns it into a function that makes launches:
//!
//! ```ignore
//! use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};
//! use metal_oxide::{Device, LaunchConfig, Operation};
//!
//! #[metal_oxide::kernel(requires(a.len() == out.len()))]
//! pub fn double(a: ReadBuffer<f32>, mut out: DisjointBuffer<f32>) {
//!     let index = thread_index();
//!     if let Some(out) = out.get_mut(&index) {
//!         *out = 2.0 * a.as_slice()[index.get()];
//!     }
//! }
//!
//! fn main() -> metal_oxide::Result<()> {
//!     let device = Device::system_default()?;
//!     let a = device.buffer_from_slice(&[1.0_f32, 2.0, 3.0])?;
//!     let mut out = device.buffer_zeroed::<f32>(3)?;
//!     double(&device, LaunchConfig::<256>::for_elements(3)?, &a, &mut out).wait()?;
//!     assert_eq!(out.read().wait(), &[2.0, 4.0, 6.0]);
//!     Ok(())
//! }
//! ```
//!
//! # Devices
//!
//! [`Device::system_default`] gives the best device there is, or the one that the environment variable `METAL_OXIDE_DEVICE` names.
//! [`Device::cpu`] is always there: it runs the kernel's Rust function itself, on all cores.
//!
//! # Laziness and order
//!
//! Launches are [`Operation`]s: they do nothing until they are waited for, with `.wait()` on a thread or `.await` in a task of any executor.
//! While a launch runs it holds its arguments, so the borrow checker orders it with everything else that uses the same buffers. A launch
//! whose future was dropped runs to its end; whoever uses its buffers next waits for it.

mod backend;
mod buffer;
mod error;
mod launch;
mod operation;
mod system;
mod value;

/// What kernels use: buffers, coordinates and the token for disjoint access.
pub mod device {
    // The device crate has an attribute of this name too, for crates of kernels. Here the one that makes launch functions is meant.
    #[doc(hidden)]
    pub use crate::kernel;
    pub use metal_oxide_device::*;
}

pub use buffer::{Buffer, Read, ReadFuture, ReadGuard, Write, WriteFuture, WriteGuard};
pub use error::{Error, Result};
pub use launch::{ArgumentFor, DynamicLaunchConfig, IntoLaunchConfig, Launch, LaunchConfig, LaunchFuture};
pub use metal_oxide_artifact::FailureKind;
pub use metal_oxide_macros::{kernel, kernels};
pub use operation::Operation;
pub use system::{Device, DeviceKind};
pub use value::GpuValue;

/// What the expansion of the kernel macros uses. It is no part of the API and changes without notice.
#[doc(hidden)]
pub mod __private {
    pub use crate::launch::{Arguments, Binder, Block, Kernel, KernelParameter, RawArgument, RunBlock, Unit};
}
