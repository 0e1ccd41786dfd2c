//! What users read when a kernel is rejected: by the macro itself, by the kernel compiler, or because the compiler failed.
//! Builds real packages with a stand-in for the compiler that answers as the test says.

mod support;

use metal_oxide_artifact::{Diagnostic, DiagnosticNote, Position, UnitResponse};
use support::{KERNEL, Package};

/// Builds a package with this `src/main.rs` that must be rejected.
#[track_caller]
fn check(main: &str, expected: &str) {
    let package = Package::new(main);
    assert_eq!(package.rejected(), expected.trim());
    assert_eq!(package.starts(), 0, "the macro rejects it without the compiler");
}

/// Builds a package with this `src/main.rs`, for which the compiler reports these.
#[track_caller]
fn check_report(main: &str, diagnostics: Vec<Diagnostic>, expected: &str) {
    let package = Package::new(main);
    package.answer(&serde_json::to_string(&UnitResponse::Rejected(diagnostics)).expect("serialises"));
    assert_eq!(package.rejected(), expected.trim());
}

fn at(line: u32, columns: std::ops::Range<u32>) -> Option<Position> {
    Some(Position { file: "src/main.rs".into(), line, column: columns.start, end_line: line, end_column: columns.end })
}

fn diagnostic(code: &str, message: &str, position: Option<Position>) -> Diagnostic {
    Diagnostic { code: code.into(), message: message.into(), position, label: String::new(), notes: Vec::new() }
}

const SUM: &str = "\
use metal_oxide::device::{DisjointBuffer, ReadBuffer};

/// Adds.
#[metal_oxide::kernel(requires(a.len() == out.len()))]
pub fn sum(a: ReadBuffer<f32>, mut out: DisjointBuffer<f32>) {
    let total: f32 = a.as_slice().iter().sum();
    let _ = (&mut out, total);
}

fn main() {}
";

#[test]
fn a_diagnostic_shows_at_its_tokens() {
    let note = |level: &str, message: &str, position| DiagnosticNote { level: level.into(), message: message.into(), position };
    let reported = Diagnostic {
        label: "this call".into(),
        notes: vec![note("note", "reached from here", at(5, 8..11)), note("help", "use a loop", None)],
        ..diagnostic("MO0012", "a kernel cannot recurse", at(6, 22..47))
    };
    check_report(
        SUM,
        vec![reported],
        "
error: a kernel cannot recurse [MO0012]
       this call
       note: reached from here (src/main.rs:5:8)
       help: use a loop
 --> src/main.rs:6:22
  |
6 |     let total: f32 = a.as_slice().iter().sum();
  |                      ^^^^^^^^^^^^^^^^^^^^^^^^^
",
    );
}

