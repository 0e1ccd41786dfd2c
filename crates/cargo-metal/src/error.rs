//! Everything that can go wrong in `cargo metal`, each with the next step that helps.
//! The message says what happened; [`Error::help`] says what to do about it.

use std::io;
use std::path::{Path, PathBuf};

/// An error of `cargo metal`.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the fields are what the message names")]
pub enum Error {
    /// Nothing says where the cache is.
    #[error("the cache folder is unknown: none of METAL_OXIDE_CACHE, XDG_CACHE_HOME and HOME is set")]
    NoCacheFolder,
    /// A program that is needed is not installed.
    #[error("`{program}` is not installed, and {purpose}")]
    MissingProgram { program: String, purpose: &'static str, fix: &'static str },
    /// The pinned Rust release is not installed and could not be installed.
    #[error("Rust {release} is not installed")]
    MissingRust { release: String },
    /// There is no C compiler to link with.
    #[error("no C compiler: `cc` is not on the search path, and Rust programs cannot be linked without it")]
    MissingLinker,
    /// The sources can only be fetched with Debian's tools.
    #[error("rustc's crates are not available through rustup, and `{program}` is not there to fetch their sources")]
    NoPackageTool { program: &'static str, release: String },
    /// The machine's package configuration names no mirror.
    #[error("no Debian mirror is configured in {}", folder.display())]
    NoMirror { folder: PathBuf, release: String },
    /// The key that signs Debian's archive is missing.
    #[error("the signing keys of Debian's archive are missing: {}", path.display())]
    NoKeyring { path: PathBuf },
    /// A download failed.
    #[error("{what} could not be downloaded\n{output}")]
    Network { what: String, output: String },
    /// The mirror does not have the package.
    #[error("the configured mirrors do not have {package} {version}\n{output}")]
    PackageNotFound { package: String, version: String, release: String, output: String },
    /// A file is not what was expected.
    #[error("{} is damaged: its SHA-256 is {found}, expected {expected}", path.display())]
    Checksum { path: PathBuf, found: String, expected: String, release: String },
    /// The disk is full, or will be.
    #[error("not enough disk space in {}: {detail}", folder.display())]
    DiskFull { folder: PathBuf, detail: String },
    /// The given folder holds no sources of rustc.
    #[error("{} does not hold the sources of rustc: {missing} is missing", folder.display())]
    NotRustcSources { folder: PathBuf, missing: &'static str, release: String },
    /// The given folder holds another release.
    #[error("{} holds the sources of Rust {found}, but the kernel compiler is built from {expected}", folder.display())]
    WrongRelease { folder: PathBuf, found: String, expected: String },
    /// A build failed.
    #[error("{what} could not be built\n{output}")]
    Build { what: &'static str, output: String, log: PathBuf },
    /// A program failed.
    #[error("`{program}` failed ({status})\n{output}")]
    Program { program: String, status: String, output: String },
    /// The kernel compiler's sources are nowhere.
    #[error("the sources of the kernel compiler {version} were not found")]
    NoCompilerSources { version: String },
    /// The sources are not those that this program was built from.
    #[error("the kernel compiler's sources make {found}, but this `cargo metal` belongs to {expected}")]
    ChangedSources { found: String, expected: String },
    /// The project uses another version of the library.
    #[error("the project uses metal-oxide {found}, but this `cargo metal` belongs to {own}")]
    OtherVersion { found: String, own: &'static str },
    /// The file system refused something.
    #[error("cannot {action} {}", path.display())]
    Io { action: &'static str, path: PathBuf, source: io::Error },
    /// Cargo's description of the workspace could not be read.
    #[error("cannot read the workspace: {0}")]
    Metadata(#[from] cargo_metadata::Error),
    /// An option that `cargo metal` does not have.
    #[error("{0}")]
    Usage(String),
    /// A kernel or package that does not exist.
    #[error("{message}")]
    NotFound { message: String, fix: String },
    /// A manifest that cannot be read.
    #[error("{} is not a manifest that this version understands: {detail}", path.display())]
    Manifest { path: PathBuf, detail: String },
}

/// What most functions of this crate return.
pub type Result<T, E = Error> = std::result::Result<T, E>;

impl Error {
    /// What the user can do about it.
    #[must_use]
    pub fn help(&self) -> String {
        match self {
            Self::NoCacheFolder => "set METAL_OXIDE_CACHE to a folder with 3 GB of free space".into(),
            Self::MissingProgram { fix, .. } => (*fix).into(),
            Self::MissingRust { release } => format!("run `rustup toolchain install {release} --profile minimal`"),
            Self::MissingLinker => {
                if cfg!(target_os = "macos") {
                    "run `xcode-select --install`, then `cargo metal setup` again".into()
                } else {
                    "install a C compiler (on Debian: `apt-get install build-essential`), then run `cargo metal setup` again".into()
                }
            }
            Self::NoPackageTool { release, .. } | Self::NoMirror { release, .. } | Self::PackageNotFound { release, .. } => {
                unpacked_sources(release)
            }
            Self::NoKeyring { .. } => "install them (`apt-get install debian-archive-keyring`), then run `cargo metal setup` again".into(),
            Self::Network { .. } => {
                "check the network connection and the proxy settings, then run `cargo metal setup` again: it continues where it stopped"
                    .into()
            }
            Self::Checksum { release, .. } => format!(
                "run `cargo metal setup` again to download it anew; if it stays damaged, {}",
                unpacked_sources(release)
            ),
            Self::DiskFull { .. } => {
                "free some space, or set METAL_OXIDE_CACHE to a folder on another disk, then run `cargo metal setup` again: \
                 it continues where it stopped"
                    .into()
            }
            Self::NotRustcSources { release, .. } | Self::WrongRelease { expected: release, .. } => {
                format!("give the folder that `rustc-{release}-src.tar.xz` or the package `rust-src` of Rust {release} unpacks to")
            }
            Self::Build { log, .. } => format!("the whole output is in {}; run `cargo metal doctor` to check the machine", log.display()),
            Self::Program { .. } => "run `cargo metal doctor` to check the machine".into(),
            Self::NoCompilerSources { version } => {
                format!("install the published version again: `cargo install cargo-metal --version ={version} --locked`")
            }
            Self::ChangedSources { .. } => {
                "the sources changed after this `cargo metal` was built; run it again through `cargo metal` in the checkout, which builds it first".into()
            }
            Self::OtherVersion { found, .. } => format!("run `cargo install cargo-metal --version ={found} --locked`"),
            Self::Io { path, .. } => format!("check that {} can be written", nearest_existing(path).display()),
            Self::Metadata(_) => "run the command in a folder with a Cargo.toml, or below one".into(),
            Self::Usage(_) => "run `cargo metal help`".into(),
            Self::NotFound { fix, .. } => fix.clone(),
            Self::Manifest { path, .. } => {
                format!("delete {} and build again", path.parent().unwrap_or(path).display())
            }
        }
    }

    /// Turns an error of the file system into the right kind: a full disk has its own next step.
    pub(crate) fn io(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Self {
        move |source| {
            if source.kind() == io::ErrorKind::StorageFull {
                Self::DiskFull { folder: nearest_existing(path).to_path_buf(), detail: source.to_string() }
            } else {
                Self::Io { action, path: path.to_path_buf(), source }
            }
        }
    }
}

fn unpacked_sources(release: &str) -> String {
    format!("unpack the sources of Rust {release} (`rustc-{release}-src.tar.xz`) and run `cargo metal setup --rustc-src DIR`")
}

/// The path itself or the first folder above it that exists.
fn nearest_existing(path: &Path) -> &Path {
    path.ancestors().find(|ancestor| ancestor.exists()).unwrap_or(path)
}
