//! Asks Cargo for the release profile's settings that kernels are built with, whatever profile the host is built with.
//!
//! Cargo's unit graph is the answer to "what would `cargo build --release` do": it accounts for the workspace's manifest, configuration
//! files with their includes, environment variables and settings for single packages. Printing it builds nothing and takes no lock that
//! the Cargo around this process holds. It takes a tenth of a second, so Cargo is asked only where somebody mentions the settings.

use std::env;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;

use metal_oxide_artifact::ReleaseProfile;
use serde_json::Value;

use crate::environment::{Build, PROFILE_VARIABLES};

/// The settings for the package that is being built. The error is a message for the user.
pub fn release_profile(build: &Build) -> Result<ReleaseProfile, String> {
    // One process of rustc compiles one crate, so one question serves all its kernels.
    static ANSWER: OnceLock<Result<ReleaseProfile, String>> = OnceLock::new();
    ANSWER.get_or_init(|| if is_mentioned(build) { ask(build) } else { Ok(ReleaseProfile::default()) }).clone()
}

/// The files whose change may change the answer: manifests and Cargo's configuration files, as far as they exist.
pub fn files(build: &Build) -> Vec<PathBuf> {
    let mut found = vec![build.package.join("Cargo.toml"), build.working_folder.join("Cargo.toml")];
    found.extend(workspace_above_output(build));
    let home = env::var_os("CARGO_HOME").map(PathBuf::from).or_else(|| Some(env::home_dir()?.join(".cargo")));
    let folders = build.working_folder.ancestors().map(|folder| folder.join(".cargo")).chain(home);
    found.extend(folders.flat_map(|folder| [folder.join("config.toml"), folder.join("config")]));
    found.retain(|file| file.is_file());
    found.sort();
    found.dedup();
    found
}

/// Whether any file or variable speaks of the settings. Where none does, they have Cargo's defaults. Only names are looked for: what
/// they mean where they stand is for Cargo to say.
fn is_mentioned(build: &Build) -> bool {
    let names = ["overflow-checks", "debug-assertions", "include"];
    PROFILE_VARIABLES.iter().any(|name| env::var_os(name).is_some())
        || files(build).iter().any(|file| match std::fs::read_to_string(file) {
            Ok(text) => names.iter().any(|name| text.contains(name)),
            Err(_) => true,
        })
}

/// The manifest of the workspace whose target folder rustc writes to, if the folder is where Cargo puts it by itself.
pub fn workspace_above_output(build: &Build) -> Option<PathBuf> {
    build.output_folder.as_ref()?.ancestors().map(|folder| folder.join("Cargo.toml")).find(|manifest| manifest.is_file())
}

fn ask(build: &Build) -> Result<ReleaseProfile, String> {
    let Some(cargo) = &build.cargo else {
        // rustc was started by something else, which has no release profile.
        return Ok(ReleaseProfile::default());
    };
    let own = || unit_graph(cargo, &build.package.join("Cargo.toml"), false).map(|graph| find(&graph, &build.package));
    if build.primary {
        return match own()? {
            Some(profile) => Ok(profile),
            // The package has neither a library nor a program, only tests or examples.
            None => {
                unit_graph(cargo, &build.package.join("Cargo.toml"), true).map(|graph| find(&graph, &build.package).unwrap_or_default())
            }
        };
    }
    // The profile is that of the workspace being built, which need not be the package's own.
    match workspace_above_output(build).and_then(|manifest| find(&unit_graph(cargo, &manifest, true).ok()?, &build.package)) {
        Some(profile) => Ok(profile),
        None => own().map(Option::unwrap_or_default),
    }
}

fn unit_graph(cargo: &Path, manifest: &Path, everything: bool) -> Result<Value, String> {
    let mut command = Command::new(cargo);
    command.args(["build", "--release", "--unit-graph", "-Zunstable-options", "--frozen", "--quiet", "--manifest-path"]).arg(manifest);
    if everything {
        command.args(["--workspace", "--all-targets"]);
    }
    command
        // The unit graph is an unstable feature of Cargo. This lets a stable Cargo print it and changes nothing else.
        .env("RUSTC_BOOTSTRAP", "1")
        // What this Cargo finds out about rustc under that variable must not end up in the cache of the one around it.
        .env("CARGO_CACHE_RUSTC_INFO", "0")
        .env("RUSTC_WRAPPER", "")
        .env("RUSTC_WORKSPACE_WRAPPER", "")
        .stdin(Stdio::null());
    let output = command.output().map_err(|error| format!("cannot start {}: {error}", cargo.display()))?;
    if !output.status.success() {
        let errors = String::from_utf8_lossy(&output.stderr);
        return Err(format!("Cargo does not tell the settings of the release profile:\n{}", errors.trim_end()));
    }
    serde_json::from_slice(&output.stdout).map_err(|error| format!("Cargo prints a unit graph that cannot be read: {error}"))
}

/// The settings of a unit that is compiled from the package's sources.
fn find(graph: &Value, package: &Path) -> Option<ReleaseProfile> {
    let package = package.canonicalize().ok()?;
    let units = graph.get("units")?.as_array()?;
    let unit = units.iter().find(|unit| {
        let target = &unit["target"];
        let is_script = target["kind"].as_array().is_some_and(|kinds| kinds.iter().any(|kind| kind == "custom-build"));
        let source = target["src_path"].as_str().and_then(|path| Path::new(path).canonicalize().ok());
        !is_script && source.is_some_and(|source| source.starts_with(&package) && package_of(&source) == Some(&package))
    })?;
    let setting = |name: &str| unit["profile"][name].as_bool().unwrap_or(false);
    Some(ReleaseProfile { overflow_checks: setting("overflow_checks"), debug_assertions: setting("debug_assertions") })
}

/// The folder of the package that a source file belongs to. A package's folder may hold those of others.
fn package_of(source: &Path) -> Option<&Path> {
    source.ancestors().skip(1).find(|folder| folder.join("Cargo.toml").is_file())
}
