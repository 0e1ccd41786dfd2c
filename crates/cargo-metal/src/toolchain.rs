//! Finds the pinned Rust release on the machine, whoever installed it, and asks rustup for components.
//! Programs of the toolchain are started by their full path, so no override or default of rustup can swap them.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::host::{self, Host};
use crate::progress::Progress;
use crate::{Error, Result};

/// The components that hold rustc's own crates and the sources of the standard library.
pub const COMPONENTS: [&str; 2] = ["rustc-dev", "rust-src"];

/// The pinned release as it is installed on this machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Toolchain {
    /// The folder that holds `bin` and `lib`.
    pub sysroot: PathBuf,
    /// The compiler.
    pub rustc: PathBuf,
    /// Its package manager.
    pub cargo: PathBuf,
    /// The target that it compiles for, such as `x86_64-unknown-linux-gnu`.
    pub host: String,
}

impl Toolchain {
    /// The pinned release, if it is installed: the one that rustup knows by its number, or the `rustc` on the search path.
    #[must_use]
    pub fn find(host: &Host) -> Option<Self> {
        Self::of_rustup(host).or_else(|| Self::at(host, &host.find("rustc")?))
    }

    fn of_rustup(host: &Host) -> Option<Self> {
        let rustc = host.ask("rustup", &["which", "--toolchain", &host.pin.release, "rustc"])?;
        Self::at(host, Path::new(&rustc))
    }

    /// The pinned release; installed with rustup where it is missing and rustup can.
    ///
    /// # Errors
    ///
    /// Fails if the release is neither installed nor to be had.
    pub fn find_or_install(host: &Host, progress: &Progress) -> Result<Self> {
        if let Some(found) = Self::find(host) {
            return Ok(found);
        }
        let missing = || Error::MissingRust { release: host.pin.release.clone() };
        let rustup = host.find("rustup").ok_or_else(missing)?;
        let step = progress.step(&format!("installing Rust {}", host.pin.release));
        let mut install = host.command(&rustup);
        install.args(["toolchain", "install", &host.pin.release, "--profile", "minimal", "--no-self-update"]);
        host::run(&mut install).map_err(|error| match error {
            Error::Program { output, .. } => Error::Network { what: format!("Rust {}", host.pin.release), output },
            other => other,
        })?;
        step.done();
        Self::find(host).ok_or_else(missing)
    }

    /// The toolchain of this `rustc` if it is the pinned release.
    fn at(host: &Host, rustc: &Path) -> Option<Self> {
        let output = host.command(rustc).arg("-vV").stdin(Stdio::null()).output().ok().filter(|output| output.status.success())?;
        let text = String::from_utf8_lossy(&output.stdout);
        let field = |name: &str| text.lines().find_map(|line| line.strip_prefix(name)).map(|value| value.trim().to_owned());
        if text.lines().next()? != format!("rustc {}", host.pin.version_line()) {
            return None;
        }
        let triple = field("host:")?;
        let output = host.command(rustc).args(["--print", "sysroot"]).stdin(Stdio::null()).output().ok()?;
        let sysroot = PathBuf::from(String::from_utf8_lossy(&output.stdout).trim());
        // rustup's `rustc` is a program that chooses a toolchain; the one in the sysroot is the compiler itself.
        let within =
            |program: &str, fallback: Option<PathBuf>| Some(sysroot.join("bin").join(program)).filter(|path| path.exists()).or(fallback);
        let cargo = within("cargo", host.find("cargo"))?;
        Some(Self { rustc: within("rustc", Some(rustc.to_path_buf()))?, cargo, sysroot, host: triple })
    }

    /// Whether rustc's own crates are a part of the installation.
    #[must_use]
    pub fn has_rustc_crates(&self) -> bool {
        let libraries = self.sysroot.join("lib/rustlib").join(&self.host).join("lib");
        fs::read_dir(libraries).is_ok_and(|mut entries| {
            entries.any(|entry| entry.is_ok_and(|entry| entry.file_name().to_string_lossy().starts_with("librustc_middle-")))
        })
    }

    /// The sources of the standard library, if they are a part of the installation.
    #[must_use]
    pub fn library_sources(&self) -> Option<PathBuf> {
        let library = self.sysroot.join("lib/rustlib/src/rust/library");
        library.join("core/src/lib.rs").exists().then_some(library)
    }

    /// Asks rustup for the pinned release with the components. `None` means that rustup is not there or cannot get them, which is no error:
    /// there is another way.
    ///
    /// # Errors
    ///
    /// Fails if the disk is full.
    pub fn with_components(host: &Host, progress: &Progress) -> Result<Option<Self>> {
        let Some(rustup) = host.find("rustup") else { return Ok(None) };
        let step = progress.step("asking rustup for rustc's crates");
        let mut command = host.command(&rustup);
        if Self::of_rustup(host).is_some() {
            // `toolchain install` would also reinstall what is there, under the feet of builds that are running.
            command.args(["component", "add", "--toolchain", &host.pin.release]).args(COMPONENTS);
        } else {
            command.args(["toolchain", "install", &host.pin.release, "--profile", "minimal", "--no-self-update"]);
            command.args(COMPONENTS.iter().flat_map(|component| ["--component", component]));
        }
        match host::run(&mut command) {
            Ok(_) => {
                step.done();
                Ok(Self::of_rustup(host))
            }
            Err(Error::Program { output, .. }) if is_disk_full(&output) => {
                let folder = host.cache()?.root().to_path_buf();
                Err(Error::DiskFull { folder, detail: "rustup could not unpack the components".into() })
            }
            Err(Error::Program { .. }) => {
                drop(step);
                progress.say("rustup cannot get rustc's crates here, so they are built from source");
                Ok(None)
            }
            Err(error) => Err(error),
        }
    }

    /// Cargo with this toolchain's compiler, and with nothing of the user's settings that would change what it builds.
    #[must_use]
    pub fn cargo(&self, host: &Host) -> Command {
        let mut command = host.command(&self.cargo);
        for name in host.variables.keys().filter(|name| changes_builds(name)) {
            command.env_remove(name);
        }
        // Empty values win over the user's Cargo configuration, absent ones would not.
        command.env("RUSTC", &self.rustc).env("RUSTC_WRAPPER", "").env("RUSTFLAGS", "");
        command
    }
}

/// Whether a program's output says that the disk is full.
pub(crate) fn is_disk_full(output: &str) -> bool {
    output.to_lowercase().contains("no space left on device")
}

fn changes_builds(name: &OsString) -> bool {
    name.to_str().is_some_and(|name| {
        matches!(
            name,
            "RUSTFLAGS" | "CARGO_ENCODED_RUSTFLAGS" | "RUSTDOCFLAGS" | "RUSTC_WORKSPACE_WRAPPER" | "CARGO_TARGET_DIR" | "RUSTUP_TOOLCHAIN"
        ) || name.starts_with("CARGO_BUILD_")
            || name.starts_with("CARGO_PROFILE_")
    })
}
