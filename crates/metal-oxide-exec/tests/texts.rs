//! Runs the kernels of `tests/texts/*.metal` as the comments in each file say, with every compiler of the machine.
//! `case.rs` beside the support code describes the comments.

mod support;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use metal_oxide_artifact::KernelEntry;
use metal_oxide_exec::Options;
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
        let mut groups: Vec<(Options, Vec<&Case>)> = Vec::new();
        for case in &cases {
            match groups.iter_mut().find(|(options, _)| *options == case.options) {
                Some((_, group)) => group.push(case),
                None => groups.push((case.options, vec![case])),
            }
        }
        for compiler in &compilers {
            for (options, group) in &groups {
                // One library for all launches of one way of compiling; several launches of a kernel share its entry.
                let entries: BTreeMap<String, KernelEntry> =
                    group.iter().map(|case| case.entry()).map(|entry| (entry.entry.clone(), entry)).collect();
                let entries: Vec<KernelEntry> = entries.into_values().collect();
                let library = support::compile(compiler, &text, &entries, options);
                for case in group {
                    if let Err(problem) = case.run(&library) {
                        failures.push(format!("{}:{} with {}: {problem}", path.display(), case.line, compiler.command()));
                    }
                }
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}
