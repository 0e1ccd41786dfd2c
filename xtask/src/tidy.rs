//! Checks what no lint knows: every source file says in its first line what it is for, and none grows out of hand.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

/// Longer files hold more than one concept.
const MOST_LINES: usize = 900;

/// Checks the sources of every crate. The text lists what is wrong.
pub fn check(root: &Path) -> Result<String, String> {
    let mut files = Vec::new();
    for group in ["crates", "examples", "tests"] {
        let crates = fs::read_dir(root.join(group)).into_iter().flatten().flatten().map(|entry| entry.path());
        for path in crates {
            collect(&path.join("src"), &mut files);
            collect_folder(&path.join("tests"), &mut files);
        }
    }
    collect(&root.join("xtask/src"), &mut files);
    files.sort();
    let problems: String = files.iter().filter_map(|path| problem(root, path)).collect();
    if problems.is_empty() { Ok(String::new()) } else { Err(problems) }
}

fn problem(root: &Path, path: &Path) -> Option<String> {
    let text = fs::read_to_string(path).ok()?;
    let name = path.strip_prefix(root).unwrap_or(path).display();
    let mut problems = String::new();
    if !text.starts_with("//!") {
        writeln!(problems, "{name}: does not begin with a `//!` that says what the file is for").expect("writing to a string succeeds");
    }
    let lines = text.lines().count();
    if lines > MOST_LINES {
        writeln!(problems, "{name}: has {lines} lines, more than {MOST_LINES}").expect("writing to a string succeeds");
    }
    (!problems.is_empty()).then_some(problems)
}

/// Every Rust file in a folder and the folders in it.
fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for path in fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()) {
        if path.is_dir() {
            collect(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
}

/// The Rust files of a folder, but not of the folders in it: those hold programs to compile, not parts of the project.
fn collect_folder(folder: &Path, files: &mut Vec<PathBuf>) {
    let paths = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    files.extend(paths.filter(|path| path.extension().is_some_and(|extension| extension == "rs")));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nameless_and_endless_files_are_found() {
        let root = tempfile::tempdir().expect("a temporary folder");
        let source = root.path().join("crates/x/src/deep");
        fs::create_dir_all(&source).expect("a folder");
        fs::write(source.join("good.rs"), "//! Good.\n").expect("a file");
        assert_eq!(check(root.path()), Ok(String::new()));
        fs::write(source.join("bad.rs"), "\n".repeat(901)).expect("a file");
        let problems = check(root.path()).expect_err("there is a bad file");
        assert_eq!(problems.lines().count(), 2, "{problems}");
        assert!(problems.contains("crates/x/src/deep/bad.rs: has 901 lines"), "{problems}");
    }
}
