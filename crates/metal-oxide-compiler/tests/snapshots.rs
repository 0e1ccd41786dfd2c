//! What a few small kernels are imported as, before any pass: `snapshots/NAME.rs` becomes `snapshots/NAME.ir`.
//! `METAL_OXIDE_BLESS=1` writes what is there now; read the difference before committing it.
#![feature(rustc_private)]

// See `main.rs`.
extern crate rustc_driver as _;

mod support;

use std::path::Path;

use metal_oxide_artifact::{Quantity, Relation, RelationOperator};
use metal_oxide_compiler::unit;
use metal_oxide_ir::text;
use metal_oxide_ir::validate::{Stage, validate};

fn check(name: &str, requires: Vec<Relation>) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/snapshots");
    let source = std::fs::read_to_string(folder.join(format!("{name}.rs"))).expect("the kernel is there");
    let mut request = support::request(&format!("{name}.rs"), &source, &[name]);
    request.kernels[0].requires = requires;
    let imported = unit::import_unit(&request, support::device_library()).unwrap_or_else(|failure| panic!("{failure:#?}"));
    assert_eq!(validate(&imported.module, Stage::Imported), Ok(()));
    let actual = text::print(&imported.module);
    let snapshot = folder.join(format!("{name}.ir"));
    if std::env::var_os("METAL_OXIDE_BLESS").is_some() {
        std::fs::write(&snapshot, &actual).expect("the snapshot can be written");
    }
    let expected = std::fs::read_to_string(&snapshot).unwrap_or_default();
    assert!(actual == expected, "the import of `{name}` has changed; METAL_OXIDE_BLESS=1 accepts it:\n{actual}");
}

#[test]
fn vec_add() {
    let length = |index| Quantity::Length(index);
    let equal = |left, right| Relation { text: String::new(), operator: RelationOperator::Equal, left: length(left), right: length(right) };
    check("vec_add", vec![equal(0, 2), equal(1, 2)]);
}

#[test]
fn products_in_requires_are_exact() {
    let product = Quantity::Multiply(Box::new(Quantity::Value(1)), Box::new(Quantity::Value(2)));
    let relation = Relation { text: String::new(), operator: RelationOperator::LessEqual, left: product, right: Quantity::Length(0) };
    check("area", vec![relation]);
}

#[test]
fn enums_are_tags_and_payloads() {
    check("shapes", Vec::new());
}

#[test]
fn failures_are_where_rust_reports_them() {
    check("failures", Vec::new());
}