#[test]
fn a_place_elsewhere_is_spelt_out() {
    let elsewhere = Position { file: "/core/src/slice.rs".into(), line: 10, column: 5, end_line: 10, end_column: 9 };
    check_report(
        SUM,
        vec![diagnostic("MO0013", "memory cannot be allocated", Some(elsewhere)), diagnostic("MO0014", "the kernel is too large", None)],
        "
error: memory cannot be allocated [MO0013] (/core/src/slice.rs:10:5)
 --> src/main.rs:5:8
  |
5 | pub fn sum(a: ReadBuffer<f32>, mut out: DisjointBuffer<f32>) {
  |        ^^^

error: the kernel is too large [MO0014]
 --> src/main.rs:5:8
  |
5 | pub fn sum(a: ReadBuffer<f32>, mut out: DisjointBuffer<f32>) {
  |        ^^^
",
    );
}

#[test]
fn a_missing_helper_is_told_where_to_go() {
    check_report(
        "
fn double(x: f32) -> f32 { 2.0 * x }

#[metal_oxide::kernel]
pub fn k(x: f32) {
    double(x);
}

fn main() {}
",
        vec![diagnostic("E0425", "cannot find function `double` in this scope", at(6, 5..11))],
        "
error: cannot find function `double` in this scope [E0425]
       help: a `#[metal_oxide::kernel]` function sees `metal_oxide::device` and `core` only: move the item and the kernel into a `#[metal_oxide::kernels]` module
 --> src/main.rs:6:5
  |
6 |     double(x);
  |     ^^^^^^
",
    );
}

#[test]
fn a_type_error_is_shown_once() {
    check_report(
        "
#[metal_oxide::kernel]
pub fn k(x: f32) {
    let _: u32 = x;
}

fn main() {}
",
        vec![diagnostic("E0308", "mismatched types", at(4, 18..19))],
        "
error: the kernel `k` could not be compiled because of errors in the Rust code
       mismatched types [E0308] (src/main.rs:4:18)
 --> src/main.rs:3:8
  |
3 | pub fn k(x: f32) {
  |        ^

error[E0308]: mismatched types
 --> src/main.rs:4:18
  |
4 |     let _: u32 = x;
  |            ---   ^ expected `u32`, found `f32`
  |            |
  |            expected due to this

For more information about this error, try `rustc --explain E0308`.
",
    );
}

#[test]
fn a_broken_compiler_is_reported_as_such() {
    for (answer, details) in [
        ("crash", "it was ended by signal 6"),
        ("fail", "it ended with exit status 101\n         thread 'main' panicked at src/import.rs:1:1:\n         no such type"),
        ("babble", "it gave an answer that cannot be read: expected value at line 1 column 1"),
        ("{\"rejected\": []}", "it gave an answer that rejects the kernel without a reason"),
    ] {
        let package = Package::new(KERNEL);
        package.answer(answer);
        let expected = format!(
            "error: the kernel compiler failed on `zero` [MO0000]\n       {details}\n       note: this is a defect of metal-oxide, not of your \
             code; please report it together with the kernel\n --> src/main.rs:4:8\n"
        );
        let text = package.rejected();
        assert!(text.starts_with(&expected), "{text}");
        assert!(!package.path("metal").exists());
    }
}

#[test]
fn clauses_of_requires_are_checked() {
    check(
        "
use metal_oxide::device::ReadBuffer;

#[metal_oxide::kernel(requires(n - 1 < a.len(), a.len() as u32 == n))]
pub fn k(a: ReadBuffer<f32>, n: u32) {
    let _ = (a, n);
}

fn main() {}
",
        "
error: `requires` has no subtraction: add to the other side, as in `i + 1 <= a.len()` for `i <= a.len() - 1` [MO0041]
 --> src/main.rs:4:34
  |
4 | #[metal_oxide::kernel(requires(n - 1 < a.len(), a.len() as u32 == n))]
  |                                  ^

error: `requires` needs no casts: all quantities are exact integers, and no sum or product can overflow [MO0041]
 --> src/main.rs:4:57
  |
4 | #[metal_oxide::kernel(requires(n - 1 < a.len(), a.len() as u32 == n))]
  |                                                         ^^
",
    );
}

#[test]
fn signatures_are_checked() {
    check(
        "
#[metal_oxide::kernel]
pub fn k(a: &[f32]) -> f32 {
    a[0]
}

fn main() {}
",
        "
error: a kernel returns nothing: every thread writes its results to a buffer, such as a `DisjointBuffer<f32>` [MO0042]
 --> src/main.rs:3:24
  |
3 | pub fn k(a: &[f32]) -> f32 {
  |                        ^^^
",
    );
}

#[test]
fn attributes_belong_on_the_right_items() {
    check(
        "
#[metal_oxide::kernel]
pub struct S;

#[metal_oxide::kernels]
fn k() {}

#[metal_oxide::kernels]
mod without {
    fn helper() {}
}

fn main() {}
",
        "
error: `#[kernel]` belongs on a function [MO0040]
 --> src/main.rs:3:1
  |
3 | pub struct S;
  | ^^^^^^^^^^^^^

error: `#[kernels]` belongs on a module; the attribute for a function is `#[metal_oxide::kernel]` [MO0040]
 --> src/main.rs:6:1
  |
6 | fn k() {}
  | ^^

error: the module has no kernels: mark the functions to launch with `#[kernel]` [MO0040]
 --> src/main.rs:9:5
  |
9 | mod without {
  |     ^^^^^^^
",
    );
}

#[test]
fn a_kernel_from_a_macro_has_no_place() {
    check(
        "
macro_rules! kernel {
    ($name:ident) => {
        #[metal_oxide::kernel]
        pub fn $name(x: f32) {
            let _ = x;
        }
    };
}

kernel!(k);

fn main() {}
",
        "
error: the code of `k` comes from a macro: a kernel stands in a source file, where its errors can point [MO0044]
  --> src/main.rs:11:9
   |
11 | kernel!(k);
   |         ^
",
    );
}

#[test]
fn records_need_a_fixed_layout() {
    check(
        "
#[metal_oxide::kernels]
mod m {
    #[derive(Clone, Copy)]
    pub struct Size {
        pub width: u32,
    }

    #[kernel]
    pub fn k(size: Size) {
        let _ = size;
    }
}

fn main() {}
",
        "
error: `Size` is passed to kernels, so the order of its fields has to be fixed: put `#[repr(C)]` on it [MO0043]
 --> src/main.rs:5:16
  |
5 |     pub struct Size {
  |                ^^^^
",
    );
}

#[test]
fn names_that_only_the_host_knows_are_shown_in_full() {
    check_report(
        "
macro_rules! twice {
    ($x:expr) => {
        $x + $x
    };
}

#[metal_oxide::kernel]
pub fn k(x: f32) {
    let _ = twice!(x.cbrt());
}

fn main() {}
",
        vec![
            diagnostic("", "cannot find macro `twice` in this scope", at(10, 13..18)),
            diagnostic("E0599", "no method named `cbrt` found for type `f32` in the current scope", at(10, 22..26)),
        ],
        "
error: cannot find macro `twice` in this scope
       help: a `#[metal_oxide::kernel]` function sees `metal_oxide::device` and `core` only: move the item and the kernel into a `#[metal_oxide::kernels]` module
  --> src/main.rs:10:13
   |
10 |     let _ = twice!(x.cbrt());
   |             ^^^^^

error: no method named `cbrt` found for type `f32` in the current scope [E0599]
  --> src/main.rs:10:22
   |
10 |     let _ = twice!(x.cbrt());
   |                      ^^^^
",
    );
}

#[test]
fn a_rejected_kernel_is_the_only_thing_that_is_wrong() {
    check_report(
        "
#[metal_oxide::kernel]
pub fn k(x: f64) {
    let _ = x;
}

fn main() -> metal_oxide::Result<()> {
    let config = metal_oxide::LaunchConfig::<1>::for_elements(1)?;
    let _launch: metal_oxide::Launch<f64> = k(&metal_oxide::Device::cpu(), config, 1.0);
    Ok(())
}
",
        vec![diagnostic("MO0005", "the parameter `x` of the kernel `k` cannot be passed to the GPU", at(3, 13..16))],
        "
error: the parameter `x` of the kernel `k` cannot be passed to the GPU [MO0005]
 --> src/main.rs:3:13
  |
3 | pub fn k(x: f64) {
  |             ^^^
",
    );
}

#[test]
fn a_module_that_is_not_understood_is_one_error() {
    check(
        "
#[metal_oxide::kernels]
mod m {
    #[kernel(requires(n < 2))]
    pub fn k(n: u32) -> u32 {
        n
    }

    mod inner {
        #[kernel]
        fn k() {}
    }
}

fn main() {}
",
        "
error: a kernel returns nothing: every thread writes its results to a buffer, such as a `DisjointBuffer<f32>` [MO0042]
 --> src/main.rs:5:25
  |
5 |     pub fn k(n: u32) -> u32 {
  |                         ^^^
",
    );
}
