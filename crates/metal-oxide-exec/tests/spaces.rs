//! The check of address spaces: it accepts every text of the other tests, and rejects each way of mixing spaces.
//! It needs Clang; where there is none, these tests have nothing to do.

mod support;

use std::ffi::OsString;
use std::fs;
use std::path::Path;

use metal_oxide_exec::{Compiler, ExecError, check_address_spaces};

fn clang() -> Option<Compiler> {
    Compiler::find(|name| if name == "CXX" { Some(OsString::from("clang++")) } else { std::env::var_os(name) }).ok()
}

#[test]
fn valid_texts_are_accepted() {
    let Some(clang) = clang() else { return };
    let mut problems = Vec::new();
    for entry in fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/texts")).expect("the folder is there") {
        let path = entry.expect("it can be read").path();
        let text = fs::read_to_string(&path).expect("the file can be read");
        if let Err(error) = check_address_spaces(&clang, support::cache(), &text) {
            problems.push(format!("{}: {error}", path.display()));
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

#[test]
fn mixed_spaces_are_rejected() {
    let Some(clang) = clang() else { return };
    let around = |body: &str| {
        format!(
            "#include <metal_stdlib>\nusing namespace metal;\nstruct Record {{ uint value; }};\nconstant uint table[2] = {{1, 2}};\n\
             static void write(thread uint *p) {{ *p = 1; }}\nstatic void share(threadgroup Record &record) {{ record.value = 1; }}\n\
             kernel void k(device uint *out [[buffer(0)]], constant Record &args [[buffer(1)]], device atomic_uint *a [[buffer(2)]])\n\
             {{\n    threadgroup uint tile[4];\n    threadgroup Record shared;\n    uint own[2] = {{0, 0}};\n    uint expected = 0;\n    {body}\n}}\n"
        )
    };
    let accepted = [
        "write(own);",
        "share(shared);",
        "device uint *p = out + 1; *p = table[0];",
        "constant uint *p = table; out[0] = *p + args.value;",
        "threadgroup uint *p = &tile[1]; *p = own[1];",
        "atomic_compare_exchange_weak_explicit(a, &expected, 1u, memory_order_relaxed, memory_order_relaxed);",
    ];
    for body in accepted {
        check_address_spaces(&clang, support::cache(), &around(body)).unwrap_or_else(|error| panic!("{body}: {error}"));
    }
    let rejected = [
        "write(out);",
        "write(tile);",
        "device uint *p = own;",
        "thread uint *p = out;",
        "threadgroup uint *p = out;",
        "device uint *p = (device uint *)own;",
        "constant uint *p = out;",
        "device const uint *p = table;",
        "table[0] = 1;",
        "args.value = 1;",
        "Record own_record; share(own_record);",
        "thread atomic_uint *p = a;",
        "atomic_uint mine; atomic_fetch_add_explicit(&mine, 1u, memory_order_relaxed);",
    ];
    for body in rejected {
        let result = check_address_spaces(&clang, support::cache(), &around(body));
        assert!(matches!(result, Err(ExecError::Rejected { .. })), "{body} gives {result:?}");
    }
}

#[test]
fn a_compiler_without_address_spaces_says_so() {
    let gcc = Compiler::find(|name| if name == "CXX" { Some(OsString::from("g++")) } else { std::env::var_os(name) });
    if let Ok(gcc) = gcc
        && gcc.version().is_some_and(|version| !version.contains("clang"))
    {
        let result = check_address_spaces(&gcc, support::cache(), "#include <metal_stdlib>\n");
        assert!(matches!(result, Err(ExecError::Unsuitable { .. })), "{result:?}");
    }
}
