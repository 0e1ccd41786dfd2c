//! Drives rustc as a library: its arguments, its input, its output.
//! Nothing outside this module starts a compilation.

mod arguments;
mod diagnostics;
mod run;
mod source;
mod target;

pub use arguments::{LIBRARY_CRATES, crate_unit, dependency, library_crate, target, unit};
pub use diagnostics::{Collected, position};
pub use run::{Failure, Session, capture_panic, run};
pub use source::UnitLoader;
pub use target::{TARGET_NAME, TARGET_SPECIFICATION};
