//! The command line: its options, and the few lines between them and the modules that do the work.

use std::ffi::OsString;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use anstyle::{AnsiColor, Style};
use clap::{Parser, Subcommand};
use metal_oxide_artifact::COMPILER_IDENTITY;

use crate::host::Host;
use crate::inspect::{Emit, inspect};
use crate::lock::CacheLock;
use crate::pass_on::pass_on;
use crate::progress::Progress;
use crate::setup::{SetupOptions, setup};
use crate::{Error, Result, compiler, doctor, explain};

#[derive(Parser)]
#[command(name = "cargo metal", bin_name = "cargo metal", version, about = "Rust kernels for Apple GPUs: set up, build, run, inspect")]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Installs the kernel compiler and what it needs
    Setup {
        /// Unpacked sources of the pinned Rust release to build rustc's crates from
        #[arg(long, value_name = "DIR")]
        rustc_src: Option<PathBuf>,
        /// Shows no progress
        #[arg(short, long)]
        quiet: bool,
    },
    /// Says what is there, what is missing and the command that fixes it
    Doctor,
    /// Runs `cargo build` after setup
    Build(CargoArguments),
    /// Runs `cargo run` after setup
    Run(CargoArguments),
    /// Runs `cargo test` after setup
    Test(CargoArguments),
    /// Prints the code that was generated for kernels
    Inspect {
        /// Only this kernel's unit
        kernel: Option<String>,
        /// The package that holds the kernels
        #[arg(short, long)]
        package: Option<String>,
        /// The form to print
        #[arg(long, value_enum)]
        emit: Emit,
    },
    /// Explains a diagnostic
    Explain {
        /// The code, such as MO0012
        code: String,
    },
    /// Removes kernel compilers of other versions
    Clean {
        /// Removes the whole cache, with rustc's crates
        #[arg(long)]
        all: bool,
    },
}

/// Arguments that go to Cargo as they are.
#[derive(clap::Args)]
struct CargoArguments {
    /// What `cargo` takes there
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "CARGO ARGUMENTS")]
    arguments: Vec<OsString>,
}

/// Runs the command line (the program's name comes first) and prints what went wrong.
#[must_use]
pub fn main(host: &Host, mut arguments: Vec<OsString>) -> ExitCode {
    // Cargo starts `cargo-metal metal setup` for `cargo metal setup`.
    if arguments.get(1).is_some_and(|argument| argument == "metal") {
        arguments.remove(1);
    }
    match run(host, &arguments) {
        Ok(code) => code,
        Err(error) => {
            let (red, bold) = (Style::new().bold().fg_color(Some(AnsiColor::Red.into())), Style::new().bold());
            anstream::eprintln!("{red}error{red:#}: {error}");
            let mut cause = std::error::Error::source(&error);
            while let Some(reason) = cause {
                anstream::eprintln!("  because: {reason}");
                cause = reason.source();
            }
            anstream::eprintln!("  {bold}help{bold:#}: {}", error.help());
            ExitCode::FAILURE
        }
    }
}

/// Runs the command line without the word `metal` and without printing errors.
///
/// # Errors
///
/// Fails as the command does.
pub fn run(host: &Host, arguments: &[OsString]) -> Result<ExitCode> {
    let progress = Progress::for_standard_error();
    // clap would take a `--` that belongs to Cargo for its own.
    if let Some(subcommand) = arguments.get(1).and_then(|name| name.to_str())
        && matches!(subcommand, "build" | "run" | "test")
        && !arguments.get(2).is_some_and(|argument| argument == "--help" || argument == "-h")
    {
        return pass_on(host, subcommand, &arguments[2..], &progress);
    }
    match Arguments::parse_from(arguments).command {
        Command::Setup { rustc_src, quiet } => {
            let progress = if quiet { Progress::silent() } else { progress };
            run_setup(host, rustc_src, &progress)
        }
        Command::Doctor => {
            let findings = doctor::examine(host)?;
            print(&doctor::render(&findings))?;
            Ok(if doctor::is_healthy(&findings) { ExitCode::SUCCESS } else { ExitCode::FAILURE })
        }
        Command::Build(rest) => pass_on(host, "build", &rest.arguments, &progress),
        Command::Run(rest) => pass_on(host, "run", &rest.arguments, &progress),
        Command::Test(rest) => pass_on(host, "test", &rest.arguments, &progress),
        Command::Inspect { kernel, package, emit } => {
            print(&inspect(host, package.as_deref(), kernel.as_deref(), emit, &progress)?)?;
            Ok(ExitCode::SUCCESS)
        }
        Command::Explain { code } => {
            print(explain::explain(&code)?)?;
            Ok(ExitCode::SUCCESS)
        }
        Command::Clean { all } => clean(host, all, &progress),
    }
}

fn run_setup(host: &Host, rustc_sources: Option<PathBuf>, progress: &Progress) -> Result<ExitCode> {
    let done = setup(host, SetupOptions { rustc_sources: rustc_sources.as_deref() }, progress)?;
    let state = if done.was_complete { "is installed already" } else { "is installed" };
    progress.say(&format!("the kernel compiler {COMPILER_IDENTITY} {state}: {}", done.compiler.root().display()));
    Ok(ExitCode::SUCCESS)
}

fn clean(host: &Host, all: bool, progress: &Progress) -> Result<ExitCode> {
    let cache = host.cache()?;
    let _lock = CacheLock::acquire(&cache.lock_file(), progress)?;
    if all {
        crate::fetch::remove_folder(cache.root())?;
        progress.say(&format!("removed {}", cache.root().display()));
    } else {
        let removed = compiler::remove_others(&cache, COMPILER_IDENTITY)?;
        progress.say(&format!("removed {removed} kernel compilers of other versions"));
    }
    Ok(ExitCode::SUCCESS)
}

/// Prints to standard output; a reader that has seen enough is no error.
fn print(text: &str) -> Result<()> {
    let mut stdout = anstream::stdout().lock();
    match stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()) {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => Err(Error::io("write to", "standard output".as_ref())(error)),
        _ => Ok(()),
    }
}
