//! Runs the pass tests: each file in `tests/passes` names passes, and holds a module and what they make of it.
//! `METAL_OXIDE_BLESS=1` rewrites what is expected.

use std::fs;
use std::path::{Path, PathBuf};

use metal_oxide_ir::analysis::call_graph;
use metal_oxide_ir::passes;
use metal_oxide_ir::text::{parse, print};
use metal_oxide_ir::validate::{Stage, validate};

const SEPARATOR: &str = "// ----\n";

fn files() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/passes");
    let entries = fs::read_dir(folder).expect("the folder of pass tests can be read");
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry can be read").path()).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "ir"));
    files.sort();
    files
}

fn names(input: &str) -> Vec<&str> {
    let line = input.lines().find_map(|line| line.strip_prefix("// pass: ")).expect("a line says `// pass: ` and names passes");
    line.split(',').map(str::trim).collect()
}

fn transform(input: &str) -> String {
    let mut module = parse(input).unwrap_or_else(|error| panic!("{error}"));
    for name in names(input) {
        for function in call_graph::bottom_up(&module) {
            let pass = passes::find(name, &module).unwrap_or_else(|| panic!("there is no pass {name}"));
            passes::run_on(&mut module, function, pass.as_ref());
        }
        if let Err(problems) = validate(&module, Stage::Imported) {
            panic!("after {name}: {problems:#?}\n{}", print(&module));
        }
    }
    print(&module)
}

#[test]
fn passes_make_what_is_expected() {
    let bless = std::env::var_os("METAL_OXIDE_BLESS").is_some();
    let mut failures = Vec::new();
    for path in files() {
        let text = fs::read_to_string(&path).expect("a test can be read");
        let (input, expected) = text.split_once(SEPARATOR).unwrap_or((&text, ""));
        let Ok(actual) = std::panic::catch_unwind(|| transform(input)) else {
            failures.push(format!("{} panicked", path.display()));
            continue;
        };
        if actual == expected {
            continue;
        }
        if bless {
            let input = input.trim_end();
            fs::write(&path, format!("{input}\n\n{SEPARATOR}{actual}")).expect("a test can be written");
        } else {
            failures.push(format!("{}\n--- expected\n{expected}\n--- actual\n{actual}", path.display()));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
}
