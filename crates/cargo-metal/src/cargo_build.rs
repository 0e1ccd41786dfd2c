//! Runs a long `cargo build` with a progress bar: the number of parts is known beforehand, each finished part moves the bar.
//! Everything Cargo prints is kept in a log; a failure is told apart by what it needs from the user.

use std::fs::File;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{ChildStderr, Command, Stdio};
use std::thread;

use cargo_metadata::Message;
use serde::Deserialize;

use crate::host;
use crate::progress::Step;
use crate::toolchain::is_disk_full;
use crate::{Error, Result};

/// How many lines of a failed build are shown.
const SHOWN_LINES: usize = 40;

/// A build to run: how Cargo is started, and what to call it.
pub struct CargoBuild<'a> {
    /// Starts Cargo with its environment and working folder, but without a subcommand.
    pub cargo: &'a dyn Fn() -> Command,
    /// The arguments after `build`.
    pub arguments: &'a [&'a str],
    /// What is built, for messages.
    pub what: &'static str,
    /// Receives everything that Cargo prints.
    pub log: &'a Path,
}

impl CargoBuild<'_> {
    /// Builds, and returns the programs that came out.
    ///
    /// # Errors
    ///
    /// Fails if Cargo does; the error says whether the linker, the network, disk space or the code is to blame.
    pub fn run(&self, step: &Step, remark: &str) -> Result<Vec<PathBuf>> {
        step.set_total(self.count_parts()?, remark);
        let mut command = (self.cargo)();
        command.arg("build").args(self.arguments).arg("--message-format=json-render-diagnostics");
        let started = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
        let mut child = started.map_err(Error::io("start", Path::new("cargo")))?;
        let log = File::create(self.log).map_err(Error::io("write", self.log))?;
        let stderr = child.stderr.take().expect("standard error is piped");
        let reader = thread::spawn(move || copy_to_log(stderr, log));

        let stdout = BufReader::new(child.stdout.take().expect("standard output is piped"));
        let mut programs = Vec::new();
        for message in Message::parse_stream(stdout).map_while(std::result::Result::ok) {
            if let Message::CompilerArtifact(artifact) = message {
                step.advance(&artifact.target.name);
                programs.extend(artifact.executable.map(PathBuf::from));
            }
        }
        let status = child.wait().map_err(Error::io("wait for", Path::new("cargo")))?;
        let output = reader.join().expect("copying text does not panic");
        if status.success() { Ok(programs) } else { Err(self.failure(&output)) }
    }

    /// Asks Cargo for the plan of the build. This resolves and downloads the dependencies too.
    fn count_parts(&self) -> Result<u64> {
        let mut command = (self.cargo)();
        command.arg("build").args(self.arguments).args(["--unit-graph", "-Zunstable-options"]).env("RUSTC_BOOTSTRAP", "1");
        let output = host::run(&mut command).map_err(|error| match error {
            Error::Program { output, .. } => self.failure(&output),
            other => other,
        })?;
        let graph: UnitGraph = serde_json::from_slice(&output.stdout).map_err(|error| Error::Build {
            what: self.what,
            output: format!("Cargo's plan is unreadable: {error}"),
            log: self.log.into(),
        })?;
        Ok(graph.units.iter().filter(|unit| unit.mode == "build").count() as u64)
    }

    fn failure(&self, output: &str) -> Error {
        let lower = output.to_lowercase();
        let has = |reasons: &[&str]| reasons.iter().any(|reason| lower.contains(reason));
        if is_disk_full(output) {
            let folder = self.log.parent().unwrap_or(self.log).to_path_buf();
            return Error::DiskFull { folder, detail: "Cargo ran out of it".into() };
        }
        if has(&["linker `cc` not found"]) {
            return Error::MissingLinker;
        }
        let shown = last_lines(output);
        if has(&[
            "could not resolve host",
            "couldn't resolve host",
            "failed to download",
            "download of ",
            "spurious network error",
            "failed to fetch",
        ]) {
            return Error::Network { what: format!("a dependency of {}", self.what), output: shown };
        }
        Error::Build { what: self.what, output: shown, log: self.log.to_path_buf() }
    }
}

#[derive(Deserialize)]
struct UnitGraph {
    units: Vec<Unit>,
}

#[derive(Deserialize)]
struct Unit {
    mode: String,
}

/// Copies the stream into the log as it comes, and returns it.
fn copy_to_log(stream: ChildStderr, mut log: File) -> String {
    let mut text = String::new();
    for line in BufReader::new(stream).lines().map_while(std::result::Result::ok) {
        // A log that cannot be written must not stop the build: a full disk will soon enough.
        let _ = writeln!(log, "{line}");
        text.push_str(&line);
        text.push('\n');
    }
    text
}

fn last_lines(text: &str) -> String {
    // rustc's crates come with a few hundred lines of warnings; the error stands at the end.
    let lines: Vec<&str> = text.lines().collect();
    lines[lines.len().saturating_sub(SHOWN_LINES)..].join("\n")
}
