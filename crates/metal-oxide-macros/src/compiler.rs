//! Talks to the kernel compiler: one process for each unit, a request in, an answer out.
//! Whatever is wrong with the process itself becomes a message that a person can act on.

use std::io::Write;
use std::process::{Command, ExitStatus, Stdio};

use metal_oxide_artifact::{CrateRequest, KernelRequest, MANIFEST_SCHEMA, UnitRequest, UnitResponse};

use crate::environment::Compiler;

/// The compiler did not answer.
#[derive(Debug, PartialEq, Eq)]
pub enum Failure {
    /// It is not installed.
    NotInstalled,
    /// It failed, which is nothing that the user did: the message.
    Internal(String),
}

/// How many lines of a failed compiler's errors are worth showing.
const SHOWN_LINES: usize = 20;

/// A request, of either kind.
pub struct Question<'a> {
    /// The compiler's command for it.
    command: &'static str,
    json: Vec<u8>,
    item: &'a str,
    kernels: &'a [KernelRequest],
}

impl<'a> From<&'a UnitRequest> for Question<'a> {
    fn from(request: &'a UnitRequest) -> Self {
        let json = serde_json::to_vec(request).expect("a request has string keys only");
        Self { command: "unit", json, item: &request.item, kernels: &request.kernels }
    }
}

impl<'a> From<&'a CrateRequest> for Question<'a> {
    fn from(request: &'a CrateRequest) -> Self {
        let json = serde_json::to_vec(request).expect("a request has string keys only");
        Self { command: "crate", json, item: &request.contents.item, kernels: &request.contents.kernels }
    }
}

/// Compiles a unit.
pub fn compile(compiler: &Compiler, question: &Question<'_>) -> Result<UnitResponse, Failure> {
    if !compiler.program.is_file() {
        return Err(Failure::NotInstalled);
    }
    let failed = |what: String, details: &str| Failure::Internal(internal_error(question, &what, details));
    let mut child = Command::new(&compiler.program)
        .args([question.command, "--library"])
        .arg(&compiler.library)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| failed(format!("cannot be started: {error}"), &compiler.program.display().to_string()))?;
    // A compiler that dies early does not read its request; its exit status says more than the broken pipe.
    let _ = child.stdin.take().expect("standard input is piped").write_all(&question.json);
    let output = child.wait_with_output().map_err(|error| failed(format!("cannot be waited for: {error}"), ""))?;
    let errors = String::from_utf8_lossy(&output.stderr);
    if !output.status.success() {
        return Err(failed(end(output.status), &errors));
    }
    let response: UnitResponse =
        serde_json::from_slice(&output.stdout).map_err(|error| failed(format!("gave an answer that cannot be read: {error}"), &errors))?;
    check(&response, question).map_err(|fault| failed(format!("gave an answer that {fault}"), &errors))?;
    Ok(response)
}

/// Compares the answer with the question, as far as the rest of the build relies on it.
fn check(response: &UnitResponse, question: &Question<'_>) -> Result<(), String> {
    let manifest = match response {
        UnitResponse::Compiled(result) => &result.manifest,
        UnitResponse::Rejected(diagnostics) if diagnostics.is_empty() => return Err("rejects the kernel without a reason".into()),
        UnitResponse::Rejected(_) => return Ok(()),
    };
    if manifest.schema != MANIFEST_SCHEMA {
        return Err(format!("is in form {}, not {MANIFEST_SCHEMA}", manifest.schema));
    }
    let missing = question.kernels.iter().find(|kernel| manifest.kernels.iter().all(|compiled| compiled.name != kernel.name));
    missing.map_or(Ok(()), |kernel| Err(format!("lacks the kernel `{}`", kernel.name)))
}

fn internal_error(question: &Question<'_>, what: &str, details: &str) -> String {
    let lines: Vec<_> = details.lines().collect();
    let shown = lines[lines.len().saturating_sub(SHOWN_LINES)..].join("\n  ");
    let mut message = format!("the kernel compiler failed on `{}` [MO0000]\nit {what}", question.item);
    if !shown.is_empty() {
        message.push_str("\n  ");
        message.push_str(&shown);
    }
    message.push_str("\nnote: this is a defect of metal-oxide, not of your code; please report it together with the kernel");
    message
}

fn end(status: ExitStatus) -> String {
    #[cfg(unix)]
    if let Some(signal) = std::os::unix::process::ExitStatusExt::signal(&status) {
        return format!("was ended by signal {signal}");
    }
    match status.code() {
        Some(code) => format!("ended with exit status {code}"),
        None => "ended without an exit status".to_owned(),
    }
}
