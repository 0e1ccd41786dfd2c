//! `cargo metal`: parses the command line, runs the command, and explains errors with the next step.

use std::process::ExitCode;

use cargo_metal::{Host, cli};

fn main() -> ExitCode {
    cli::main(&Host::current(), std::env::args_os().collect())
}
