//! Where rustc's crates come from: the two ways of `cargo metal setup`, and the choice between them.
//! What is already there decides first, so that nothing is downloaded or built twice.

use std::path::{Path, PathBuf};
use std::process::Command;

use metal_oxide_artifact::{Cache, RustcCrates, ToolchainPin};

use crate::fetch::fetch_sources;
use crate::host::Host;
use crate::progress::Progress;
use crate::rustc_source::Sources;
use crate::toolchain::Toolchain;
use crate::{Error, Result};

/// rustc's crates and the sources of the standard library, ready to be linked and compiled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Provider {
    /// The toolchain that compiles the kernel compiler.
    pub toolchain: Toolchain,
    /// Which way they came.
    pub way: Way,
}

/// The two ways.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Way {
    /// Components of the toolchain, added by rustup.
    Rustup {
        /// The sources of the standard library.
        library: PathBuf,
    },
    /// Built from source.
    Source {
        /// What they were built from.
        sources: Sources,
        /// What came out.
        crates: RustcCrates,
    },
}

impl Provider {
    /// What is on the machine already, without changing anything.
    #[must_use]
    pub fn find(host: &Host, cache: &Cache) -> Option<Self> {
        let toolchain = Toolchain::find(host)?;
        Self::installed(&toolchain).or_else(|| Self::built(host, cache, &toolchain))
    }

    /// Gets rustc's crates in the way that works here. Sources that the user gives are used whatever else there is.
    ///
    /// # Errors
    ///
    /// Fails with the next step if neither way works.
    pub fn obtain(host: &Host, cache: &Cache, given: Option<&Path>, progress: &Progress) -> Result<Self> {
        let toolchain = Toolchain::find_or_install(host, progress)?;
        require_linker(host)?;
        if let Some(folder) = given {
            return Self::build(host, cache, toolchain, Sources::given(folder, &host.pin)?, progress);
        }
        if let Some(found) = Self::installed(&toolchain).or_else(|| Self::built(host, cache, &toolchain)) {
            return Ok(found);
        }
        let packaged = Sources::packaged(cache, &host.pin);
        // Sources in the cache are a build that was interrupted: rustup could not help before either.
        let interrupted = cache.rustc_crates(&packaged.key).root().exists() && packaged.folder.exists();
        if !interrupted
            && let Some(toolchain) = Toolchain::with_components(host, progress)?
            && let Some(found) = Self::installed(&toolchain)
        {
            return Ok(found);
        }
        fetch_sources(host, cache, progress)?;
        Self::build(host, cache, toolchain, packaged, progress)
    }

    fn installed(toolchain: &Toolchain) -> Option<Self> {
        let library = toolchain.library_sources().filter(|_| toolchain.has_rustc_crates())?;
        Some(Self { toolchain: toolchain.clone(), way: Way::Rustup { library } })
    }

    fn built(host: &Host, cache: &Cache, toolchain: &Toolchain) -> Option<Self> {
        let sources = Sources::all(cache, &host.pin).into_iter().find(|sources| sources.is_built(cache, toolchain, &host.pin))?;
        let crates = cache.rustc_crates(&sources.key);
        Some(Self { toolchain: toolchain.clone(), way: Way::Source { sources, crates } })
    }

    fn build(host: &Host, cache: &Cache, toolchain: Toolchain, sources: Sources, progress: &Progress) -> Result<Self> {
        let crates = sources.build(host, cache, &toolchain, progress)?;
        Ok(Self { toolchain, way: Way::Source { sources, crates } })
    }

    /// The sources of the standard library.
    #[must_use]
    pub fn library(&self) -> PathBuf {
        match &self.way {
            Way::Rustup { library } => library.clone(),
            Way::Source { sources, .. } => sources.library(),
        }
    }

    /// Tells builds of `core` that cannot stand in for one another apart.
    #[must_use]
    pub fn key(&self, pin: &ToolchainPin) -> String {
        match &self.way {
            Way::Rustup { .. } => format!("{}-rustup", pin.release),
            Way::Source { sources, .. } => sources.key.clone(),
        }
    }

    /// A sentence for people.
    #[must_use]
    pub fn describe(&self) -> String {
        match &self.way {
            Way::Rustup { .. } => format!("components of {}", self.toolchain.sysroot.display()),
            Way::Source { crates, .. } => format!("built from source in {}", crates.root().display()),
        }
    }

    /// Cargo, so that it can build programs which link rustc's crates.
    #[must_use]
    pub fn cargo(&self, host: &Host) -> Command {
        let mut command = self.toolchain.cargo(host);
        let flags = self.rustflags().join("\u{1f}");
        command.env_remove("RUSTFLAGS").env("CARGO_ENCODED_RUSTFLAGS", &flags).env("CARGO_ENCODED_RUSTDOCFLAGS", &flags);
        command.env("RUSTC_BOOTSTRAP", "1");
        command
    }

    fn rustflags(&self) -> Vec<String> {
        match &self.way {
            // The crates are a shared library that stays where it is, and LLVM's library stands beside it.
            Way::Rustup { .. } => {
                let libraries = self.toolchain.sysroot.join("lib");
                vec![format!("-Lnative={}", libraries.display()), format!("-Clink-arg=-Wl,-rpath,{}", libraries.display())]
            }
            Way::Source { crates, .. } => crates.search_paths().into_iter().map(|path| format!("-L{path}")).collect(),
        }
    }
}

/// Without a linker every build would fail, the first after minutes.
fn require_linker(host: &Host) -> Result<()> {
    host.find("cc").map(|_| ()).ok_or(Error::MissingLinker)
}
