//! What can go wrong between emitted text and a finished launch.
//! Every message says what the reader can do next.

use std::io;
use std::path::PathBuf;

/// An error of the engine.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ExecError {
    /// No C++ compiler.
    #[error(
        "{} To run kernels through their Metal text a C++ compiler is needed: g++ 10 or clang++ 12, or newer. Install one (Debian and \
         Ubuntu: `apt-get install g++`; Fedora: `dnf install gcc-c++`; macOS: `xcode-select --install`), or set CXX to the command that \
         starts yours.",
        match asked {
            Some(asked) => format!("CXX asks for the C++ compiler `{asked}`, and there is no such program."),
            None => "there is no C++ compiler: CXX is not set, and neither `clang++` nor `g++` is on the search path.".to_owned(),
        }
    )]
    NoCompiler {
        /// The value of `CXX`, if it is set.
        asked: Option<String>,
    },

    /// The compiler could not be started.
    #[error("cannot start the C++ compiler `{command}`: {source}; set CXX to the command that starts a working one")]
    Start {
        /// The command.
        command: String,
        /// Why not.
        source: io::Error,
    },

    /// The compiler fails on a kernel that does nothing.
    #[error(
        "the C++ compiler `{command}` cannot be used: it fails even on a kernel that does nothing. g++ 10 or clang++ 12, or newer, is \
         needed; set CXX to choose one.\nIt says:\n{output}"
    )]
    Unsuitable {
        /// The command.
        command: String,
        /// What the compiler printed.
        output: String,
    },

    /// The emitted text is not valid.
    #[error(
        "this is a bug in metal-oxide: the Metal text it made does not compile as C++. Please report it at {}/issues and attach the file \
         {}.\n`{command}` says:\n{output}",
        env!("CARGO_PKG_REPOSITORY"),
        text.display()
    )]
    Rejected {
        /// Where the text was kept.
        text: PathBuf,
        /// The compiler's command.
        command: String,
        /// What the compiler printed.
        output: String,
    },

    /// The cache folder cannot be used.
    #[error("cannot {action} {}: {source}; the folder is a cache and can be deleted, or moved by setting METAL_OXIDE_CACHE", path.display())]
    Cache {
        /// What was tried, such as `write`.
        action: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },

    /// The compiled library cannot be loaded, not even after compiling it again.
    #[error("cannot load the compiled kernels in {}: {source}; is the cache on a file system that forbids running programs?", path.display())]
    Load {
        /// The library.
        path: PathBuf,
        /// What the system's loader said.
        source: libloading::Error,
    },

    /// The library has no kernel of this name.
    #[error("there is no kernel `{entry}` in the compiled library; it has {known}")]
    UnknownKernel {
        /// The name asked for.
        entry: String,
        /// The names there are.
        known: String,
    },

    /// The launch does not fit the kernel.
    #[error("kernel `{entry}` cannot be launched: {problem}")]
    InvalidLaunch {
        /// The kernel.
        entry: String,
        /// What does not fit.
        problem: String,
    },

    /// The kernel did something that has no meaning in Metal. Only found when asked for, see [`Options::find_undefined`](crate::Options).
    #[error(
        "this is a bug in metal-oxide: kernel `{entry}` did something that is undefined in Metal, {what}, at {}:{line}:{column}. Please \
         report it at {}/issues and attach the file.",
        file.display(),
        env!("CARGO_PKG_REPOSITORY")
    )]
    Undefined {
        /// The kernel.
        entry: String,
        /// What it did.
        what: String,
        /// The text, or the header it called.
        file: PathBuf,
        /// Line, from 1.
        line: u32,
        /// Column, from 1.
        column: u32,
    },

    /// Threads of a cooperative kernel wait for one another in different places.
    #[error(
        "the threads of block ({}, {}, {}) of kernel `{entry}` wait for one another in different places of the Metal text: {places}. All \
         threads of a block must reach the same barriers",
        block[0], block[1], block[2]
    )]
    Divergent {
        /// The kernel.
        entry: String,
        /// The block.
        block: [u32; 3],
        /// The places.
        places: String,
    },

    /// There is no memory for the stacks of a cooperative kernel's threads.
    #[error("there is no memory for the stacks of the threads of kernel `{entry}`: {source}")]
    Stacks {
        /// The kernel.
        entry: String,
        /// What the system said.
        source: io::Error,
    },
}

impl ExecError {
    /// For `map_err` on operations in the cache folder.
    pub(crate) fn cache(action: &'static str, path: impl Into<PathBuf>) -> impl FnOnce(io::Error) -> Self {
        let path = path.into();
        move |source| Self::Cache { action, path, source }
    }
}
