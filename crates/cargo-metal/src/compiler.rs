//! Builds and installs the kernel compiler of one identity: the program, then the device library that it makes itself.
//! The installation appears in one step, so whoever sees it sees all of it.

use std::cmp::Reverse;
use std::fs;
use std::path::PathBuf;
use std::time::SystemTime;

use cargo_metadata::MetadataCommand;
use metal_oxide_artifact::{Cache, InstalledCompiler, ToolchainPin};
use serde::{Deserialize, Serialize};

use crate::cargo_build::CargoBuild;
use crate::fetch::remove_folder;
use crate::host::{self, Host};
use crate::progress::Progress;
use crate::provider::{Provider, Way};
use crate::{Error, Result};

/// How many installed compilers of other identities are kept, for somebody who goes back and forth between branches.
const KEPT: usize = 3;

/// Where the sources of the kernel compiler and of the device crate stand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CompilerSources {
    /// The folder of `metal-oxide-compiler`.
    pub compiler: PathBuf,
    /// The folder of `metal-oxide-device`.
    pub device: PathBuf,
}

/// Says what an installation was made with.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Stamp {
    identity: String,
    rustc: String,
    rustc_crates: String,
    /// A shared library that the compiler loads, which can be uninstalled without us.
    sysroot: Option<PathBuf>,
}

/// The installed compiler, if it is complete and usable. With a key, it must be made with those crates of rustc.
#[must_use]
pub fn installed(cache: &Cache, identity: &str, pin: &ToolchainPin, rustc_key: Option<&str>) -> Option<InstalledCompiler> {
    let compiler = cache.compiler(identity);
    let stamp: Stamp = serde_json::from_slice(&fs::read(compiler.stamp()).ok()?).ok()?;
    let usable = stamp.rustc == pin.version_line()
        && rustc_key.is_none_or(|key| key == stamp.rustc_crates)
        && stamp.sysroot.is_none_or(|sysroot| sysroot.exists())
        && compiler.program().exists()
        && compiler.library().join("libcore.rmeta").exists();
    usable.then_some(compiler)
}

/// Builds and installs the compiler, replacing what stands under this identity.
///
/// # Errors
///
/// Fails if the sources are nowhere, or if the compiler or the device library cannot be built.
pub fn install(host: &Host, cache: &Cache, identity: &str, provider: &Provider, progress: &Progress) -> Result<InstalledCompiler> {
    let sources = CompilerSources::find(host, cache, provider)?;
    let program = build(host, cache, provider, &sources, progress)?;

    let partial = cache.compiler(&format!("{identity}.partial"));
    remove_folder(partial.root())?;
    for folder in [partial.program().parent().expect("the program is in a folder"), &partial.library()] {
        fs::create_dir_all(folder).map_err(Error::io("create", folder))?;
    }
    fs::copy(&program, partial.program()).map_err(Error::io("copy", &program))?;
    require_identity(host, &partial, identity)?;
    seed_library(cache, &partial)?;
    build_library(host, &partial, provider, &sources, progress)?;
    let stamp = Stamp {
        identity: identity.to_owned(),
        rustc: host.pin.version_line(),
        rustc_crates: provider.key(&host.pin),
        sysroot: matches!(provider.way, Way::Rustup { .. }).then(|| provider.toolchain.sysroot.clone()),
    };
    let text = serde_json::to_string_pretty(&stamp).expect("a stamp is plain data");
    fs::write(partial.stamp(), text).map_err(Error::io("write", &partial.stamp()))?;

    let compiler = cache.compiler(identity);
    remove_folder(compiler.root())?;
    fs::rename(partial.root(), compiler.root()).map_err(Error::io("rename", partial.root()))?;
    keep_newest(cache, identity, KEPT)?;
    Ok(compiler)
}

/// Removes every installed compiler but the one with this identity. Returns how many went.
///
/// # Errors
///
/// Fails if a folder cannot be removed.
pub fn remove_others(cache: &Cache, identity: &str) -> Result<usize> {
    keep_newest(cache, identity, 0)
}

fn keep_newest(cache: &Cache, identity: &str, kept: usize) -> Result<usize> {
    let current = cache.compiler(identity);
    let others = by_age(cache).into_iter().map(|(_, path)| path).filter(|path| path != current.root());
    let old: Vec<PathBuf> = others.skip(kept).collect();
    for path in &old {
        remove_folder(path)?;
    }
    Ok(old.len())
}

impl CompilerSources {
    /// The checkout that this program was built in, or the published packages of this program's version.
    ///
    /// # Errors
    ///
    /// Fails if the published packages cannot be found or downloaded.
    pub fn find(host: &Host, cache: &Cache, provider: &Provider) -> Result<Self> {
        if let Some(crates) = &host.checkout {
            return Ok(Self { compiler: crates.join("metal-oxide-compiler"), device: crates.join("metal-oxide-device") });
        }
        Self::published(host, cache, provider, env!("CARGO_PKG_VERSION"))
    }

