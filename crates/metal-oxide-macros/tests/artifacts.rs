//! When the kernel compiler is started and when a saved artifact is used, and what users read when neither will do.
//! Builds real packages with a stand-in for the compiler.

mod support;

use std::fs;
use std::process::Command;

use support::{KERNEL, Package, newest, target};

const FOLDER: &str = "metal/src/main/zero-precise";

/// The error for the kernel `zero` with these lines under its first.
fn error(lines: &[&str]) -> String {
    let indented: Vec<_> =
        lines.iter().enumerate().map(|(index, line)| format!("{}{line}", if index == 0 { "error: " } else { "       " })).collect();
    format!("{}\n --> src/main.rs:4:8\n  |\n4 | pub fn zero(mut out: DisjointBuffer<f32>) {{\n  |        ^^^^", indented.join("\n"))
}

#[test]
fn a_saved_artifact_is_used_while_it_is_fresh() {
    let package = Package::new(KERNEL);
    package.accepted();
    assert_eq!(package.starts(), 1);
    package.accepted();
    assert_eq!(package.starts(), 1, "nothing changed");
    package.edit("fn main() {}", "fn main() {} // host code");
    package.accepted();
    assert_eq!(package.starts(), 1, "the host changed, the kernel did not");
    package.edit("    let _ = &mut out;", "    let _ = &mut out; // a comment");
    package.accepted();
    assert_eq!(package.starts(), 1, "comments are no part of the kernel");
    package.edit("let _ =", "let _unused =");
    package.accepted();
    assert_eq!(package.starts(), 2, "the kernel changed");
    package.edit("#[", "\n#[");
    package.accepted();
    assert_eq!(package.starts(), 3, "the kernel moved, and its failures name lines");
    fs::remove_dir_all(package.path("metal")).expect("removes");
    package.accepted();
    assert_eq!(package.starts(), 4, "the artifact is gone");
}

#[test]
fn rebuild_always_compiles() {
    let mut package = Package::new(KERNEL);
    package.accepted();
    package.set("METAL_OXIDE_ARTIFACTS", "rebuild");
    package.accepted();
    assert_eq!(package.starts(), 2);
}

#[test]
fn locked_uses_saved_artifacts_only() {
    let mut package = Package::new(KERNEL);
    package.set("METAL_OXIDE_ARTIFACTS", "locked");
    assert_eq!(
        package.rejected(),
        error(&[
            "the kernel `zero` has no usable artifact: `metal/src/main/zero-precise` does not exist [MO0046]",
            "METAL_OXIDE_ARTIFACTS=locked allows saved artifacts only",
            "help: build once without that variable, on a machine with the kernel compiler, and commit `metal/src/main/zero-precise`",
        ])
    );
    package.set("METAL_OXIDE_ARTIFACTS", "auto");
    package.accepted();
    package.set("METAL_OXIDE_ARTIFACTS", "locked");
    package.accepted();
    assert_eq!(package.starts(), 1);
    package.edit("let _ =", "let _unused =");
    assert_eq!(
        package.rejected(),
        error(&[
            "the kernel `zero` has no usable artifact: `metal/src/main/zero-precise` is stale because the kernel changed: its code, its attributes or its place in the file [MO0046]",
            "METAL_OXIDE_ARTIFACTS=locked allows saved artifacts only",
            "help: build once without that variable, on a machine with the kernel compiler, and commit `metal/src/main/zero-precise`",
        ])
    );
    assert_eq!(package.starts(), 1);
}

