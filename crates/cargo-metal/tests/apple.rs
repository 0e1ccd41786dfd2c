//! What a Mac lacks is told apart: nothing selected, only the command line tools, Xcode without its Metal Toolchain.
//! "Missing Metal Toolchain" confuses everybody who has one of the other two problems.
#![cfg(unix)]

mod support;

use cargo_metal::AppleCompiler;
use support::Machine;

/// A Mac whose selected developer folder has this name; `metal` is what its compiler does.
fn mac(developer_folder: Option<&str>, metal: &str) -> Machine {
    let mut machine = Machine::new();
    machine.host.macos = true;
    if let Some(name) = developer_folder {
        let folder = machine.root().join(name);
        std::fs::create_dir_all(&folder).expect("a folder");
        machine.program("xcode-select", &format!("echo {}", folder.display()));
    }
    machine.program("xcrun", metal);
    machine
}

#[track_caller]
fn check(machine: &Machine, problem: &str, fix: &str) {
    let (found_problem, found_fix) = AppleCompiler::find(&machine.host).problem().expect("there is a problem");
    assert!(found_problem.contains(problem), "{found_problem}");
    assert!(found_fix.contains(fix), "{found_fix}");
}

#[test]
fn nothing_is_selected() {
    check(&mac(None, "exit 1"), "no developer folder is selected", "xcode-select -s");
}

#[test]
fn only_the_command_line_tools_are_selected() {
    check(&mac(Some("CommandLineTools"), "exit 1"), "only the command line tools", "install Xcode");
}

#[test]
fn the_metal_toolchain_is_missing() {
    check(&mac(Some("Xcode.app"), "exit 1"), "its Metal Toolchain is not installed", "xcodebuild -downloadComponent MetalToolchain");
}

#[test]
fn all_is_well() {
    let machine = mac(Some("Xcode.app"), "echo 'Apple metal version 32023'; echo more");
    assert_eq!(AppleCompiler::find(&machine.host), AppleCompiler::Works("Apple metal version 32023".into()));
}

#[test]
fn setup_downloads_the_metal_toolchain() {
    let machine = mac(Some("Xcode.app"), "test -e $FAKE/toolchain-is-there").with_working_rustup();
    machine.program("xcodebuild", "touch $FAKE/toolchain-is-there");
    machine.setup().expect("setup works");
    assert!(machine.take_calls().iter().any(|call| call == "xcodebuild -downloadComponent MetalToolchain"));
}

#[test]
fn setup_works_without_the_metal_toolchain() {
    let machine = mac(Some("CommandLineTools"), "exit 1").with_working_rustup();
    machine.setup().expect("the Metal framework can compile kernels too");
}
