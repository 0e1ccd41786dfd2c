//! What `cargo metal setup` does on machines of different kinds, when it is repeated, interrupted or started twice.
#![cfg(unix)]

mod support;

use std::fs;
use std::process::Stdio;
use std::thread;
use std::time::{Duration, Instant};

use cargo_metal::SetupOptions;
use metal_oxide_artifact::COMPILER_IDENTITY;
use support::{Machine, count, metadata};

#[test]
fn rustup_is_the_first_choice() {
    let machine = Machine::new().with_working_rustup();
    let done = machine.setup().expect("setup works");
    assert!(!done.was_complete && done.compiler.program().exists() && done.compiler.library().join("libcore.rmeta").exists());
    let calls = machine.take_calls();
    assert_eq!(count(&calls, "rustup component add --toolchain 1.95.0 rustc-dev rust-src"), 1, "{calls:#?}");
    assert_eq!(count(&calls, "apt-get"), 0, "{calls:#?}");
    assert!(count(&calls, "-rpath,") > 0, "the compiler must find rustc's shared library: {calls:#?}");
}

#[test]
fn rustup_installs_a_release_that_it_does_not_know_by_its_number() {
    let machine = Machine::new().with_working_rustup();
    let script = std::fs::read_to_string(machine.root().join("bin/rustup")).expect("a script");
    let body = script.split_once("case $1 in which)").expect("it answers `which`").1;
    machine.program("rustup", &format!("if [ $1 = which ] && [ ! -e $FAKE/toolchain/lib ]; then exit 1; fi\ncase $1 in which){body}"));
    machine.setup().expect("setup works");
    let calls = machine.take_calls();
    let expected = "rustup toolchain install 1.95.0 --profile minimal --no-self-update --component rustc-dev --component rust-src";
    assert_eq!(count(&calls, expected), 1, "{calls:#?}");
}

#[test]
fn the_package_is_used_where_rustup_cannot_help() {
    for machine in [Machine::new(), Machine::new().with_broken_rustup()] {
        let done = machine.setup().expect("setup works");
        assert!(done.compiler.program().exists());
        let calls = machine.take_calls();
        assert_eq!(count(&calls, "download rust-src=1.95.0+dfsg1-2~bpo13+1"), 1, "{calls:#?}");
        assert!(count(&calls, "-Ldependency=") > 0, "{calls:#?}");
        let list = fs::read_to_string(machine.cache().apt().join("sources.list")).expect("a sources list");
        let keyring = machine.host.keyring.display();
        assert_eq!(list, format!("deb [signed-by={keyring}] http://mirror.test/debian trixie-backports main\n"));
    }
}

#[test]
fn the_second_time_starts_nothing() {
    let machine = Machine::new();
    machine.setup().expect("setup works");
    machine.take_calls();
    assert!(machine.setup().expect("setup works").was_complete);
    assert_eq!(machine.take_calls(), [] as [String; 0]);
}

#[test]
fn given_sources_need_no_network() {
    let machine = Machine::new();
    for program in ["apt-get", "dpkg-deb"] {
        machine.remove_program(program);
    }
    let sources = machine.unpacked_sources("1.95.0");
    let options = SetupOptions { rustc_sources: Some(&sources) };
    machine.setup_with(options).expect("setup works");
    assert!(machine.setup_with(options).expect("setup works").was_complete);
    assert!(machine.setup().expect("setup works").was_complete, "a compiler from given sources is as good as any");
}

#[test]
fn a_changed_compiler_reuses_what_did_not_change() {
    let machine = Machine::new();
    machine.setup().expect("setup works");
    machine.take_calls();
    // As after an edit: this identity is gone, another one is there.
    let cache = machine.cache();
    fs::rename(cache.compiler(COMPILER_IDENTITY).root(), cache.compiler("other").root()).expect("it was there");
    let done = machine.setup().expect("setup works");
    let calls = machine.take_calls();
    assert_eq!(count(&calls, "apt-get") + count(&calls, "dpkg-deb"), 0, "{calls:#?}");
    assert_eq!(count(&calls, "/rustc/1.95.0-"), 2, "only flags may name rustc's crates: {calls:#?}");
    assert_eq!(fs::read_to_string(done.compiler.library().join("notes")).expect("notes"), "core was there\n");
}

