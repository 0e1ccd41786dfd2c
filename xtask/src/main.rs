//! The chores of the project: `cargo xtask test` is what a change must pass, the others are parts of it or help with it.

mod compiler;
mod examples;
mod project;
mod report;
mod steps;
mod tidy;

use std::ffi::OsString;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

use crate::project::Project;
use crate::report::{Failed, Report};

#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask", about = "The project's own chores")]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Sets up what the tests need and runs all checks and tests
    Test,
    /// Runs the checks that need no test to run: format, lints, documentation, the Apple side
    Check,
    /// Writes what the text tests got into the files with what they expect, for review
    Bless,
    /// Installs the kernel compiler of these sources; with arguments, runs Cargo in its folder (`cargo xtask compiler test`)
    Compiler {
        /// What Cargo should do there
        #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "CARGO ARGUMENTS")]
        arguments: Vec<OsString>,
    },
    /// Checks the workspace for aarch64-apple-darwin, wherever this machine stands
    Darwin,
}

fn main() -> ExitCode {
    let command = Arguments::parse().command;
    let mut report = Report::new();
    let project = Project::here();
    let outcome = match &command {
        Command::Test => steps::test(&project, &mut report),
        Command::Check => steps::check(&project, &mut report),
        Command::Bless => steps::bless(&project, &mut report),
        Command::Compiler { arguments } => compiler::run(&project, arguments),
        Command::Darwin => steps::darwin(&project, &mut report),
    };
    match outcome {
        Ok(()) if report.is_good() => {
            report.close();
            ExitCode::SUCCESS
        }
        Ok(()) | Err(Failed::Reported) => {
            report.close();
            ExitCode::FAILURE
        }
        Err(Failed::Setup(error)) => {
            eprintln!("error: {error}\n  help: {}", error.help());
            report.close();
            ExitCode::FAILURE
        }
    }
}
