//! `cargo metal build`, `run` and `test`: setup where it is needed, then Cargo with the same arguments.
//! The macros start the compiler by themselves, so plain `cargo build` does the same once setup is complete.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

use cargo_metadata::MetadataCommand;

use crate::host::Host;
use crate::progress::Progress;
use crate::setup::{SetupOptions, setup};
use crate::{Error, Result};

/// Options of ours that Cargo does not know, with the reason why they are refused.
const REFUSED: [(&str, &str); 2] = [
    ("--validate", "validation is a layer of Metal, and the Metal back ends are not there yet"),
    ("--capture", "a GPU trace is recorded by Metal, and the Metal back ends are not there yet"),
];

/// Runs a subcommand of Cargo with these arguments.
///
/// # Errors
///
/// Fails if setup does, or if Cargo cannot be started. How Cargo itself ends is in the exit code.
pub(crate) fn pass_on(host: &Host, subcommand: &str, arguments: &[OsString], progress: &Progress) -> Result<ExitCode> {
    refuse_options(subcommand, arguments)?;
    require_own_version(host)?;
    setup(host, SetupOptions::default(), progress)?;
    let mut command = cargo(host);
    command.arg(subcommand).args(arguments);
    finish(command)
}

/// The Cargo that started this program, or the one on the search path.
pub(crate) fn cargo(host: &Host) -> Command {
    let program = host.variable("CARGO").map(PathBuf::from).or_else(|| host.find("cargo")).unwrap_or_else(|| "cargo".into());
    host.command(&program)
}

/// A project that uses another version of the library looks for another compiler than the one that setup installs. In a checkout of the
/// project itself Cargo has just built this program from the same sources.
fn require_own_version(host: &Host) -> Result<()> {
    if host.checkout.is_some() {
        return Ok(());
    }
    let own = env!("CARGO_PKG_VERSION");
    let mut command = cargo(host);
    let output = command.args(["metadata", "--format-version", "1"]).stdin(Stdio::null()).output();
    // If there is no project, or a broken one, Cargo says so better a moment later.
    let metadata = output.ok().and_then(|output| MetadataCommand::parse(String::from_utf8_lossy(&output.stdout)).ok());
    let versions = metadata.into_iter().flat_map(|metadata| metadata.packages).filter(|package| package.name.as_str() == "metal-oxide");
    match versions.map(|package| package.version.to_string()).find(|version| version != own) {
        Some(found) => Err(Error::OtherVersion { found, own }),
        None => Ok(()),
    }
}

/// Checks what stands before `--`; the rest is for the program that Cargo runs.
fn refuse_options(subcommand: &str, arguments: &[OsString]) -> Result<()> {
    for argument in arguments.iter().filter_map(|argument| argument.to_str()).take_while(|argument| *argument != "--") {
        let name = argument.split('=').next().unwrap_or(argument);
        if let Some((name, reason)) = REFUSED.iter().find(|(refused, _)| *refused == name) {
            return Err(Error::Usage(format!("`cargo metal {subcommand} {name}` is not available: {reason}")));
        }
    }
    Ok(())
}

/// Becomes the command where the system can, so that signals and the exit status are its own.
#[cfg(unix)]
fn finish(mut command: Command) -> Result<ExitCode> {
    use std::os::unix::process::CommandExt;
    let error = command.exec();
    Err(Error::io("start", Path::new(command.get_program()))(error))
}

#[cfg(not(unix))]
fn finish(mut command: Command) -> Result<ExitCode> {
    let status = command.status().map_err(Error::io("start", Path::new(command.get_program())))?;
    Ok(ExitCode::from(status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(1)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(arguments: &[&str]) -> Option<String> {
        let arguments: Vec<OsString> = arguments.iter().map(OsString::from).collect();
        refuse_options("run", &arguments).err().map(|error| error.to_string())
    }

    #[test]
    fn options_of_a_later_stage_are_refused_by_name() {
        assert!(refused(&["-p", "x", "--validate"]).expect("it is refused").contains("`cargo metal run --validate` is not available"));
        assert!(refused(&["--capture=f.gputrace"]).expect("it is refused").contains("--capture"));
    }

    #[test]
    fn the_programs_own_options_pass() {
        assert_eq!(refused(&["--release", "--", "--validate"]), None);
    }
}
