//! Units that are wrong in ways that only this crate sees: what comes back is a diagnostic with a place, never a panic.
//! What users meet most is tested with its whole text in the project's `tests/ui`.
#![feature(rustc_private)]

// See `main.rs`.
extern crate rustc_driver as _;

mod support;

use metal_oxide_artifact::{Diagnostic, UnitResponse};
use metal_oxide_compiler::compile;

const USES: &str = "use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};\n";

/// The diagnostics of a unit whose kernel is `k`; its text starts on line 2.
fn rejected(text: &str) -> Vec<Diagnostic> {
    let request = support::request("kernel.rs", &format!("{USES}{text}"), &["k"]);
    match compile::compile(&request, support::device_library()) {
        Ok(UnitResponse::Rejected(problems)) => problems,
        Ok(UnitResponse::Compiled(result)) => panic!("it compiled:\n{}", result.msl),
        Err(message) => panic!("{message}"),
    }
}

#[track_caller]
fn check(text: &str, code: &str, line: u32) {
    let problems = rejected(text);
    let first = &problems[0];
    let position = first.position.as_ref().unwrap_or_else(|| panic!("{first:#?}"));
    assert_eq!((first.code.as_str(), position.line), (code, line), "{problems:#?}");
    assert_eq!(position.file.to_str(), Some("kernel.rs"));
}

#[test]
fn generic_functions_without_end() {
    let grows = |argument: &str| {
        format!(
            "fn nest<T: Copy>(value: T, depth: u32) -> u32 {{
                if depth > 0 {{ nest({argument}, depth - 1) }} else {{ 3 }}
            }}
            pub fn k(mut out: DisjointBuffer<u32>) {{
                if let Some(out) = out.get_mut(&thread_index()) {{ *out = nest(1u8, *out); }}
            }}"
        )
    };
    check(&grows("(value, 0u8)"), "MO0017", 3);
    check(&grows("(value, value)"), "MO0017", 3);
}

#[test]
fn types_that_no_memory_could_hold() {
    check("pub fn k() {\n let mut all = [1u64; 1 << 61];\n all[3] = 4; core::hint::black_box(&mut all); }", "MO0018", 3);
}

#[test]
fn constants_whose_evaluation_panics() {
    check(
        "fn need<const N: usize>() -> usize { const { assert!(N > 3, \"too small\") } N }
        pub fn k(mut out: DisjointBuffer<u32>) { if let Some(out) = out.get_mut(&thread_index()) { *out = need::<2>() as u32; } }",
        "E0080",
        2,
    );
}

#[test]
fn files_are_not_read() {
    let problems = rejected("pub fn k() { let _ = include_str!(\"kernel.rs\"); }");
    assert!(problems[0].message.contains("cannot read other files"), "{problems:#?}");
    let problems = rejected("mod other;\npub fn k() {}");
    assert_eq!(problems[0].code, "E0583", "{problems:#?}");
}

#[test]
fn kernels_that_are_not_there() {
    let problems = rejected("pub fn other() {}");
    assert_eq!(problems[0].code, "MO0001");
    let problems = rejected("pub mod k {}");
    assert_eq!(problems[0].code, "MO0001");
}

#[test]
fn records_without_a_fixed_layout() {
    check("pub struct Loose { a: u8, b: u32 }\npub fn k(\n  loose: Loose) { let _ = loose.a; let _ = loose.b; }", "MO0005", 4);
    check("pub fn k(pair:\n  (u8, u32, u8)) { let _ = pair; }", "MO0005", 3);
    check("pub enum Loose { A, B }\npub fn k(a: Loose) {}", "MO0005", 3);
}

#[test]
fn variables_that_are_too_large() {
    check(
        "pub fn k(mut out: DisjointBuffer<u32>, n: u32) {
            let mut scratch = [0u32; 100_000];
            for i in 0..n { scratch[(i * 7919 % 100_000) as usize] += i; }
            if let Some(out) = out.get_mut(&thread_index()) { *out = scratch[n as usize % 100_000]; }
        }",
        "MO0019",
        2,
    );
}

#[test]
fn calls_are_shown_from_the_kernel_to_the_place() {
    let problems = rejected(
        "static mut COUNT: u32 = 0;
        fn inner() -> u32 { unsafe { COUNT } }
        fn outer(n: u32) -> u32 { inner() + n }
        pub fn k(mut out: DisjointBuffer<u32>) {
            if let Some(out) = out.get_mut(&thread_index()) { *out = outer(3); }
        }",
    );
    assert_eq!(problems[0].code, "MO0024");
    assert_eq!(problems[0].position.as_ref().map(|position| position.line), Some(3));
    let notes: Vec<_> =
        problems[0].notes.iter().map(|note| (note.message.as_str(), note.position.as_ref().map(|place| place.line))).collect();
    assert!(notes.contains(&("`inner` is called in `outer`", Some(4))), "{notes:?}");
    assert!(notes.contains(&("`outer` is called in `k`", Some(6))), "{notes:?}");
}

#[test]
fn a_damaged_installation_is_not_the_unit() {
    let request = support::request("kernel.rs", "pub fn k() {}", &["k"]);
    let nowhere = std::path::Path::new("no/such/folder");
    let message = compile::compile(&request, nowhere).expect_err("there is no library");
    assert!(message.contains("cargo metal setup"), "{message}");

    let damaged = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("damaged");
    std::fs::create_dir_all(&damaged).expect("the folder can be made");
    for entry in std::fs::read_dir(support::device_library()).expect("the library is there") {
        let path = entry.expect("the entry can be read").path();
        let copy = damaged.join(path.file_name().expect("files have names"));
        match path.file_name().is_some_and(|name| name == "libcore.rmeta") {
            true => std::fs::write(copy, "no metadata").expect("the file can be written"),
            false => drop(std::fs::copy(&path, copy).expect("the file can be copied")),
        }
    }
    let message = compile::compile(&request, &damaged).expect_err("the library is damaged");
    assert!(message.contains("cargo metal setup"), "{message}");
}
