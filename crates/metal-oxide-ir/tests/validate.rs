//! Runs the validator over modules that break its rules.
//! Each `.ir` file in `validate/` holds cases: `// case: stage`, a module, and a `// problem:` line for each expected problem.
//! `METAL_OXIDE_BLESS=1` rewrites those lines.

use std::path::Path;
use std::{env, fs};

use metal_oxide_ir::text::parse;
use metal_oxide_ir::validate::{Stage, validate};

#[test]
fn problems_are_as_expected() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/validate");
    let bless = env::var_os("METAL_OXIDE_BLESS").is_some();
    let mut files: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    assert!(!files.is_empty());
    for file in files {
        let text = fs::read_to_string(&file).unwrap();
        let found: String = text.split_inclusive("// case: ").map(|case| judged(case, &file)).collect();
        if bless {
            fs::write(&file, found).unwrap();
        } else {
            assert_eq!(text, found, "{}", file.display());
        }
    }
}

/// A case with the problems that the validator finds in it. The text before the first case comes back as it is.
fn judged(case: &str, file: &Path) -> String {
    let (case, next) = case.strip_suffix("// case: ").map_or((case, ""), |case| (case, "// case: "));
    let stage = match case.lines().next() {
        Some("imported") => Stage::Imported,
        Some("optimized") => Stage::Optimized,
        _ => return format!("{case}{next}"),
    };
    let source: String = case.split_inclusive('\n').skip(1).filter(|line| !line.starts_with("// problem:")).collect();
    let module = parse(&source).unwrap_or_else(|error| panic!("{}: {error} in:\n{source}", file.display()));
    let problems: String = match validate(&module, stage) {
        Ok(()) => String::new(),
        Err(problems) => problems.iter().map(|problem| format!("// problem: {problem}\n")).collect(),
    };
    let head = case.lines().next().unwrap_or_default();
    let gap = if next.is_empty() { "" } else { "\n" };
    format!("{head}\n{}\n{problems}{gap}{next}", source.trim_end())
}
