//! The commands as a user types them, on a machine that exists only in a temporary folder.
#![cfg(unix)]

mod support;

use std::process::Output;

use cargo_metal::{Error, cli};
use support::{Machine, count, metadata};

fn text(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

fn run(machine: &Machine, arguments: &[&str]) -> (bool, String) {
    let output = machine.cargo_metal(arguments).output().expect("it starts");
    (output.status.success(), text(&output))
}

#[test]
fn the_doctor_of_an_empty_machine_names_every_fix() {
    let machine = Machine::new();
    for program in ["rustc", "cargo", "cc"] {
        machine.remove_program(program);
    }
    let (healthy, text) = run(&machine, &["doctor"]);
    assert!(!healthy);
    for expected in [
        "missing  Rust ",
        "fix: rustup toolchain install 1.95.0",
        "missing  Rust for kernels",
        "missing  C compiler",
        "fix: apt-get install build-essential",
        "missing  rustc's crates",
        "missing  kernel compiler",
        "fix: cargo metal setup",
        "absent   C++ compiler",
        "fix: apt-get install g++",
        "devices           cpu (",
    ] {
        assert!(text.contains(expected), "the report lacks `{expected}`:\n{text}");
    }
    assert!(!text.contains('\u{1b}'), "colours are for terminals:\n{text}");
}

#[test]
fn the_doctor_of_a_machine_after_setup_is_content() {
    let machine = Machine::new().with_working_rustup();
    machine.program("g++", "echo 'g++ (Fake) 1.0'");
    let (worked, text) = run(&machine, &["setup"]);
    assert!(worked, "{text}");
    let (healthy, text) = run(&machine, &["doctor"]);
    assert!(healthy && !text.contains("missing") && !text.contains("fix:"), "{text}");
    assert!(text.contains("g++ (Fake) 1.0") && text.contains("msl"), "{text}");
}

#[test]
fn an_old_rust_is_too_old_for_the_runtime() {
    let machine = Machine::new();
    machine.program("rustc", "echo 'rustc 1.70.0 (aaaaaaaaa 2023-06-01)'");
    let (_, text) = run(&machine, &["doctor"]);
    assert!(text.contains("metal-oxide needs 1.89 or newer"), "{text}");
}

#[test]
fn cargo_gets_its_arguments_as_they_are() {
    let machine = Machine::new().with_working_rustup();
    for (arguments, expected) in [
        (&["run", "--release", "-p", "mandelbrot"][..], "cargo run --release -p mandelbrot"),
        (&["metal", "run", "--", "--help", "-p"], "cargo run -- --help -p"),
        (&["test", "--", "--validate"], "cargo test -- --validate"),
        (&["build"], "cargo build"),
    ] {
        let (worked, text) = run(&machine, arguments);
        let calls = machine.take_calls();
        assert!(worked && calls.iter().any(|call| call.trim() == expected), "{arguments:?} became {calls:#?}\n{text}");
    }
}

#[test]
fn setup_comes_before_cargo_and_only_once() {
    let machine = Machine::new().with_working_rustup();
    run(&machine, &["build"]);
    assert_eq!(count(&machine.take_calls(), "rustup component add"), 1, "the first command sets up");
    run(&machine, &["build"]);
    let calls = machine.take_calls();
    assert_eq!(calls.len(), 2, "only Cargo itself is started: {calls:#?}");
}

#[test]
fn options_of_a_later_stage_are_refused_before_anything_happens() {
    let machine = Machine::new();
    for arguments in [&["run", "--validate"][..], &["test", "--capture", "x.gputrace"]] {
        let (worked, text) = run(&machine, arguments);
        assert!(!worked && text.contains("is not available"), "{text}");
    }
    assert_eq!(machine.take_calls(), [] as [String; 0]);
}

#[test]
fn a_project_with_another_version_is_told_which_program_it_needs() {
    let mut machine = Machine::new();
    machine.host.checkout = None;
    machine.note("metadata.json", &metadata(&[("metal-oxide", "9.8.7", "/registry/metal-oxide")]));
    let error = cli::run(&machine.host, &["cargo-metal".into(), "build".into()]).expect_err("the versions differ");
    assert!(matches!(error, Error::OtherVersion { .. }), "{error}");
    assert_eq!(error.help(), "run `cargo install cargo-metal --version =9.8.7 --locked`");
}

#[test]
fn unknown_commands_and_options_are_refused() {
    let machine = Machine::new();
    for arguments in [&["frobnicate"][..], &["setup", "--frobnicate"], &["inspect", "--emit", "air"]] {
        let (worked, text) = run(&machine, arguments);
        assert!(!worked && text.contains("error:"), "{text}");
    }
}

#[test]
fn an_error_comes_with_its_next_step() {
    let machine = Machine::new();
    machine.remove_program("cc");
    let (worked, text) = run(&machine, &["setup"]);
    assert!(!worked && text.starts_with("error: no C compiler") && text.contains("\n  help: install a C compiler"), "{text}");
}

#[test]
fn explanations() {
    let machine = Machine::new();
    let (worked, text) = run(&machine, &["explain", "mo0000"]);
    assert!(worked && text.starts_with("# MO0000: "), "{text}");
    let (worked, text) = run(&machine, &["explain", "MO9999"]);
    assert!(!worked && text.contains("explained codes: MO0000"), "{text}");
}

#[test]
fn cleaning() {
    let machine = Machine::new().with_working_rustup();
    run(&machine, &["setup"]);
    let cache = machine.cache();
    std::fs::create_dir_all(cache.compiler("old").root()).expect("a folder");
    let (worked, text) = run(&machine, &["clean"]);
    assert!(worked && text.contains("removed 1 kernel compilers"), "{text}");
    assert!(cache.compilers().exists() && !cache.compiler("old").root().exists());
    let (worked, text) = run(&machine, &["clean", "--all"]);
    assert!(worked && !cache.root().exists(), "{text}");
}
