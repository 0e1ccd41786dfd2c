//! `cargo metal doctor`: what is there, what is missing, and the command that fixes it.
//! It only looks; the findings are data first, so that tests read them without a terminal.

use std::fmt::Write as _;
use std::path::Path;
use std::thread;

use anstyle::{AnsiColor, Style};
use metal_oxide_artifact::{COMPILER_IDENTITY, ToolchainPin};

use crate::Result;
use crate::apple::AppleCompiler;
use crate::compiler;
use crate::host::Host;
use crate::provider::Provider;
use crate::toolchain::Toolchain;

/// The oldest Rust that the runtime crates build with.
const OLDEST_RUST: (u32, u32) = (1, 89);

/// How a finding stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum State {
    /// It is there.
    Good,
    /// It is missing, and something useful does not work without it.
    Optional,
    /// It is missing, and kernels cannot be compiled without it.
    Missing,
}

/// One thing that was looked at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Finding {
    pub state: State,
    pub name: &'static str,
    pub detail: String,
    pub fix: Option<String>,
}

impl Finding {
    fn good(name: &'static str, detail: impl Into<String>) -> Self {
        Self { state: State::Good, name, detail: detail.into(), fix: None }
    }

    fn absent(state: State, name: &'static str, detail: impl Into<String>, fix: impl Into<String>) -> Self {
        Self { state, name, detail: detail.into(), fix: Some(fix.into()) }
    }
}

/// Looks at the machine.
///
/// # Errors
///
/// Fails only if the cache folder is unknown.
pub(crate) fn examine(host: &Host) -> Result<Vec<Finding>> {
    let pin = &host.pin;
    let cache = host.cache()?;
    let toolchain = Toolchain::find(host);
    let compiler = compiler::installed(&cache, COMPILER_IDENTITY, pin, None);
    let mut findings = vec![rust(host), pinned_rust(pin, toolchain.as_ref()), linker(host)];

    let crates = Provider::find(host, &cache);
    findings.push(match &crates {
        Some(provider) => Finding::good("rustc's crates", provider.describe()),
        // An installed compiler that is linked statically does not need them any more.
        None if compiler.is_some() => {
            Finding::absent(State::Optional, "rustc's crates", "gone since the kernel compiler was built", "cargo metal setup")
        }
        None => Finding::absent(State::Missing, "rustc's crates", "not installed", "cargo metal setup"),
    });
    findings.push(match &compiler {
        Some(compiler) => Finding::good("kernel compiler", format!("{COMPILER_IDENTITY}, {}", compiler.program().display())),
        None => Finding::absent(State::Missing, "kernel compiler", format!("{COMPILER_IDENTITY} is not installed"), "cargo metal setup"),
    });
    findings.push(match &compiler {
        Some(compiler) => Finding::good("device `core`", compiler.library().display().to_string()),
        None => Finding::absent(State::Missing, "device `core`", "comes with the kernel compiler", "cargo metal setup"),
    });
    let cxx = cxx(host);
    findings.push(cxx.clone());
    findings.extend(apple(host));
    findings.push(devices(host, cxx.state == State::Good));
    Ok(findings)
}

/// Nothing that kernels need is missing.
pub(crate) fn is_healthy(findings: &[Finding]) -> bool {
    findings.iter().all(|finding| finding.state != State::Missing)
}

/// The findings as a table, with colours that the caller strips where there is no terminal.
pub(crate) fn render(findings: &[Finding]) -> String {
    let width = findings.iter().map(|finding| finding.name.len()).max().unwrap_or(0);
    let mut text = String::new();
    for finding in findings {
        let (mark, colour) = match finding.state {
            State::Good => ("ok     ", AnsiColor::Green),
            State::Optional => ("absent ", AnsiColor::Yellow),
            State::Missing => ("missing", AnsiColor::Red),
        };
        let style = Style::new().fg_color(Some(colour.into()));
        let bold = Style::new().bold();
        writeln!(text, "{style}{mark}{style:#}  {:width$}  {}", finding.name, finding.detail).expect("writing to a string succeeds");
        if let Some(fix) = &finding.fix {
            writeln!(text, "         {:width$}  fix: {bold}{fix}{bold:#}", "").expect("writing to a string succeeds");
        }
    }
    text
}