    /// Lets Cargo download the packages, as dependencies of a workspace that exists for nothing else.
    fn published(host: &Host, cache: &Cache, provider: &Provider, version: &str) -> Result<Self> {
        let root = cache.root().join("compiler-source").join(version);
        let source = root.join("src");
        fs::create_dir_all(&source).map_err(Error::io("create", &source))?;
        let library = source.join("lib.rs");
        fs::write(&library, "").map_err(Error::io("write", &library))?;
        let manifest = root.join("Cargo.toml");
        let text = format!(
            "[workspace]\n\n[package]\nname = \"metal-oxide-compiler-source\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n\
             [dependencies]\nmetal-oxide-compiler = \"={version}\"\nmetal-oxide-device = \"={version}\"\n"
        );
        fs::write(&manifest, text).map_err(Error::io("write", &manifest))?;

        let mut command = provider.toolchain.cargo(host);
        command.args(["metadata", "--format-version", "1", "--manifest-path"]).arg(&manifest);
        let output = host::run(&mut command).map_err(|error| match error {
            Error::Program { output, .. } if output.contains("no matching package") || output.contains("failed to select a version") => {
                Error::NoCompilerSources { version: version.to_owned() }
            }
            Error::Program { output, .. } => Error::Network { what: "the sources of the kernel compiler".into(), output },
            other => other,
        })?;
        let metadata = MetadataCommand::parse(String::from_utf8_lossy(&output.stdout))?;
        let folder_of = |name: &str| {
            let package = metadata.packages.iter().find(|package| package.name.as_str() == name);
            let folder = package.and_then(|package| package.manifest_path.parent()).map(|folder| folder.as_std_path().to_path_buf());
            folder.ok_or_else(|| Error::NoCompilerSources { version: version.to_owned() })
        };
        Ok(Self { compiler: folder_of("metal-oxide-compiler")?, device: folder_of("metal-oxide-device")? })
    }
}

fn build(host: &Host, cache: &Cache, provider: &Provider, sources: &CompilerSources, progress: &Progress) -> Result<PathBuf> {
    let target = cache.compiler_build();
    fs::create_dir_all(&target).map_err(Error::io("create", &target))?;
    let step = progress.step("building the kernel compiler");
    let cargo = || {
        let mut command = provider.cargo(host);
        command.current_dir(&sources.compiler).env("CARGO_TARGET_DIR", &target);
        command
    };
    let log = target.join("build.log");
    let arguments = ["--release", "--bin", "metal-oxide-compiler"];
    let programs = CargoBuild { cargo: &cargo, arguments: &arguments, what: "the kernel compiler", log: &log }.run(&step, "")?;
    step.done();
    let named = |path: &PathBuf| path.file_stem().is_some_and(|stem| stem == "metal-oxide-compiler");
    programs.into_iter().find(named).ok_or_else(|| Error::Build {
        what: "the kernel compiler",
        output: "Cargo built no program".into(),
        log,
    })
}

/// Sources that were edited after this program was built make a compiler of another identity, which nobody would look for under this one.
fn require_identity(host: &Host, compiler: &InstalledCompiler, identity: &str) -> Result<()> {
    let output = host::run(host.command(&compiler.program()).arg("version"))?;
    let text = String::from_utf8_lossy(&output.stdout);
    let found = text.lines().next().unwrap_or_default();
    if found == identity {
        return Ok(());
    }
    Err(Error::ChangedSources { found: found.to_owned(), expected: identity.to_owned() })
}

/// Starts from the newest library there is. The compiler sees by its own stamps what it can keep, and `core`, which takes most of the
/// time, seldom changes.
fn seed_library(cache: &Cache, compiler: &InstalledCompiler) -> Result<()> {
    let Some((_, newest)) = by_age(cache).into_iter().find(|(_, path)| path != compiler.root() && path.join("lib").exists()) else {
        return Ok(());
    };
    let library = newest.join("lib");
    for entry in fs::read_dir(&library).map_err(Error::io("read", &library))?.flatten() {
        let path = entry.path();
        fs::copy(&path, compiler.library().join(entry.file_name())).map_err(Error::io("copy", &path))?;
    }
    Ok(())
}

/// The folders of all installed compilers, the newest first.
fn by_age(cache: &Cache) -> Vec<(SystemTime, PathBuf)> {
    let entries = fs::read_dir(cache.compilers()).into_iter().flatten().flatten();
    let mut folders: Vec<(SystemTime, PathBuf)> =
        entries.filter_map(|entry| Some((entry.metadata().ok()?.modified().ok()?, entry.path()))).collect();
    folders.sort_by_key(|(modified, _)| Reverse(*modified));
    folders
}

fn build_library(
    host: &Host,
    compiler: &InstalledCompiler,
    provider: &Provider,
    sources: &CompilerSources,
    progress: &Progress,
) -> Result<()> {
    let step = progress.step("compiling `core` and the device crate for the GPU");
    let mut command = host.command(&compiler.program());
    command.arg("library");
    for (option, folder) in [("--source", &provider.library()), ("--device", &sources.device), ("--out", &compiler.library())] {
        command.arg(option).arg(folder);
    }
    host::run(&mut command)?;
    step.done();
    Ok(())
}
