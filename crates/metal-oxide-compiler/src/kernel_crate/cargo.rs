//! Lets Cargo build a crate of kernels for the device.
//!
//! The build has a target folder of its own, since the Cargo around it holds the lock of the other one until this compiler answers. It
//! neither downloads anything nor changes the lock file: the build around it has just resolved the same dependencies.

use std::env;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use metal_oxide_artifact::{CrateContents, CrateRequest, Diagnostic};

use super::messages::{self, Messages};
use super::rustc;
use crate::driver::{Failure, TARGET_NAME};

/// A crate of kernels, built for the device.
pub struct Built {
    /// The crate's metadata.
    pub metadata: PathBuf,
    /// Where the metadata of its dependencies is, as rustc's `-L` takes it.
    pub search: Vec<String>,
}

/// Variables that would make the build another one than what the request describes.
const REMOVED: [&str; 8] = [
    "RUSTFLAGS",
    "RUSTDOCFLAGS",
    "RUSTC_BOOTSTRAP",
    "CARGO_BUILD_TARGET",
    "CARGO_BUILD_RUSTC",
    "CARGO_BUILD_RUSTFLAGS",
    "CARGO_PRIMARY_PACKAGE",
    "CLIPPY_ARGS",
];

/// Builds the crate.
pub fn build(request: &CrateRequest, library: &Path) -> Result<Built, Failure> {
    let CrateRequest { contents, build } = request;
    let mut command = Command::new(&build.cargo);
    command.args(["check", "--release", "--lib", "--frozen", "--quiet", "--message-format=json", "--target", TARGET_NAME]);
    command.arg("--manifest-path").arg(&build.manifest).args(["--package", &build.package]);
    if build.is_member {
        choose_features(&mut command, contents);
    }
    for variable in REMOVED {
        command.env_remove(variable);
    }
    let internal = |message: String| Failure::Internal(message);
    let variables = rustc::environment(library, &build.rustc).map_err(|error| internal(format!("this program has no path: {error}")))?;
    command.envs(variables);
    // Empty values win over the user's Cargo configuration, absent ones would not.
    command.env("RUSTC_WRAPPER", "").env("RUSTC_WORKSPACE_WRAPPER", "").env("CARGO_ENCODED_RUSTFLAGS", "");
    command.env("CARGO_TARGET_DIR", &build.target).env("CARGO_BUILD_BUILD_DIR", &build.target);
    command.env("CARGO_INCREMENTAL", "0").env("CARGO_TERM_COLOR", "never");
    if let Some(folder) = build.manifest.parent().filter(|folder| folder.is_dir()) {
        command.current_dir(folder);
    }
    // Cargo's questions to this program are cheap, and answers that were cached for another state of it would be wrong.
    command.env("CARGO_CACHE_RUSTC_INFO", "0");
    let output = command
        .stdin(Stdio::null())
        .output()
        .map_err(|error| internal(format!("cannot start Cargo, `{}`: {error}", build.cargo.display())))?;
    let found = Messages::read(&output.stdout, &contents.name);
    if !found.errors.is_empty() {
        return Err(Failure::Rejected(found.errors));
    }
    if !output.status.success() {
        return Err(Failure::Rejected(vec![messages::cargo_failed(&contents.name, &String::from_utf8_lossy(&output.stderr))]));
    }
    let Some(metadata) = found.metadata else {
        return Err(Failure::Rejected(vec![no_library(contents)]));
    };
    let search = rustc::search_folders(&metadata);
    Ok(Built { metadata, search })
}

fn choose_features(command: &mut Command, contents: &CrateContents) {
    if !contents.default_features {
        command.arg("--no-default-features");
    }
    if !contents.features.is_empty() {
        command.args(["--features", &contents.features.join(",")]);
    }
}

fn no_library(contents: &CrateContents) -> Diagnostic {
    messages::plain("MO0051", format!("Cargo built no library `{}` for the device", contents.name))
}

/// Whether this process is one that Cargo started in place of rustc, and with which device library.
pub fn acts_as_rustc() -> Option<PathBuf> {
    env::var_os(rustc::AS_RUSTC).map(PathBuf::from)
}
