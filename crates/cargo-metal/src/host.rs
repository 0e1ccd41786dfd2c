//! The machine as `cargo metal` sees it: environment variables, programs, configuration folders, free space.
//! Everything that setup asks of its surroundings goes through here, so that tests can put it on a machine of their own.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::Duration;
use std::{env, io, thread};

use metal_oxide_artifact::{Cache, ToolchainPin};

use crate::{Error, Result};

/// The surroundings of a run.
#[derive(Clone, Debug)]
pub struct Host {
    /// The environment variables that every program is started with.
    pub variables: BTreeMap<OsString, OsString>,
    /// The folder of the package manager's configuration.
    pub apt_folder: PathBuf,
    /// The keys that sign Debian's archive.
    pub keyring: PathBuf,
    /// Whether this is a Mac.
    pub macos: bool,
    /// The sources of the project's crates where this program was built in a checkout of the project.
    pub checkout: Option<PathBuf>,
    /// The release that the kernel compiler is built from.
    pub pin: ToolchainPin,
    /// How many bytes are free on the disk of an existing folder.
    pub free_space: fn(&Path) -> io::Result<u64>,
}

impl Host {
    /// The machine and environment that this process runs in.
    #[must_use]
    pub fn current() -> Self {
        // Cargo describes the package it runs to the program; handed on to another Cargo, that would make its builds look changed.
        let of_cargo_run = |name: &OsStr| {
            name.to_str().is_some_and(|name| {
                ["CARGO_PKG_", "CARGO_BIN_", "CARGO_MANIFEST_"].iter().any(|prefix| name.starts_with(prefix))
                    || matches!(name, "CARGO_CRATE_NAME" | "CARGO_PRIMARY_PACKAGE")
            })
        };
        let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent();
        Self {
            variables: env::vars_os().filter(|(name, _)| !of_cargo_run(name)).map(without_toolchains).collect(),
            apt_folder: "/etc/apt".into(),
            keyring: "/usr/share/keyrings/debian-archive-keyring.gpg".into(),
            macos: cfg!(target_os = "macos"),
            checkout: crates.filter(|crates| crates.join("metal-oxide-compiler/Cargo.toml").exists()).map(Path::to_path_buf),
            pin: ToolchainPin::current().clone(),
            free_space: |folder| fs4::available_space(folder),
        }
    }

    /// The value of an environment variable; an empty one counts as absent.
    #[must_use]
    pub fn variable(&self, name: &str) -> Option<&OsStr> {
        self.variables.get(OsStr::new(name)).filter(|value| !value.is_empty()).map(OsString::as_os_str)
    }

    /// The cache that the environment asks for.
    ///
    /// # Errors
    ///
    /// Fails if neither the cache folder nor the home folder is known.
    pub fn cache(&self) -> Result<Cache> {
        Cache::from_environment(|name| self.variable(name).map(OsStr::to_os_string)).ok_or(Error::NoCacheFolder)
    }

    /// The path of a program on the search path.
    #[must_use]
    pub fn find(&self, program: &str) -> Option<PathBuf> {
        let folders = env::split_paths(self.variable("PATH")?).collect::<Vec<_>>();
        folders.iter().map(|folder| folder.join(program)).find(|path| is_executable(path))
    }

    /// A command with this host's environment.
    #[must_use]
    pub fn command(&self, program: &Path) -> Command {
        let mut command = Command::new(program);
        command.env_clear().envs(&self.variables);
        command
    }

    /// What a program on the search path prints, if it exists and succeeds.
    #[must_use]
    pub fn ask(&self, program: &str, arguments: &[&str]) -> Option<String> {
        let output = self.command(&self.find(program)?).args(arguments).stdin(Stdio::null()).output().ok()?;
        output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
    }
}

/// Takes the libraries of Rust toolchains out of a search path for shared libraries. rustup and `cargo run` put those of their toolchain
/// there, and a rustc of another toolchain would load them instead of its own and take that toolchain's sysroot for its own too.
fn without_toolchains((name, value): (OsString, OsString)) -> (OsString, OsString) {
    if name != "LD_LIBRARY_PATH" && name != "DYLD_FALLBACK_LIBRARY_PATH" {
        return (name, value);
    }
    let of_toolchain = |folder: &PathBuf| folder.iter().any(|part| part == "rustlib") || folder.join("rustlib").exists();
    let kept = env::join_paths(env::split_paths(&value).filter(|folder| !of_toolchain(folder)));
    (name, kept.expect("the folders came from a search path"))
}

/// Runs a command to its end and returns its output, or an error with what it printed.
pub(crate) fn run(command: &mut Command) -> Result<Output> {
    let output = output_of(command).map_err(Error::io("start", Path::new(command.get_program())))?;
    if output.status.success() {
        return Ok(output);
    }
    Err(Error::Program { program: program_name(command), status: output.status.to_string(), output: text_of(&output) })
}

/// Runs a command to its end. A program that was written a moment ago can still be open in a process that another thread is starting,
/// and cannot run until that process is under way.
fn output_of(command: &mut Command) -> io::Result<Output> {
    for _ in 0..50 {
        match command.stdin(Stdio::null()).output() {
            Err(error) if error.kind() == io::ErrorKind::ExecutableFileBusy => thread::sleep(Duration::from_millis(10)),
            result => return result,
        }
    }
    command.output()
}

/// What a program printed, errors first.
pub(crate) fn text_of(output: &Output) -> String {
    let text = [&output.stderr, &output.stdout].map(|bytes| String::from_utf8_lossy(bytes).trim().to_owned());
    text.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("\n")
}

fn program_name(command: &Command) -> String {
    let path = Path::new(command.get_program());
    path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}

#[cfg(unix)]
fn is_executable(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    path.metadata().is_ok_and(|metadata| metadata.is_file() && metadata.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_executable(path: &Path) -> bool {
    path.is_file()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn libraries_of_toolchains_are_left_out() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let library = folder.path().join("toolchain/lib");
        std::fs::create_dir_all(library.join("rustlib/x/lib")).expect("a folder");
        let paths = [Path::new("/opt/lib"), &library, &library.join("rustlib/x/lib")];
        let value = env::join_paths(paths).expect("a search path");
        assert_eq!(without_toolchains(("LD_LIBRARY_PATH".into(), value.clone())).1, "/opt/lib");
        assert_eq!(without_toolchains(("PATH".into(), value.clone())).1, value);
    }
}
