//! Compiles small programs with the installed kernel compiler and renders its answer as text.
//! A case is a Rust file whose kernels carry `#[metal_oxide::kernel]`; the compiler sees it with those attributes blanked out.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use metal_oxide_artifact::{COMPILER_IDENTITY, Cache, KernelRequest, MathMode, ReleaseProfile, UnitRequest, UnitResponse};

mod render;

pub use render::render;

/// The attribute that marks the kernels of a case.
const KERNEL_ATTRIBUTE: &str = "#[metal_oxide::kernel]";

/// The compiler's answer to a case.
///
/// # Errors
/// If the compiler is not installed, or ends in any way but with an answer: that is always a bug, and the text says what it printed.
pub fn compile(file: &Path, source: &str) -> Result<UnitResponse, String> {
    let cache = Cache::from_environment(|name| std::env::var_os(name)).ok_or("there is no home folder for the cache")?;
    let compiler = cache.compiler(COMPILER_IDENTITY);
    let answer = ask(&compiler.program(), &compiler.library(), &request(file, source));
    let (succeeded, stdout, stderr) =
        answer.map_err(|error| format!("the kernel compiler did not run ({error}): `cargo metal setup` installs it"))?;
    if !succeeded {
        return Err(format!("the kernel compiler failed:\n{stderr}"));
    }
    serde_json::from_str(&stdout).map_err(|error| format!("the kernel compiler's answer is no answer ({error}):\n{stdout}"))
}

/// Every Rust file below a folder, sorted.
///
/// # Errors
/// If a folder cannot be read.
pub fn cases(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in folder.read_dir()? {
        let path = entry?.path();
        if path.is_dir() {
            found.extend(cases(&path)?);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

fn request(file: &Path, source: &str) -> UnitRequest {
    let kernels = source.split(KERNEL_ATTRIBUTE).skip(1).filter_map(|rest| {
        let name = rest.split_once("fn ")?.1;
        let end = name.find(|c: char| !c.is_alphanumeric() && c != '_')?;
        Some(KernelRequest { name: name[..end].into(), path: name[..end].into(), requires: Vec::new() })
    });
    UnitRequest {
        file: file.into(),
        text: source.replace(KERNEL_ATTRIBUTE, &" ".repeat(KERNEL_ATTRIBUTE.len())),
        edition: "2024".into(),
        features: Vec::new(),
        item: "case".into(),
        kernels: kernels.collect(),
        math: MathMode::Precise,
        profile: ReleaseProfile::default(),
    }
}

fn ask(program: &Path, library: &Path, request: &UnitRequest) -> io::Result<(bool, String, String)> {
    let mut child = Command::new(program)
        .arg("unit")
        .arg("--library")
        .arg(library)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()?;
    let request = serde_json::to_string(request).map_err(io::Error::other)?;
    // The pipe is closed at the end of this statement, which tells the compiler that the request is complete.
    child.stdin.take().expect("the standard input is piped").write_all(request.as_bytes())?;
    let output = child.wait_with_output()?;
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    Ok((output.status.success(), text(output.stdout), text(output.stderr)))
}
