//! What each chore consists of, in the order in which it fails soonest.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::path::Path;
use std::process::Command;

use cargo_metal::{Progress, Provider, SetupOptions, private_sysroot, rustc_crates, setup};

use crate::compiler;
use crate::examples;
use crate::project::Project;
use crate::report::{Failed, Report};
use crate::tidy;

/// The variable that makes text tests write what they got.
const BLESS: &str = "METAL_OXIDE_BLESS";

/// The target of Macs with Apple's processors.
const DARWIN: &str = "aarch64-apple-darwin";

/// Everything that a change must pass.
pub fn test(project: &Project, report: &mut Report) -> Result<(), Failed> {
    format(project, report);
    let provider = prepare(project)?;
    lints(project, &provider, report)?;
    report.run("tests of the workspace", project.cargo().args(["test", "--workspace", "--no-fail-fast"]));
    report.run("tests of the kernel compiler", compiler_tests(&mut compiler::cargo(project, &provider)?));
    examples::run(project, report);
    documentation(project, report);
    darwin_with(project, &provider, report)
}

/// Everything that needs no test to run.
pub fn check(project: &Project, report: &mut Report) -> Result<(), Failed> {
    format(project, report);
    let provider = prepare(project)?;
    lints(project, &provider, report)?;
    documentation(project, report);
    darwin_with(project, &provider, report)
}

/// Runs the tests so that they write what they got into the files with what they expect.
pub fn bless(project: &Project, report: &mut Report) -> Result<(), Failed> {
    let provider = prepare(project)?;
    report.run("tests of the workspace", project.cargo().args(["test", "--workspace", "--no-fail-fast"]).env(BLESS, "1"));
    report.run("tests of the kernel compiler", compiler_tests(&mut compiler::cargo(project, &provider)?).env(BLESS, "1"));
    let mut changes = Command::new("git");
    changes.args(["status", "--short"]).current_dir(&project.root);
    println!("\nfiles that differ from the last commit:");
    let _ = changes.status();
    Ok(())
}

/// Lints the workspace for Macs.
pub fn darwin(project: &Project, report: &mut Report) -> Result<(), Failed> {
    let provider = prepare(project)?;
    darwin_with(project, &provider, report)
}

/// Sets up the kernel compiler, which the kernels in the workspace need to compile, and rustc's crates, which its own tests need.
fn prepare(project: &Project) -> Result<Provider, Failed> {
    let progress = Progress::for_standard_error();
    setup(&project.host, SetupOptions::default(), &progress)?;
    Ok(rustc_crates(&project.host, &project.host.cache()?, &progress)?)
}

fn format(project: &Project, report: &mut Report) {
    report.run("format", project.cargo().args(["fmt", "--all", "--check", "--", "--color=never"]));
    report.run(
        "format of the kernel compiler",
        project.cargo().args(["fmt", "--check", "--", "--color=never"]).current_dir(project.compiler()),
    );
    report.step("source files", || tidy::check(&project.root));
}

fn lints(project: &Project, provider: &Provider, report: &mut Report) -> Result<(), Failed> {
    report.run("lints", project.cargo().args(["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"]));
    let mut command = compiler::cargo(project, provider)?;
    report.run("lints of the kernel compiler", command.args(["clippy", "--release", "--all-targets", "--", "-D", "warnings"]));
    Ok(())
}

/// In the release profile, whose dependencies setup has built.
fn compiler_tests(cargo: &mut Command) -> &mut Command {
    cargo.args(["test", "--release", "--no-fail-fast"])
}

fn documentation(project: &Project, report: &mut Report) {
    report.run("documentation", project.cargo().args(["doc", "--workspace", "--no-deps"]).env("RUSTDOCFLAGS", "-D warnings"));
}

/// Lints the workspace for Macs, with a standard library that is checked from its sources: no Mac and no Apple file is needed.
fn darwin_with(project: &Project, provider: &Provider, report: &mut Report) -> Result<(), Failed> {
    let sysroot = private_sysroot(&project.host, &project.host.cache()?, provider)?;
    let mut command = project.host.command(&sysroot.join("bin/cargo"));
    command.current_dir(&project.root).args(["clippy", "--workspace", "-Zbuild-std=std", "--target", DARWIN, "--", "-D", "warnings"]);
    // Cargo looks for `cargo-clippy` on the search path, and that in turn for its driver beside itself.
    command.env("PATH", search_path(project, &sysroot.join("bin"))).env("RUSTC", sysroot.join("bin/rustc"));
    // The variable makes build scripts run again, so what they make here is kept apart from what the other steps use.
    let target = project.target().join("darwin");
    command.env("RUSTC_BOOTSTRAP", "1").env("CARGO_TARGET_DIR", &target);
    // Cargo keeps what rustc said about its sysroot, even if that was wrong.
    let _ = fs::remove_file(target.join(".rustc_info.json"));
    report.run("lints for Macs", &mut command);
    Ok(())
}

fn search_path(project: &Project, first: &Path) -> OsString {
    let path = project.host.variable("PATH").unwrap_or_default();
    let folders = std::iter::once(first.to_path_buf()).chain(env::split_paths(path));
    env::join_paths(folders).expect("the folders came from a search path")
}
