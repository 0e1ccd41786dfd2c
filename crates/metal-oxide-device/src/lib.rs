//! The device side of metal-oxide: what kernels see of buffers, threads and blocks.
//!
//! One crate, compiled twice. For the device, with `cfg(metal_oxide_device)`, the functions of [`intrinsics`] are recognised by the
//! kernel compiler and everything else is ordinary Rust that is compiled as it stands. On the host, where the CPU device runs kernels as
//! the Rust functions that they are, the same functions read the coordinates of the thread that is being run.
//!
//! Use it as `metal_oxide::device`. Only crates of kernels, which `#[metal_oxide::kernels(path = "…")]` loads, depend on it directly, and
//! mark their kernels with its attribute [`kernel`].
//!
//! # Why safe kernels have no data races
//!
//! * A [`ReadBuffer`] is memory that nobody writes during the launch: the host takes writable arguments by exclusive borrow or by value.
//! * A [`DisjointBuffer`] gives a thread the one element whose index is the thread's own. The index is not an argument that a kernel
//!   could choose: a [`ThreadIndex`] carries no number, it always speaks of the thread that asks.
//! * Both buffers borrow from the launch. Their lifetime is an anonymous parameter of the kernel, so no static, thread-local or later
//!   launch can hold one, and neither they nor a [`ThreadIndex`] can be sent to another thread.

#![no_std]
#![cfg_attr(metal_oxide_device, feature(macro_attr, rustc_attrs), allow(internal_features))]

#[cfg(not(metal_oxide_device))]
extern crate std;

#[cfg(metal_oxide_device)]
mod attribute;
mod coordinates;
mod dim3;
mod disjoint_buffer;
#[cfg(any(metal_oxide_device, test))]
#[doc(hidden)]
pub mod float64;
#[cfg(not(metal_oxide_device))]
#[doc(hidden)]
pub mod host;
#[cfg(any(metal_oxide_device, test))]
#[doc(hidden)]
pub mod integer128;
#[doc(hidden)]
pub mod intrinsics;
mod read_buffer;
mod thread_index;

pub use coordinates::{block_dim, block_idx, grid_dim, thread_idx, thread_position};
pub use dim3::Dim3;
pub use disjoint_buffer::DisjointBuffer;
#[cfg(not(metal_oxide_device))]
pub use metal_oxide_macros::crate_kernel as kernel;
pub use read_buffer::ReadBuffer;
pub use thread_index::{ThreadIndex, thread_index};
