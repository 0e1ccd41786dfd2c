//! Runs emitted Metal Shading Language, unchanged, on the CPU: a C++ compiler and headers that teach it Metal make a shared library of it.
//! It exists to test what the kernel compiler emits on machines without an Apple GPU; programs that only run kernels do not need it.
//!
//! The text is Metal's dialect of C++14. The headers in `include` define its words, types and library; the file that this crate
//! generates beside the text calls the kernels. [`Library::compile`] keeps what it builds in a cache folder, and [`Kernel::run`] runs
//! a grid of threadgroups on the threads of the current rayon pool.
//!
//! Where Metal leaves something open, the engine prefers the answer that finds mistakes: what has no meaning in Metal has none here,
//! and [`Options::find_undefined`] reports it instead of guessing. [`check_address_spaces`] finds pointers that lead into the wrong memory,
//! which running a text on a CPU cannot show.

mod cache;
mod compiler;
mod error;
mod group;
mod headers;
mod launch;
mod launcher;
mod library;
mod spaces;
mod text;
mod translation;
mod undefined;

pub use compiler::Compiler;
pub use error::ExecError;
pub use launch::Binding;
pub use library::{Kernel, Library, Options};
pub use spaces::check_address_spaces;
