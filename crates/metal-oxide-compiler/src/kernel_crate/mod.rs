//! Kernels in a crate of their own: Cargo builds the crate and its dependencies for the device, and the import starts from there.
//!
//! Cargo takes this program for rustc. For the device it is; programs that run while Cargo builds (build scripts, procedural macros) are
//! left to the toolchain's own rustc. Every device crate keeps the MIR of all its functions, so that kernels can reach any of them.

mod cargo;
mod messages;
mod rustc;
mod unit;

pub use cargo::acts_as_rustc;
pub use rustc::act;
pub use unit::compile;