fn rust(host: &Host) -> Finding {
    let fix = format!("rustup toolchain install {}", host.pin.release);
    let Some(version) = host.ask("rustc", &["-V"]) else {
        return Finding::absent(State::Missing, "Rust", "`rustc` does not run", fix);
    };
    let numbers = version.strip_prefix("rustc ").and_then(|rest| {
        let mut parts = rest.split('.');
        Some((parts.next()?.parse().ok()?, parts.next()?.parse().ok()?))
    });
    if numbers.is_some_and(|numbers: (u32, u32)| numbers >= OLDEST_RUST) {
        return Finding::good("Rust", version);
    }
    let detail = format!("{version}; metal-oxide needs {}.{} or newer", OLDEST_RUST.0, OLDEST_RUST.1);
    Finding::absent(State::Missing, "Rust", detail, fix)
}

fn pinned_rust(pin: &ToolchainPin, toolchain: Option<&Toolchain>) -> Finding {
    match toolchain {
        Some(toolchain) => Finding::good("Rust for kernels", format!("{}, {}", pin.release, toolchain.sysroot.display())),
        None => {
            let detail = format!("Rust {} is not installed; the kernel compiler is built with it", pin.version_line());
            Finding::absent(
                State::Missing,
                "Rust for kernels",
                detail,
                format!("rustup toolchain install {} --profile minimal", pin.release),
            )
        }
    }
}

fn linker(host: &Host) -> Finding {
    match host.find("cc") {
        Some(path) => Finding::good("C compiler", path.display().to_string()),
        None => {
            let fix = if host.macos { "xcode-select --install" } else { "apt-get install build-essential" };
            Finding::absent(State::Missing, "C compiler", "`cc` is not on the search path; Rust links with it", fix)
        }
    }
}

/// The compiler that executes MSL on the CPU: `$CXX`, `clang++` or `g++`.
fn cxx(host: &Host) -> Finding {
    let chosen = host.variable("CXX").map(|value| value.to_string_lossy().into_owned());
    let candidates: Vec<String> = chosen.into_iter().chain(["clang++".into(), "g++".into()]).collect();
    for candidate in &candidates {
        let found = if candidate.contains('/') { Some(candidate.into()) } else { host.find(candidate) };
        let version = found.and_then(|path| {
            let output = host.command(&path).arg("--version").output().ok().filter(|output| output.status.success())?;
            String::from_utf8_lossy(&output.stdout).lines().next().map(str::to_owned)
        });
        if let Some(version) = version {
            return Finding::good("C++ compiler", version);
        }
    }
    let fix = if host.macos { "xcode-select --install" } else { "apt-get install g++" };
    let detail = format!("none of {} runs; METAL_OXIDE_DEVICE=msl needs one", candidates.join(", "));
    Finding::absent(State::Optional, "C++ compiler", detail, fix)
}

fn apple(host: &Host) -> Vec<Finding> {
    if !host.macos {
        return vec![Finding::good("Xcode", "not needed here: kernels compile to MSL, and the Metal framework of a Mac compiles that")];
    }
    let found = AppleCompiler::find(host);
    let xcode = match host.ask("xcode-select", &["-p"]).filter(|folder| Path::new(folder).exists()) {
        Some(folder) if !folder.contains("CommandLineTools") => Finding::good("Xcode", folder),
        _ => absent_apple("Xcode", &found),
    };
    let toolchain = match &found {
        AppleCompiler::Works(version) => Finding::good("Metal Toolchain", version.clone()),
        _ => absent_apple("Metal Toolchain", &found),
    };
    vec![xcode, toolchain]
}

fn absent_apple(name: &'static str, found: &AppleCompiler) -> Finding {
    let (detail, fix) = found.problem().unwrap_or_else(|| ("no developer folder is selected".into(), "xcode-select --install"));
    Finding::absent(State::Optional, name, detail, fix)
}

fn devices(host: &Host, has_cxx: bool) -> Finding {
    let threads = thread::available_parallelism().map_or(1, usize::from);
    let mut devices = vec![format!("cpu ({threads} threads)")];
    if has_cxx {
        devices.push("msl (emitted code on the CPU)".into());
    }
    if host.macos {
        devices.push("metal (with the Metal back ends, which are still to come)".into());
    }
    Finding::good("devices", devices.join(", "))
}