#[test]
fn without_a_compiler_fresh_artifacts_build_and_others_say_what_to_do() {
    let mut package = Package::new(KERNEL);
    package.accepted();
    let manifest = package.read("metal/src/main/zero-precise/manifest.json");
    package.uninstall();
    package.edit("fn main() {}", "fn main() {} // so that the macro is expanded again");
    package.accepted();
    let first = "the kernel `zero` has to be compiled, and the kernel compiler <identity> is not installed [MO0045]";
    let help = "help: run `cargo metal setup`, then build again";

    package.write("metal/src/main/zero-precise/manifest.json", &manifest.replace("0.1.0-alpha.1", "0.0.9"));
    let reason = package.rejected();
    assert!(reason.contains("`metal/src/main/zero-precise` is stale because it was made by the kernel compiler 0.0.9"), "{reason}");
    assert!(reason.contains(help), "{reason}");

    package.write("metal/src/main/zero-precise/manifest.json", &manifest[..manifest.len() / 2]);
    let reason = package.rejected();
    let damage = "`metal/src/main/zero-precise` is damaged: its file `manifest.json` is not a manifest: EOF while parsing";
    assert!(reason.contains(first) && reason.contains(damage) && reason.contains(help), "{reason}");
    assert!(reason.contains("help: if the artifact is under version control, restore it from there"), "{reason}");

    package.write("metal/src/main/zero-precise/manifest.json", &manifest);
    package.write("metal/src/main/zero-precise/kernel.metal", "edited");
    let reason = package.rejected();
    let damage = "`metal/src/main/zero-precise` is damaged: its file `kernel.metal` is not the file that the manifest was saved with: its hash differs";
    assert!(reason.contains(damage), "{reason}");

    fs::remove_dir_all(package.path("metal")).expect("removes");
    assert_eq!(package.rejected(), error(&[first, "`metal/src/main/zero-precise` does not exist", help]));
}

#[test]
fn a_damaged_artifact_is_compiled_anew() {
    let package = Package::new(KERNEL);
    package.accepted();
    package.write("metal/src/main/zero-precise/manifest.json", "{");
    package.accepted();
    assert_eq!(package.starts(), 2);
    assert!(package.read("metal/src/main/zero-precise/manifest.json").contains("\"schema\""));
}

#[test]
fn two_processes_compile_at_once() {
    let package = Package::new(KERNEL);
    // The first build makes the dependencies. The two rustc that follow run side by side, without Cargo's lock between them.
    package.accepted();
    fs::remove_dir_all(package.path("metal")).expect("removes");
    let dependencies = target().join("debug/deps");
    let runtime = newest("libmetal_oxide-", &["rmeta"]);
    let children: Vec<_> = (0..2)
        .map(|_| {
            let mut command = Command::new("rustc");
            command.args(["--edition=2024", "--crate-type=bin", "--emit=metadata", "-o"]).arg(package.path("out.rmeta")).arg("src/main.rs");
            command
                .arg("--extern")
                .arg(format!("metal_oxide={}", runtime.display()))
                .arg("-L")
                .arg(format!("dependency={}", dependencies.display()));
            command.current_dir(package.path("")).env("CARGO_MANIFEST_DIR", package.path("")).env_remove("CARGO");
            package.prepare(&mut command);
            command.spawn().expect("rustc starts")
        })
        .collect();
    for mut child in children {
        assert!(child.wait().expect("rustc ends").success());
    }
    let starts = package.starts();
    package.accepted();
    assert_eq!(package.starts(), starts, "what they left is fresh");
    let names: Vec<_> =
        fs::read_dir(package.path("metal/src/main")).expect("lists").map(|entry| entry.expect("reads").file_name()).collect();
    assert_eq!(names, ["zero-precise"]);
}

#[test]
fn an_unknown_mode_is_an_error() {
    let mut package = Package::new(KERNEL);
    package.set("METAL_OXIDE_ARTIFACTS", "never");
    assert_eq!(package.rejected(), error(&["METAL_OXIDE_ARTIFACTS is `never`, but it can be `auto`, `locked` or `rebuild` [MO0047]"]));
}

