//! `cargo xtask compiler`: installs the kernel compiler of these sources, or runs Cargo on its crate with rustc's crates at hand.

use std::ffi::OsString;
use std::process::Command;

use cargo_metal::{Progress, Provider, SetupOptions, rustc_crates, setup};

use crate::project::Project;
use crate::report::Failed;

/// Installs the compiler, or with arguments runs Cargo in the folder of its crate.
pub fn run(project: &Project, arguments: &[OsString]) -> Result<(), Failed> {
    let progress = Progress::for_standard_error();
    if arguments.is_empty() {
        let done = setup(&project.host, SetupOptions::default(), &progress)?;
        println!("{}", done.compiler.root().display());
        return Ok(());
    }
    let provider = rustc_crates(&project.host, &project.host.cache()?, &progress)?;
    let status = cargo(project, &provider)?.args(arguments).status();
    if status.is_ok_and(|status| status.success()) { Ok(()) } else { Err(Failed::Reported) }
}

/// Cargo in the folder of the compiler's crate. It builds where setup does, so each finds the other's work done.
pub fn cargo(project: &Project, provider: &Provider) -> Result<Command, Failed> {
    let mut command = provider.cargo(&project.host);
    command.current_dir(project.compiler()).env("CARGO_TARGET_DIR", project.host.cache()?.compiler_build());
    Ok(command)
}
