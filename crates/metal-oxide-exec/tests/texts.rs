//! Runs the kernels of `tests/texts/*.metal` as the comments in each file say, with every compiler of the machine.
//! `case.rs` beside the support code describes the comments.

mod support;

use std::fs;
use std::path::Path;

use support::case::Case;

#[test]
fn texts_do_what_their_comments_say() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/texts");
    let mut paths: Vec<_> = fs::read_dir(folder).expect("the folder is there").map(|entry| entry.expect("it can be read").path()).collect();
    paths.sort();
    let compilers = support::compilers();
    let mut failures = Vec::new();
    for path in paths {
        let text = fs::read_to_string(&path).expect("the file can be read");
        let cases = Case::all_of(&text);
        assert!(!cases.is_empty(), "{} says nothing to run", path.display());
        for compiler in &compilers {
            for case in &cases {
                if let Err(problem) = case.run(&text, compiler) {
                    failures.push(format!("{}:{} with {}: {problem}", path.display(), case.line, compiler.command()));
                }
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}
