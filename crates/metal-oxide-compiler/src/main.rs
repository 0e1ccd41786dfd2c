//! The kernel compiler's command line, which the macros and `cargo metal` start.
//! Answers go to standard output; any exit status but zero is an internal error, explained on standard error.

#![feature(rustc_private)]

// rustc's library holds the standard library too. A program that does not name it would link a second one.
extern crate rustc_driver as _;

use std::ffi::OsString;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use metal_oxide_artifact::{COMPILER_IDENTITY, CrateRequest, ToolchainPin, UnitRequest, UnitResponse};
use metal_oxide_compiler::library::{self, LibraryRequest};
use metal_oxide_compiler::{compile, kernel_crate};
use serde::de::DeserializeOwned;

const USAGE: &str = "usage: metal-oxide-compiler unit --library DIR < request.json
       metal-oxide-compiler crate --library DIR < request.json
       metal-oxide-compiler library --source DIR --device DIR --out DIR
       metal-oxide-compiler version";

fn main() -> ExitCode {
    let arguments: Vec<OsString> = std::env::args_os().skip(1).collect();
    if let Some(library) = kernel_crate::acts_as_rustc() {
        return kernel_crate::act(&arguments, &library);
    }
    // SAFETY: no other thread exists yet, so none reads the environment meanwhile.
    unsafe { std::env::set_var("RUSTC_BOOTSTRAP", "1") };
    let arguments: Vec<String> = arguments.iter().map(|argument| argument.to_string_lossy().into_owned()).collect();
    match command(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::from(101)
        }
    }
}

fn command(arguments: &[String]) -> Result<(), String> {
    match arguments.first().map(String::as_str) {
        Some("unit") => answer(|request: UnitRequest| compile::compile(&request, &folder(arguments, "--library")?)),
        Some("crate") => answer(|request: CrateRequest| kernel_crate::compile(&request, &folder(arguments, "--library")?)),
        Some("library") => library::build(&LibraryRequest {
            source: folder(arguments, "--source")?,
            device: folder(arguments, "--device")?,
            out: folder(arguments, "--out")?,
        }),
        Some("version") => {
            println!("{COMPILER_IDENTITY}\n{}", ToolchainPin::current().release);
            Ok(())
        }
        _ => Err(USAGE.to_owned()),
    }
}

/// Answers the request on standard input.
fn answer<Request: DeserializeOwned>(compile: impl FnOnce(Request) -> Result<UnitResponse, String>) -> Result<(), String> {
    let text = std::io::read_to_string(std::io::stdin()).map_err(|error| format!("the request cannot be read: {error}"))?;
    let request = serde_json::from_str(&text).map_err(|error| format!("the request cannot be understood: {error}"))?;
    let answer = serde_json::to_string(&compile(request)?).map_err(|error| format!("the answer cannot be written: {error}"))?;
    std::io::stdout().write_all(answer.as_bytes()).map_err(|error| format!("the answer cannot be written: {error}"))
}

/// The value of an option.
fn folder(arguments: &[String], option: &str) -> Result<PathBuf, String> {
    let position = arguments.iter().position(|argument| argument == option);
    position.and_then(|position| arguments.get(position + 1)).map(PathBuf::from).ok_or_else(|| format!("`{option}` is missing\n{USAGE}"))
}
