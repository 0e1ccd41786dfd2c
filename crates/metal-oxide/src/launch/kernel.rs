//! The statics that a kernel macro leaves in the program: the compiled unit, and each of its kernels.
//! A manifest is parsed when one of its kernels is first launched, and kept.

#[cfg(feature = "msl")]
use std::path::Path;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use metal_oxide_artifact::{KernelEntry, MANIFEST_SCHEMA, Manifest};

use super::{Arguments, Block};
use crate::{Error, Result};

/// Runs a kernel's Rust function for the threads of a block.
pub type RunBlock = unsafe fn(Arguments<'_>, &mut Block<'_>);

/// A compiled unit, as embedded in the program.
pub struct Unit {
    /// Absent where the macro was expanded without compiling, as for rust-analyzer.
    artifact: Option<Artifact>,
    manifest: OnceLock<Result<Manifest, String>>,
}

struct Artifact {
    manifest: &'static str,
    #[cfg_attr(not(feature = "msl"), expect(dead_code, reason = "the CPU device runs the Rust function"))]
    msl: &'static str,
    file: &'static str,
}

impl Unit {
    /// The unit of an artifact's files. `file` is the user's source file as the host's own panics spell it.
    pub const fn new(manifest: &'static str, msl: &'static str, _metallib: Option<&'static [u8]>, file: &'static str) -> Self {
        Self { artifact: Some(Artifact { manifest, msl, file }), manifest: OnceLock::new() }
    }

    /// A unit that was not compiled. Its kernels cannot be launched.
    pub const fn missing() -> Self {
        Self { artifact: None, manifest: OnceLock::new() }
    }

    pub(crate) fn manifest(&self) -> Result<&Manifest, String> {
        let parsed = self.manifest.get_or_init(|| {
            let artifact = self.artifact.as_ref().ok_or("the kernel was not compiled: build the program with `cargo build`")?;
            let manifest: Manifest = serde_json::from_str(artifact.manifest).map_err(|error| {
                format!("its manifest is damaged ({error}): build again with METAL_OXIDE_ARTIFACTS=rebuild to compile the kernel anew")
            })?;
            if manifest.schema != MANIFEST_SCHEMA {
                let found = manifest.schema;
                return Err(format!(
                    "its manifest has form {found}, this version of metal-oxide reads form {MANIFEST_SCHEMA}: use the same version of \
                     metal-oxide and cargo-metal, and build again"
                ));
            }
            Ok(manifest)
        });
        parsed.as_ref().map_err(Clone::clone)
    }

    /// The Metal Shading Language of all kernels of the unit.
    #[cfg(feature = "msl")]
    pub(crate) fn msl(&self) -> &'static str {
        self.artifact.as_ref().map_or("", |artifact| artifact.msl)
    }

    /// The user's source file, as the host's own panics spell it.
    pub(crate) fn file(&self) -> &'static str {
        self.artifact.as_ref().map_or("", |artifact| artifact.file)
    }

    /// A file that the manifest names, as the host's own panics spell it if it is the user's. Manifests are shipped with packages, so they
    /// name it from the package's folder on.
    #[cfg(feature = "msl")]
    pub(crate) fn host_spelling(&self, file: &Path) -> String {
        let is_users = self.manifest().is_ok_and(|manifest| manifest.file == file);
        if is_users { self.file().to_owned() } else { file.display().to_string() }
    }
}

/// One kernel of a unit.
pub struct Kernel {
    unit: &'static Unit,
    name: &'static str,
    run_block: RunBlock,
    entry: OnceLock<Option<usize>>,
    pace: Pace,
}

impl Kernel {
    /// The kernel with the launch function `name`.
    ///
    /// # Safety
    ///
    /// `run_block` calls the block's `for_each_thread` once and, from there, takes the arguments as exactly the parameter types that
    /// are bound for them, each once for a thread. The unit was compiled from the same Rust function.
    pub const unsafe fn new(unit: &'static Unit, name: &'static str, run_block: RunBlock) -> Self {
        Self { unit, name, run_block, entry: OnceLock::new(), pace: Pace::unknown() }
    }

    pub(crate) fn unit(&self) -> &'static Unit {
        self.unit
    }

    pub(crate) fn name(&self) -> &'static str {
        self.name
    }

    pub(crate) fn run_block(&self) -> RunBlock {
        self.run_block
    }

    /// How fast the CPU device ran it last.
    pub(crate) fn pace(&self) -> &Pace {
        &self.pace
    }

    /// What the manifest says about the kernel.
    pub(crate) fn entry(&self) -> Result<&'static KernelEntry> {
        let kernels = &self.unit.manifest().map_err(|reason| self.artifact_error(reason))?.kernels;
        let index = self.entry.get_or_init(|| kernels.iter().position(|entry| entry.name == self.name));
        index.map(|index| &kernels[index]).ok_or_else(|| {
            self.artifact_error("its manifest does not list it: build again with METAL_OXIDE_ARTIFACTS=rebuild to compile it anew".into())
        })
    }

    pub(crate) fn artifact_error(&self, reason: String) -> Error {
        Error::Artifact { kernel: self.name.into(), reason }
    }
}

/// How long a kernel's threads take, one after another.
pub(crate) struct Pace {
    /// For each thread, or zero if unknown.
    picoseconds: AtomicU64,
}

impl Pace {
    const fn unknown() -> Self {
        Self { picoseconds: AtomicU64::new(0) }
    }

    /// How long so many threads take, if it is known.
    pub(crate) fn duration(&self, threads: u64) -> Option<Duration> {
        match self.picoseconds.load(Ordering::Relaxed) {
            0 => None,
            picoseconds => Some(Duration::from_nanos(picoseconds.saturating_mul(threads) / 1000)),
        }
    }

    /// Notes how long so many threads took.
    pub(crate) fn note(&self, threads: u64, duration: Duration) {
        let picoseconds = duration.as_nanos().saturating_mul(1000) / u128::from(threads.max(1));
        self.picoseconds.store(u64::try_from(picoseconds).unwrap_or(u64::MAX).max(1), Ordering::Relaxed);
    }
}
