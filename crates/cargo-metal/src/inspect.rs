//! `cargo metal inspect`: prints the generated code of kernels from their saved artifacts.
//! The package is built first, so what is shown belongs to the sources as they are.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use cargo_metadata::{Metadata, MetadataCommand, Package};
use metal_oxide_artifact::{IR_FILE, MANIFEST_FILE, MSL_FILE, Manifest};

use crate::host::Host;
use crate::pass_on::cargo;
use crate::progress::Progress;
use crate::setup::{SetupOptions, setup};
use crate::{Error, Result};

/// The form to print.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Emit {
    /// The optimised intermediate representation.
    Ir,
    /// Metal Shading Language.
    Msl,
    /// The checks that remain in the kernels, where they come from and what would prove each.
    Checks,
}

/// The text of the kernels of a package, or of those with one name.
///
/// # Errors
///
/// Fails if the package does not build, or if there is no such package or kernel.
pub(crate) fn inspect(host: &Host, package: Option<&str>, kernel: Option<&str>, emit: Emit, progress: &Progress) -> Result<String> {
    setup(host, SetupOptions::default(), progress)?;
    let metadata = metadata(host)?;
    let packages = chosen(&metadata, package)?;
    build(host, package)?;
    let mut artifacts = Vec::new();
    for package in packages {
        let folder = package.manifest_path.parent().expect("a manifest is in a folder").as_std_path().join("metal");
        find_artifacts(&folder, &mut artifacts)?;
    }
    render(&artifacts, kernel, emit)
}

fn metadata(host: &Host) -> Result<Metadata> {
    let mut command = MetadataCommand::new();
    command.no_deps();
    let mut run = cargo(host);
    let arguments: Vec<OsString> = command.cargo_command().get_args().map(OsString::from).collect();
    let output = run.args(arguments).stdin(Stdio::null()).output().map_err(Error::io("start", Path::new("cargo")))?;
    if !output.status.success() {
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        return Err(cargo_metadata::Error::CargoMetadata { stderr }.into());
    }
    Ok(MetadataCommand::parse(String::from_utf8_lossy(&output.stdout))?)
}

/// The named package, or those that Cargo builds by default.
fn chosen<'a>(metadata: &'a Metadata, package: Option<&str>) -> Result<Vec<&'a Package>> {
    let Some(name) = package else { return Ok(metadata.workspace_default_packages()) };
    let packages = metadata.workspace_packages();
    let found: Vec<&Package> = packages.iter().copied().filter(|package| package.name.as_str() == name).collect();
    if found.is_empty() {
        let names: Vec<&str> = packages.iter().map(|package| package.name.as_str()).collect();
        let fix = format!("packages of this workspace: {}", names.join(", "));
        return Err(Error::NotFound { message: format!("there is no package `{name}`"), fix });
    }
    Ok(found)
}

fn build(host: &Host, package: Option<&str>) -> Result<()> {
    let mut command = cargo(host);
    command.args(["build", "--quiet"]);
    if let Some(package) = package {
        command.args(["--package", package]);
    }
    let status = command.stdout(Stdio::null()).status().map_err(Error::io("start", Path::new("cargo")))?;
    if status.success() {
        return Ok(());
    }
    // Cargo has said why.
    Err(Error::Program { program: "cargo build".into(), status: status.to_string(), output: String::new() })
}

/// Every folder with a manifest below this one, in order.
fn find_artifacts(folder: &Path, artifacts: &mut Vec<PathBuf>) -> Result<()> {
    if !folder.is_dir() {
        return Ok(());
    }
    let entries = fs::read_dir(folder).map_err(Error::io("read", folder))?;
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    for path in paths {
        // Folders with a dot are being written by another process.
        if path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.')) || !path.is_dir() {
            continue;
        }
        if path.join(MANIFEST_FILE).exists() {
            artifacts.push(path);
        } else {
            find_artifacts(&path, artifacts)?;
        }
    }
    Ok(())
}

fn render(artifacts: &[PathBuf], kernel: Option<&str>, emit: Emit) -> Result<String> {
    let (file, comment) = match emit {
        Emit::Ir | Emit::Checks => (IR_FILE, "//"),
        Emit::Msl => (MSL_FILE, "//"),
    };
    let mut parts = Vec::new();
    let mut names = Vec::new();
    for artifact in artifacts {
        let manifest = read_manifest(&artifact.join(MANIFEST_FILE))?;
        let kernels: Vec<&str> = manifest.kernels.iter().map(|kernel| kernel.name.as_str()).collect();
        if kernel.is_none_or(|wanted| kernels.contains(&wanted)) {
            let path = artifact.join(file);
            let mut text = fs::read_to_string(&path).map_err(Error::io("read", &path))?;
            if emit == Emit::Checks {
                text = checks(&text).map_err(|detail| Error::Manifest { path, detail })?;
            }
            parts.push((format!("{comment} {}: {}\n", manifest.file.display(), kernels.join(", ")), text));
        }
        names.extend(manifest.kernels.iter().map(|kernel| kernel.name.clone()));
    }
    match parts.len() {
        0 => Err(nothing_found(kernel, &names)),
        // One artifact is printed as it is, ready for a pipe.
        1 => Ok(parts.remove(0).1),
        _ => Ok(parts.into_iter().map(|(heading, text)| heading + &text).collect::<Vec<_>>().join("\n")),
    }
}

