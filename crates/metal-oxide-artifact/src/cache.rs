//! Where the kernel compiler and what it is built from live on a user's machine: pure path functions over one root.
//! Nothing here touches the file system or reads the environment; the caller passes both in.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use crate::ToolchainPin;

/// The name and version of the kernel compiler that belongs to this version of the project.
///
/// A release is its package version. In a development checkout a hash of the sources that decide what the compiler does is appended, so
/// that each state of the sources has its own compiler and artifacts made by another one are stale.
pub const COMPILER_IDENTITY: &str = env!("METAL_OXIDE_COMPILER_IDENTITY");

/// The cache folder. It is safe to delete: `cargo metal setup` makes everything in it again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cache {
    root: PathBuf,
}

impl Cache {
    /// The cache in the given folder.
    #[must_use]
    pub fn new(root: impl Into<PathBuf>) -> Self {
        Self { root: root.into() }
    }

    /// The cache that the environment asks for: `METAL_OXIDE_CACHE`, else a folder in the user's cache folder. `None` if neither that
    /// variable nor the home folder is known.
    ///
    /// `variable` looks up an environment variable, as `std::env::var_os` does.
    #[must_use]
    pub fn from_environment(variable: impl Fn(&str) -> Option<OsString>) -> Option<Self> {
        let set = |name: &str| variable(name).filter(|value| !value.is_empty()).map(PathBuf::from);
        if let Some(root) = set("METAL_OXIDE_CACHE") {
            return Some(Self::new(root));
        }
        // The XDG rules say that a relative path there is to be ignored.
        if let Some(caches) = set("XDG_CACHE_HOME").filter(|path| path.is_absolute()) {
            return Some(Self::new(caches.join("metal-oxide")));
        }
        let caches = if cfg!(target_os = "macos") { "Library/Caches" } else { ".cache" };
        set("HOME").map(|home| Self::new(home.join(caches).join("metal-oxide")))
    }

    /// The folder that holds everything else.
    #[must_use]
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Downloaded packages.
    #[must_use]
    pub fn downloads(&self) -> PathBuf {
        self.root.join("downloads")
    }

    /// Private state of `apt-get`: its sources list and package lists.
    #[must_use]
    pub fn apt(&self) -> PathBuf {
        self.root.join("apt")
    }

    /// Where the source package is unpacked.
    #[must_use]
    pub fn unpacked_package(&self, pin: &ToolchainPin) -> PathBuf {
        self.root.join("rustc-src").join(pin.source_key())
    }

    /// The root of the unpacked sources of rustc and its standard library.
    #[must_use]
    pub fn rustc_sources(&self, pin: &ToolchainPin) -> PathBuf {
        self.unpacked_package(pin).join("usr/src").join(format!("rustc-{}", pin.release))
    }

    /// The workspace that builds rustc's crates from the sources with this key (see [`ToolchainPin::source_key`]).
    #[must_use]
    pub fn rustc_crates(&self, source_key: &str) -> RustcCrates {
        RustcCrates { root: self.root.join("rustc").join(source_key) }
    }

    /// The target folder in which Cargo builds the kernel compiler.
    #[must_use]
    pub fn compiler_build(&self) -> PathBuf {
        self.root.join("compiler-build")
    }

    /// The parent folder of all installed kernel compilers.
    #[must_use]
    pub fn compilers(&self) -> PathBuf {
        self.root.join("compilers")
    }

    /// The installed kernel compiler with this identity (see [`COMPILER_IDENTITY`]).
    #[must_use]
    pub fn compiler(&self, identity: &str) -> InstalledCompiler {
        InstalledCompiler { root: self.compilers().join(identity) }
    }

    /// A folder that looks like a Rust sysroot and links to the library sources of this key, for `-Zbuild-std`.
    #[must_use]
    pub fn sysroot(&self, source_key: &str) -> PathBuf {
        self.root.join("sysroot").join(source_key)
    }

    /// The file whose lock is held by a process that changes the cache.
    #[must_use]
    pub fn lock_file(&self) -> PathBuf {
        self.root.join("setup.lock")
    }
}