#[test]
fn editors_get_the_launch_function_and_start_nothing() {
    let mut package = Package::new(&KERNEL.replace(
        "fn main() {}",
        "fn main() { let device = metal_oxide::Device::cpu(); let _ = zero(&device, metal_oxide::LaunchConfig::<1>::for_elements(1).unwrap(), device.buffer_zeroed::<f32>(1).unwrap()); }",
    ));
    package.set("RUST_ANALYZER_INTERNALS_DO_NOT_USE", "this is unstable");
    package.accepted();
    assert_eq!(package.starts(), 0);
    assert!(!package.path("metal").exists());
}

#[test]
fn kernels_follow_the_release_profile() {
    let mut package = Package::new(KERNEL);
    package.accepted();
    assert!(!package.request().profile.overflow_checks);
    package.manifest("[profile.release]\noverflow-checks = true");
    package.accepted();
    assert!(package.request().profile.overflow_checks);
    package.manifest("");
    package.accepted();
    assert!(!package.request().profile.overflow_checks);
    package.manifest("[profile.release]\ndebug-assertions = true\n[profile.release.package.\"*\"]\noverflow-checks = true");
    package.accepted();
    assert!(package.request().profile.debug_assertions, "the workspace's setting");
    package.set("CARGO_PROFILE_RELEASE_OVERFLOW_CHECKS", "true");
    package.accepted();
    assert!(package.request().profile.overflow_checks, "the environment's setting");
    assert!(package.path(FOLDER).is_dir());
}

#[test]
fn configuration_files_count() {
    let package = Package::new(KERNEL);
    package.write(".cargo/config.toml", "[profile.release]\noverflow-checks = false");
    package.accepted();
    assert!(!package.request().profile.overflow_checks);
    package.write(".cargo/config.toml", "[profile.release]\noverflow-checks = true");
    package.accepted();
    assert!(package.request().profile.overflow_checks);
}

#[test]
fn settings_of_one_package_count_for_it_alone() {
    let package = Package::new("fn main() {}");
    package.manifest("kernels = { path = \"kernels\" }\n[profile.release.package.kernels]\noverflow-checks = true");
    package.write(
        "kernels/Cargo.toml",
        "[package]\nname = \"kernels\"\nversion = \"0.0.0\"\nedition = \"2024\"\n[dependencies]\nmetal-oxide.workspace = true\n",
    );
    package.write("kernels/src/lib.rs", &KERNEL.replace("fn main() {}", ""));
    let manifest = package.read("Cargo.toml");
    let (runtime, _) =
        manifest.split_once("metal-oxide = ").map(|(_, rest)| rest.split_once('\n').expect("has lines")).expect("depends on it");
    package.write(
        "Cargo.toml",
        &manifest
            .replace("[workspace]", &format!("[workspace]\nmembers = [\"kernels\"]\n[workspace.dependencies]\nmetal-oxide = {runtime}")),
    );
    package.accepted();
    assert_eq!(package.starts(), 1);
    assert!(package.request().profile.overflow_checks, "the kernels are a dependency of the package that is built");
    assert!(package.path("kernels/metal/src/lib/zero-precise").is_dir());
    package.edit("fn main() {}", KERNEL);
    package.accepted();
    assert!(!package.request().profile.overflow_checks);
}

#[test]
fn tests_in_documentation_leave_nothing_behind() {
    let package = Package::new("fn main() {}");
    package.write("src/lib.rs", "//! ```\n//! use metal_oxide::device::DisjointBuffer;\n//! #[metal_oxide::kernel]\n//! fn zero(mut out: DisjointBuffer<f32>) {\n//!     let _ = &mut out;\n//! }\n//! ```\n");
    let mut command = Command::new(env!("CARGO"));
    command.args(["test", "--doc", "--quiet", "--offline"]).current_dir(package.path("")).env("CARGO_TARGET_DIR", target());
    package.prepare(&mut command);
    let output = command.output().expect("Cargo starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
    assert_eq!(package.starts(), 1);
    assert!(!package.path("metal").exists());
}