#[test]
fn the_published_sources_are_used_outside_a_checkout() {
    let mut machine = Machine::new();
    machine.host.checkout = None;
    let folder = |name: &str| machine.root().join("registry").join(name).display().to_string();
    let (compiler, device) = (folder("metal-oxide-compiler"), folder("metal-oxide-device"));
    let version = env!("CARGO_PKG_VERSION");
    fs::create_dir_all(&compiler).expect("a folder");
    machine.note("metadata.json", &metadata(&[("metal-oxide-compiler", version, &compiler), ("metal-oxide-device", version, &device)]));
    machine.setup().expect("setup works");
    let calls = machine.take_calls();
    assert!(count(&calls, &format!("in {compiler}, flags: -L")) > 0, "{calls:#?}");
    let manifest = machine.cache().root().join("compiler-source").join(version).join("Cargo.toml");
    let text = fs::read_to_string(manifest).expect("a manifest");
    assert!(text.contains(&format!("metal-oxide-compiler = \"={version}\"")), "{text}");
}

#[test]
fn old_compilers_are_removed() {
    let machine = Machine::new();
    let cache = machine.cache();
    for name in ["a", "b", "c", "d", "e"] {
        fs::create_dir_all(cache.compiler(name).root()).expect("a folder");
        thread::sleep(Duration::from_millis(5));
    }
    machine.setup().expect("setup works");
    let mut names: Vec<String> = fs::read_dir(cache.compilers())
        .expect("a folder")
        .map(|entry| entry.expect("an entry").file_name().into_string().unwrap())
        .collect();
    names.sort();
    assert_eq!(names, [COMPILER_IDENTITY, "c", "d", "e"]);
}

#[test]
fn an_interrupted_build_goes_on_without_downloading_again() {
    let machine = Machine::new().with_broken_rustup();
    machine.note("cargo.fails", "interrupted");
    machine.setup_error();
    machine.forget_note("cargo.fails");
    machine.take_calls();
    machine.setup().expect("setup works");
    let calls = machine.take_calls();
    assert_eq!(count(&calls, "apt-get") + count(&calls, "dpkg-deb") + count(&calls, "rustup component"), 0, "{calls:#?}");
}

#[test]
fn half_unpacked_sources_are_not_taken_for_whole_ones() {
    let machine = Machine::new();
    machine.program("dpkg-deb", "mkdir -p $3/usr/src/rustc-1.95.0; exit 2");
    machine.setup_error();
    assert!(!machine.cache().rustc_sources(&machine.host.pin).exists());
    let repaired = Machine::new();
    fs::copy(repaired.root().join("bin/dpkg-deb"), machine.root().join("bin/dpkg-deb")).expect("a copy");
    machine.take_calls();
    machine.setup().expect("setup works");
    assert_eq!(count(&machine.take_calls(), "apt-get"), 0, "the package was whole");
}

#[test]
fn a_damaged_download_is_fetched_again() {
    let machine = Machine::new();
    let downloads = machine.cache().downloads();
    fs::create_dir_all(&downloads).expect("a folder");
    fs::write(downloads.join("rust-src_1.95.0+dfsg1-2~bpo13+1_all.deb"), "the sour").expect("a file");
    machine.setup().expect("setup works");
}

#[test]
fn two_processes_at_once_build_once() {
    let machine = Machine::new();
    thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| machine.setup().expect("setup works"));
        }
    });
    let calls = machine.take_calls();
    assert_eq!(count(&calls, "download rust-src"), 1, "{calls:#?}");
    assert_eq!(count(&calls, "cargo build --release --bin metal-oxide-compiler --message-format"), 1, "{calls:#?}");
}

#[test]
fn a_killed_setup_leaves_nothing_in_the_way() {
    let machine = Machine::new().with_working_rustup();
    machine.note("cargo.hangs", "");
    let mut child = machine.cargo_metal(&["setup"]).stderr(Stdio::null()).spawn().expect("it starts");
    let deadline = Instant::now() + Duration::from_secs(20);
    while !machine.root().join("cargo.started").exists() {
        assert!(Instant::now() < deadline, "setup did not come to the build");
        thread::sleep(Duration::from_millis(10));
    }
    child.kill().expect("it runs");
    child.wait().expect("it ends");
    machine.forget_note("cargo.hangs");

    let output = machine.cargo_metal(&["setup"]).output().expect("it starts");
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && text.contains(&format!("{COMPILER_IDENTITY} is installed")), "{text}");
    assert!(!text.contains("waiting"), "the lock went with the process: {text}");
}