/// The workspace in which rustc's crates are built from source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RustcCrates {
    root: PathBuf,
}

impl RustcCrates {
    /// The folder of the workspace's `Cargo.toml`.
    #[must_use]
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The folders that a compiler linking these crates searches, with the kind that `rustc -L` wants.
    #[must_use]
    pub fn search_paths(&self) -> [String; 3] {
        let release = self.release_folder();
        let dependencies = release.join("deps");
        [format!("dependency={}", dependencies.display()), release.display().to_string(), dependencies.display().to_string()]
    }

    /// The folder with the top-level libraries.
    #[must_use]
    pub fn release_folder(&self) -> PathBuf {
        self.root.join("target/release")
    }

    /// Exists once the build is complete, and says what was built.
    #[must_use]
    pub fn stamp(&self) -> PathBuf {
        self.root.join("complete.json")
    }
}

/// An installed kernel compiler.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InstalledCompiler {
    root: PathBuf,
}

impl InstalledCompiler {
    /// The folder that holds the compiler and its library.
    #[must_use]
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The program.
    #[must_use]
    pub fn program(&self) -> PathBuf {
        self.root.join("bin").join(format!("metal-oxide-compiler{}", std::env::consts::EXE_SUFFIX))
    }

    /// The device sysroot: metadata of `core` and of the device crate, and the target's description.
    #[must_use]
    pub fn library(&self) -> PathBuf {
        self.root.join("lib")
    }

    /// Exists once the installation is complete, and says what was installed.
    #[must_use]
    pub fn stamp(&self) -> PathBuf {
        self.root.join("complete.json")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn from(variables: &[(&str, &str)]) -> Option<PathBuf> {
        let found = |name: &str| variables.iter().find(|(key, _)| *key == name).map(|(_, value)| OsString::from(value));
        Cache::from_environment(found).map(|cache| cache.root().to_path_buf())
    }

    #[test]
    fn the_projects_variable_wins() {
        assert_eq!(from(&[("METAL_OXIDE_CACHE", "/a"), ("XDG_CACHE_HOME", "/b"), ("HOME", "/c")]), Some("/a".into()));
        assert_eq!(from(&[("METAL_OXIDE_CACHE", ""), ("XDG_CACHE_HOME", "/b"), ("HOME", "/c")]), Some("/b/metal-oxide".into()));
    }

    #[test]
    fn the_home_folder_is_the_last_resort() {
        let expected = if cfg!(target_os = "macos") { "/c/Library/Caches/metal-oxide" } else { "/c/.cache/metal-oxide" };
        assert_eq!(from(&[("HOME", "/c")]), Some(expected.into()));
        assert_eq!(from(&[("XDG_CACHE_HOME", "relative"), ("HOME", "/c")]), Some(expected.into()));
        assert_eq!(from(&[]), None);
    }

    #[test]
    fn the_identity_starts_with_the_version() {
        let rest = COMPILER_IDENTITY.strip_prefix(env!("CARGO_PKG_VERSION")).expect("the version comes first");
        assert!(rest.is_empty() || (rest.len() == 17 && rest[1..].chars().all(|digit| digit.is_ascii_hexdigit())), "{COMPILER_IDENTITY}");
    }

    #[test]
    fn paths_of_the_layout() {
        let cache = Cache::new("/cache");
        let pin = ToolchainPin::current();
        assert_eq!(cache.rustc_sources(pin), Path::new("/cache/rustc-src/1.95.0-7b76db5b880a/usr/src/rustc-1.95.0"));
        assert_eq!(cache.compiler("1-x").library(), Path::new("/cache/compilers/1-x/lib"));
        assert_eq!(
            cache.rustc_crates("k").search_paths(),
            [
                "dependency=/cache/rustc/k/target/release/deps".to_owned(),
                "/cache/rustc/k/target/release".to_owned(),
                "/cache/rustc/k/target/release/deps".to_owned()
            ]
        );
    }
}
