//! The command line of metal-oxide: sets up the kernel compiler, builds, runs and inspects kernels.
//!
//! The commands are thin; what they do stands in modules of their own, so that the project's chores (`xtask`) and the tests can use them.
//! Everything they ask of the machine goes through [`Host`].

mod apple;
mod cargo_build;
pub mod cli;
pub mod compiler;
mod doctor;
mod error;
mod explain;
mod fetch;
mod host;
mod inspect;
mod lock;
mod mirrors;
mod pass_on;
mod progress;
mod provider;
mod rustc_source;
mod setup;
mod sysroot;
mod toolchain;

pub use apple::AppleCompiler;
pub use error::{Error, Result};
pub use fetch::fetch_sources;
pub use host::Host;
pub use lock::CacheLock;
pub use mirrors::configured_mirrors;
pub use progress::{Progress, Step};
pub use provider::{Provider, Way};
pub use rustc_source::Sources;
pub use setup::{Setup, SetupOptions, rustc_crates, setup};
pub use sysroot::private_sysroot;
pub use toolchain::{COMPONENTS, Toolchain};
