//! The rustc arguments that all device crates share, and those that tell units from library crates.
//! Kernels are always built as a release build would be.

use std::path::Path;

use metal_oxide_artifact::{ReleaseProfile, ToolchainPin, UnitRequest};

use super::TARGET_NAME;

/// The crates of the device library, in the order of their dependencies, as `--extern` names them.
pub const LIBRARY_CRATES: [&str; 4] = ["core", "compiler_builtins", "metal_oxide_device", "metal_oxide"];

/// The arguments of every device crate that this program compiles by itself.
fn common(name: &str, edition: &str, library: &Path) -> Vec<String> {
    let mut arguments =
        vec![format!("--crate-name={name}"), format!("--edition={edition}"), "--crate-type=rlib".to_owned(), "--emit=metadata".to_owned()];
    arguments.extend(everywhere(library));
    arguments
}

/// The arguments of every device crate, whoever starts its compilation.
fn everywhere(library: &Path) -> Vec<String> {
    let settings = [
        "-Cpanic=abort".to_owned(),
        "-Copt-level=3".to_owned(),
        // Names of variables survive inlining, for the sake of readable output.
        "-Zinline-mir-preserve-debug=yes".to_owned(),
        "-Zub-checks=no".to_owned(),
    ];
    target(library).into_iter().chain(settings).collect()
}

/// Lints are the business of those who work on the crate.
const NO_LINTS: &str = "--cap-lints=allow";

/// Warnings are the host's to give; what rustc denies by default is an error here too, as a constant whose evaluation does not end.
const NO_WARNINGS: &str = "-Awarnings";

/// The arguments that choose the target.
pub fn target(library: &Path) -> [String; 4] {
    let specification = library.join(format!("{TARGET_NAME}.json"));
    [
        format!("--target={}", specification.display()),
        // An empty sysroot: nothing of the host's is ever found.
        format!("--sysroot={}", library.display()),
        "--cfg=metal_oxide_device".to_owned(),
        "-Zunstable-options".to_owned(),
    ]
}

/// What is added to Cargo's arguments for a crate that kernels depend on. It leaves its metadata with the MIR of every function.
pub fn dependency(library: &Path) -> Vec<String> {
    let mut arguments = everywhere(library);
    arguments.extend([NO_LINTS, "-Zalways-encode-mir=yes"].map(str::to_owned));
    arguments.extend(extern_arguments(&["core", "compiler_builtins"], &["core"], library));
    arguments
}

/// The arguments for a crate of the library, which leaves its metadata with the MIR of every function in `library`.
pub fn library_crate(name: &str, source: &Path, externs: &[&str], library: &Path) -> Vec<String> {
    let mut arguments = common(name, "2024", library);
    arguments.extend([
        NO_LINTS.to_owned(),
        "-Zalways-encode-mir=yes".to_owned(),
        "-Zforce-unstable-if-unmarked=no".to_owned(),
        format!("--out-dir={}", library.display()),
    ]);
    // Failures inside `core` name its files as the host's do, and nothing names this machine's folders.
    let folder = source.parent().and_then(Path::parent).unwrap_or(source);
    let shown = if name == "core" { format!("/rustc/{}/library/core", ToolchainPin::current().commit) } else { name.replace('_', "-") };
    arguments.push(format!("--remap-path-prefix={}={shown}", folder.display()));
    arguments.extend(extern_arguments(externs, externs, library));
    arguments.push(source.display().to_string());
    arguments
}

/// The arguments for a unit, which leaves nothing.
pub fn unit(request: &UnitRequest, library: &Path) -> Vec<String> {
    let mut arguments = common("kernels", &request.edition, library);
    arguments.extend(unit_settings(request));
    arguments.extend(request.features.iter().map(|feature| format!("--cfg=feature=\"{feature}\"")));
    arguments.extend(extern_arguments(&LIBRARY_CRATES, &["core", "metal_oxide"], library));
    arguments.push(request.file.display().to_string());
    arguments
}

/// What every unit is compiled with.
fn unit_settings(request: &UnitRequest) -> [String; 5] {
    let ReleaseProfile { overflow_checks, debug_assertions } = request.profile;
    [
        NO_WARNINGS.to_owned(),
        "-Zcrate-attr=no_std".to_owned(),
        "-Zallow-features=".to_owned(),
        format!("-Coverflow-checks={overflow_checks}"),
        format!("-Cdebug-assertions={debug_assertions}"),
    ]
}

/// The arguments for a unit that only names a crate of kernels, which leaves nothing. `main` is the path of the unit's text, and the
/// dependencies of the crate are searched for in the `search` folders.
pub fn crate_unit(request: &UnitRequest, main: &Path, name: &str, metadata: &Path, search: &[String], library: &Path) -> Vec<String> {
    let mut arguments = common("kernels_unit", &request.edition, library);
    arguments.extend(unit_settings(request));
    arguments.extend(extern_arguments(&["core", "compiler_builtins"], &["core"], library));
    arguments.push(format!("--extern={name}={}", metadata.display()));
    arguments.extend(search.iter().map(|folder| format!("-L{folder}")));
    arguments.push(main.display().to_string());
    arguments
}

/// Makes crates known; only the nameable ones can be named in paths without an `extern crate` item.
fn extern_arguments(externs: &[&str], nameable: &[&str], library: &Path) -> Vec<String> {
    let named = externs.iter().map(|name| {
        let hidden = if nameable.contains(name) { "" } else { "noprelude:" };
        format!("--extern={hidden}{name}={}", library.join(format!("lib{name}.rmeta")).display())
    });
    named.chain([format!("-Ldependency={}", library.display())]).collect()
}
