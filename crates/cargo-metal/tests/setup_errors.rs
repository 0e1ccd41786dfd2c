//! What `cargo metal setup` says when something is missing: each message names the problem, each help the next step.
#![cfg(unix)]

mod support;

use cargo_metal::{Error, SetupOptions};
use support::Machine;

/// Checks the message and the help.
#[track_caller]
fn check(error: &Error, message: &str, help: &str) {
    let text = error.to_string();
    assert!(text.contains(message), "the message lacks `{message}`: {text}");
    assert!(error.help().contains(help), "the help lacks `{help}`: {}", error.help());
}

#[test]
fn no_rust() {
    let machine = Machine::new();
    machine.program("rustc", "echo 'rustc 1.90.0 (aaaaaaaaa 2025-01-01)'; echo 'host: fake'");
    check(&machine.setup_error(), "Rust 1.95.0 is not installed", "rustup toolchain install 1.95.0");
}

#[test]
fn rust_that_rustup_cannot_download() {
    let machine = Machine::new().with_broken_rustup();
    machine.remove_program("rustc");
    check(&machine.setup_error(), "Rust 1.95.0 could not be downloaded", "network");
}

#[test]
fn no_linker() {
    let machine = Machine::new();
    machine.remove_program("cc");
    check(&machine.setup_error(), "`cc` is not on the search path", "build-essential");
    assert!(machine.take_calls().iter().all(|call| !call.starts_with("apt-get")), "nothing is downloaded in vain");
}

#[test]
fn no_package_tools() {
    for program in ["apt-get", "dpkg-deb"] {
        let machine = Machine::new();
        machine.remove_program(program);
        check(&machine.setup_error(), &format!("`{program}` is not there"), "--rustc-src DIR");
    }
}

#[test]
fn no_mirror() {
    let mut machine = Machine::new();
    machine.host.apt_folder = machine.root().join("nowhere");
    check(&machine.setup_error(), "no Debian mirror is configured", "--rustc-src DIR");
}

#[test]
fn no_keyring() {
    let mut machine = Machine::new();
    machine.host.keyring = machine.root().join("nowhere.gpg");
    check(&machine.setup_error(), "signing keys", "debian-archive-keyring");
}

#[test]
fn no_network() {
    let machine = Machine::new();
    machine.program("apt-get", "echo \"E: Failed to fetch: Could not resolve 'mirror.test'\" >&2; exit 100");
    check(&machine.setup_error(), "could not be downloaded", "check the network");
}

#[test]
fn no_network_for_cargo() {
    let machine = Machine::new();
    machine.note("cargo.fails", "error: failed to download from `somewhere`\nCould not resolve host: somewhere");
    check(&machine.setup_error(), "a dependency of rustc's crates could not be downloaded", "it continues where it stopped");
}

#[test]
fn a_mirror_without_the_package() {
    let machine = Machine::new();
    machine.program("apt-get", "case \"$*\" in *download*) echo \"E: Version '1.95.0' for 'rust-src' was not found\" >&2; exit 100;; esac");
    check(&machine.setup_error(), "do not have rust-src 1.95.0+dfsg1-2~bpo13+1", "--rustc-src DIR");
}

#[test]
fn another_package_than_the_pinned_one() {
    let mut machine = Machine::new();
    machine.host.pin.package.sha256 = "0".repeat(64);
    let error = machine.setup_error();
    check(&error, "is damaged: its SHA-256 is", "again to download it anew");
    assert!(error.to_string().contains(&"0".repeat(64)));
}

#[test]
fn a_disk_that_would_be_full() {
    let mut machine = Machine::new();
    machine.host.free_space = |_| Ok(1 << 30);
    check(&machine.setup_error(), "1024 MB are free", "METAL_OXIDE_CACHE");
}

#[test]
fn a_disk_that_fills_up() {
    let machine = Machine::new();
    machine.program("dpkg-deb", "echo 'dpkg-deb: error: cannot write: No space left on device' >&2; exit 2");
    check(&machine.setup_error(), "not enough disk space", "free some space");

    let machine = Machine::new();
    machine.note("cargo.fails", "error: could not write output: No space left on device (os error 28)");
    check(&machine.setup_error(), "not enough disk space", "it continues where it stopped");

    let machine = Machine::new();
    machine.program("apt-get", "echo 'E: You don'\"'\"'t have enough free space in /x/.' >&2; exit 100");
    check(&machine.setup_error(), "not enough disk space", "free some space");

    let machine = Machine::new();
    machine.program("rustup", "echo 'error: No space left on device' >&2; exit 1");
    check(&machine.setup_error(), "not enough disk space", "free some space");
}

#[test]
fn a_build_that_fails_shows_its_end_and_names_the_log() {
    let machine = Machine::new();
    let lines: Vec<String> = (0..100).map(|line| format!("warning {line}")).collect();
    machine.note("cargo.fails", &(lines.join("\n") + "\nerror: it does not compile\n"));
    let error = machine.setup_error();
    check(&error, "rustc's crates could not be built", "build.log");
    assert!(error.to_string().contains("error: it does not compile") && !error.to_string().contains("warning 3\n"), "{error}");
}

#[test]
fn sources_that_changed_after_this_program_was_built() {
    let machine = Machine::new();
    machine.note("identity", "0.0.0-edited\n1.95.0\n");
    check(&machine.setup_error(), "the kernel compiler's sources make 0.0.0-edited", "builds it first");
    assert!(!machine.cache().compiler(metal_oxide_artifact::COMPILER_IDENTITY).root().exists());
}

#[test]
fn given_sources_of_another_release() {
    let machine = Machine::new();
    let sources = machine.unpacked_sources("1.94.1");
    let error = machine.setup_with(SetupOptions { rustc_sources: Some(&sources) }).expect_err("it is another release");
    check(&error, "holds the sources of Rust 1.94.1, but the kernel compiler is built from 1.95.0", "rustc-1.95.0-src.tar.xz");
}

#[test]
fn given_sources_that_are_none() {
    let machine = Machine::new();
    let error = machine.setup_with(SetupOptions { rustc_sources: Some(machine.root()) }).expect_err("it is something else");
    check(&error, "does not hold the sources of rustc: src/version is missing", "rust-src");
    let nowhere = machine.root().join("nowhere");
    machine.setup_with(SetupOptions { rustc_sources: Some(&nowhere) }).expect_err("it does not exist");
}

#[test]
fn no_place_for_the_cache() {
    let mut machine = Machine::new();
    machine.host.variables.retain(|name, _| name == "PATH");
    check(&machine.setup_error(), "METAL_OXIDE_CACHE", "set METAL_OXIDE_CACHE");
}

#[test]
fn a_version_that_was_never_published() {
    let mut machine = Machine::new();
    machine.host.checkout = None;
    machine.program("cargo", "case \"$*\" in *metadata*) echo 'error: no matching package named `metal-oxide-compiler` found' >&2; exit 101;; *graph*) echo '{\"units\":[]}';; esac");
    check(&machine.setup_error(), "the sources of the kernel compiler", "cargo install cargo-metal");
}
