//! What rust-analyzer gets: the expansion by its own macro server, spoken to in its protocol.
//! Passes without a test where the toolchain has no such server.

mod support;

use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{Command, Stdio};

use proc_macro2::{Delimiter, Spacing, TokenStream, TokenTree};
use serde_json::{Value, json};
use support::{KERNEL, Package, newest};

/// The version of the protocol that the tables below are written in.
const PROTOCOL: u64 = 6;

fn server() -> Option<PathBuf> {
    let output = Command::new("rustc").args(["--print", "sysroot"]).output().expect("rustc starts");
    let sysroot = String::from_utf8(output.stdout).expect("is UTF-8");
    let server = PathBuf::from(sysroot.trim()).join("libexec/rust-analyzer-proc-macro-srv");
    server.is_file().then_some(server)
}

/// Expands an attribute as rust-analyzer does. `None` if that cannot be tried here.
fn expand(package: &Package, attribute: &str, item: &str) -> Option<String> {
    let server = server()?;
    // The build makes the macros, and their own compilation of this very package shows that it works outside of an editor.
    package.accepted();
    let starts = package.starts();
    let mut command = Command::new(server);
    package.prepare(&mut command);
    command.env("RUST_ANALYZER_INTERNALS_DO_NOT_USE", "this is unstable").current_dir(package.path(""));
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("the server starts");
    let mut requests = child.stdin.take().expect("is piped");
    let mut answers = BufReader::new(child.stdout.take().expect("is piped"));
    let mut ask = |request: Value| {
        writeln!(requests, "{request}").expect("the server listens");
        let mut answer = String::new();
        answers.read_line(&mut answer).expect("the server answers");
        serde_json::from_str::<Value>(&answer).expect("answers are JSON")
    };
    let version = ask(json!({ "ApiVersionCheck": {} }));
    let answer = (version["ApiVersionCheck"] == PROTOCOL).then(|| {
        ask(json!({ "ExpandMacro": {
            "lib": newest("libmetal_oxide_macros-", &["so", "dylib"]),
            "env": [["CARGO_MANIFEST_DIR", package.path("")]],
            "current_dir": package.path(""),
            "macro_body": flatten(item.parse().expect("lexes")),
            "macro_name": attribute,
            "attributes": flatten(TokenStream::new()),
        }}))
    });
    drop(requests);
    child.wait().expect("the server ends");
    let answer = answer?;
    assert_eq!(package.starts(), starts, "the expansion started the compiler");
    assert!(answer["ExpandMacro"]["Ok"].is_object(), "{answer}");
    Some(text(&answer["ExpandMacro"]["Ok"], 0))
}

/// A token stream in the form of the protocol: tables of numbers, breadth first.
fn flatten(tokens: TokenStream) -> Value {
    let (mut literals, mut puncts, mut idents) = (Vec::new(), Vec::<u32>::new(), Vec::new());
    let (mut subtrees, mut children, mut texts) = (Vec::new(), Vec::new(), Vec::new());
    let mut groups = vec![(Delimiter::None, tokens)];
    let mut next = 0;
    while next < groups.len() {
        let (delimiter, tokens) = groups[next].clone();
        next += 1;
        let start = children.len();
        for token in tokens {
            let mut intern = |text: String| {
                texts.push(text);
                texts.len() as u32 - 1
            };
            children.push(match token {
                TokenTree::Group(group) => {
                    groups.push((group.delimiter(), group.stream()));
                    (groups.len() as u32 - 1) << 2
                }
                TokenTree::Literal(literal) => {
                    // Kind 2 is an integer, and there is no suffix.
                    literals.extend([0, intern(literal.to_string()), 2, u32::MAX]);
                    (literals.len() as u32 / 4 - 1) << 2 | 1
                }
                TokenTree::Punct(punct) => {
                    puncts.extend([0, punct.as_char() as u32, u32::from(punct.spacing() == Spacing::Joint)]);
                    (puncts.len() as u32 / 3 - 1) << 2 | 2
                }
                TokenTree::Ident(ident) => {
                    idents.extend([0, intern(ident.to_string()), 0]);
                    (idents.len() as u32 / 3 - 1) << 2 | 3
                }
            });
        }
        let kind = match delimiter {
            Delimiter::None => 0,
            Delimiter::Parenthesis => 1,
            Delimiter::Brace => 2,
            Delimiter::Bracket => 3,
        };
        subtrees.extend([0, 0, kind, start, children.len()]);
    }
    json!({ "subtree": subtrees, "literal": literals, "punct": puncts, "ident": idents, "token_tree": children, "text": texts })
}

/// The text of a subtree, one space between tokens.
fn text(tree: &Value, subtree: usize) -> String {
    let number = |table: &str, index: usize| tree[table][index].as_u64().expect("tables hold numbers") as usize;
    let string = |index: usize| tree["text"][index].as_str().expect("texts are strings").to_owned();
    let tokens = (number("subtree", subtree * 5 + 3)..number("subtree", subtree * 5 + 4)).map(|child| {
        let child = number("token_tree", child);
        let index = child >> 2;
        match child & 3 {
            0 => text(tree, index),
            1 => string(number("literal", index * 4 + 1)),
            2 => char::from_u32(number("punct", index * 3 + 1) as u32).expect("is a character").to_string(),
            _ => string(number("ident", index * 3 + 1)),
        }
    });
    let inner = tokens.collect::<Vec<_>>().join(" ");
    match number("subtree", subtree * 5 + 2) {
        1 => format!("( {inner} )"),
        2 => format!("{{ {inner} }}"),
        3 => format!("[ {inner} ]"),
        _ => inner,
    }
}

#[test]
fn a_kernel_is_its_launch_function() {
    let package = Package::new(KERNEL);
    let Some(expansion) = expand(&package, "kernel", "pub fn zero(n: u32, mut out: DisjointBuffer<f32>) { let _ = &mut out; }") else {
        return;
    };
    let signature = "pub fn zero < ArgOut : : : metal_oxide : : ArgumentFor < fn ( DisjointBuffer < f32 > ) > >";
    assert!(expansion.contains(signature), "{expansion}");
    assert!(expansion.contains("Unit : : missing (  )"), "{expansion}");
}

#[test]
fn code_that_is_being_typed_is_left_alone() {
    let package = Package::new(KERNEL);
    let Some(expansion) = expand(&package, "kernel", "pub fn zero(n: u32) -> u32 { n + 1 }") else { return };
    assert_eq!(expansion, "pub fn zero ( n : u32 ) - > u32 { n + 1 }");
}

#[test]
fn a_module_has_its_launch_functions() {
    let package = Package::new(KERNEL);
    let Some(expansion) = expand(&package, "kernels", "mod m { struct S { x: f32 } #[kernel] fn k(n: u32) {} }") else { return };
    assert!(expansion.contains("fn k < > ( device : & : : metal_oxide : : Device"), "{expansion}");
    assert!(!expansion.contains("compile_error"), "{expansion}");
}
