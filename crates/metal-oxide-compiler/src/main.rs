//! The kernel compiler's command line, which the macros and `cargo metal` start.
//! Answers go to standard output; any exit status but zero is an internal error, explained on standard error.

#![feature(rustc_private)]

// rustc's library holds the standard library too. A program that does not name it would link a second one.
extern crate rustc_driver as _;

use std::path::PathBuf;
use std::process::ExitCode;

use metal_oxide_artifact::{COMPILER_IDENTITY, ToolchainPin};

use metal_oxide_compiler::library::{self, LibraryRequest};

const USAGE: &str = "usage: metal-oxide-compiler unit --library DIR < request.json
       metal-oxide-compiler library --source DIR --device DIR --out DIR
       metal-oxide-compiler version";

fn main() -> ExitCode {
    // SAFETY: no other thread exists yet, so none reads the environment meanwhile.
    unsafe { std::env::set_var("RUSTC_BOOTSTRAP", "1") };
    let arguments: Vec<String> = std::env::args().skip(1).collect();
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

/// The value of an option.
fn folder(arguments: &[String], option: &str) -> Result<PathBuf, String> {
    let position = arguments.iter().position(|argument| argument == option);
    position.and_then(|position| arguments.get(position + 1)).map(PathBuf::from).ok_or_else(|| format!("`{option}` is missing\n{USAGE}"))
}