/// The remaining checks of a module in its text form, a line each.
fn checks(ir: &str) -> std::result::Result<String, String> {
    let module = metal_oxide_ir::text::parse(ir).map_err(|error| error.to_string())?;
    let checks = metal_oxide_ir::passes::remaining_checks(&module);
    if checks.is_empty() {
        return Ok("no check remains\n".into());
    }
    let line = |check: metal_oxide_ir::passes::RemainingCheck| {
        let site = &module.sites[check.site.index()];
        let (location, kind) = (&site.location, site.kind.keyword());
        let needs = if check.needs.is_empty() { String::new() } else { format!(": would follow from `{}`", check.needs) };
        format!("{}:{}:{}: {kind} in `{}`{needs}\n", location.file, location.line, location.column, check.function)
    };
    Ok(checks.into_iter().map(line).collect())
}

fn read_manifest(path: &Path) -> Result<Manifest> {
    let text = fs::read_to_string(path).map_err(Error::io("read", path))?;
    serde_json::from_str(&text).map_err(|error| Error::Manifest { path: path.to_path_buf(), detail: error.to_string() })
}

fn nothing_found(kernel: Option<&str>, names: &[String]) -> Error {
    match kernel {
        Some(name) if !names.is_empty() => {
            Error::NotFound { message: format!("there is no kernel `{name}`"), fix: format!("kernels here: {}", names.join(", ")) }
        }
        _ => Error::NotFound {
            message: "there are no kernels here".into(),
            fix: "name a package that has some: `cargo metal inspect -p PACKAGE --emit msl`".into(),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn save(root: &Path, name: &str, kernels: &[&str]) {
        let folder = root.join("metal").join(name);
        fs::create_dir_all(&folder).expect("a folder");
        let kernels: Vec<String> = kernels
            .iter()
            .map(|name| {
                format!(
                    r#"{{"name":"{name}","entry":"{name}","abi":{{"parameters":[],"args_slot":null,"args_size":0,"failure_slot":null,
                    "builtins":[],"linear":false,"cooperative":false}},"requires":[],"sites":[],"features":[]}}"#
                )
            })
            .collect();
        let manifest = format!(
            r#"{{"schema":1,"file":"src/{name}.rs","item":"{name}","math":"precise","inputs":{{"request":"","compiler":"",
            "profile":{{"overflow_checks":false,"debug_assertions":false}}}},"files":{{}},"kernels":[{}]}}"#,
            kernels.join(",")
        );
        fs::write(folder.join(MANIFEST_FILE), manifest).expect("a file");
        fs::write(folder.join(MSL_FILE), format!("kernel void {name}() {{}}\n")).expect("a file");
    }

    fn msl(root: &Path, kernel: Option<&str>) -> Result<String> {
        let mut artifacts = Vec::new();
        find_artifacts(&root.join("metal"), &mut artifacts)?;
        render(&artifacts, kernel, Emit::Msl)
    }

    #[test]
    fn one_kernel_or_all_of_them() {
        let root = tempfile::tempdir().expect("a temporary folder");
        save(root.path(), "add", &["add"]);
        save(root.path(), "shapes", &["area", "length"]);
        save(root.path(), ".partial", &["add"]);
        assert_eq!(msl(root.path(), Some("area")).expect("it is there"), "kernel void shapes() {}\n");
        let all = msl(root.path(), None).expect("they are there");
        assert_eq!(all, "// src/add.rs: add\nkernel void add() {}\n\n// src/shapes.rs: area, length\nkernel void shapes() {}\n");
    }

    #[test]
    fn a_remaining_check_is_listed_with_its_place_and_what_would_prove_it() {
        let ir = r#"
            site site0 = bounds "src/main.rs" 8 16 ""
            type type0 = "f32" size 4 align 4 scalar f32
            kernel @first(a: buffer mut type0) {
            block0(%0.a: ptr<device>, %1.a_length: i64):
                %2 = ult i64 3, %1
                cond_br %2, block1, block2
            block1:
                %3 = element ptr<device> type0, %0, 3
                store f32 1.0, %3
                return
            block2:
                fail site0
            }
        "#;
        assert_eq!(checks(ir).expect("it is a module"), "src/main.rs:8:16: bounds in `first`: would follow from `3 < a.len()`\n");
        assert_eq!(checks("").expect("it is a module"), "no check remains\n");
    }

    #[test]
    fn a_wrong_name_lists_the_right_ones() {
        let root = tempfile::tempdir().expect("a temporary folder");
        assert!(msl(root.path(), None).expect_err("nothing is there").to_string().contains("no kernels"));
        save(root.path(), "add", &["add"]);
        assert_eq!(msl(root.path(), Some("sub")).expect_err("it is not there").help(), "kernels here: add");
    }

    #[test]
    fn a_corrupt_manifest_is_named() {
        let root = tempfile::tempdir().expect("a temporary folder");
        save(root.path(), "add", &["add"]);
        fs::write(root.path().join("metal/add").join(MANIFEST_FILE), "{").expect("a file");
        let error = msl(root.path(), None).expect_err("it is corrupt");
        assert!(error.to_string().contains("manifest.json") && error.help().contains("build again"), "{error}");
    }
}
