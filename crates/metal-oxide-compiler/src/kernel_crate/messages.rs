//! Reads what Cargo prints in JSON: where it put the crate's metadata, and what rustc had against the code.

use std::path::{Path, PathBuf};

use metal_oxide_artifact::{Diagnostic, DiagnosticNote, Position};
use serde_json::Value;

/// What Cargo's messages say.
#[derive(Debug, Default)]
pub struct Messages {
    /// The metadata of the crate of kernels.
    pub metadata: Option<PathBuf>,
    /// rustc's errors, those about the user's own packages first.
    pub errors: Vec<Diagnostic>,
}

/// rustc's code for a crate that is not there.
const NO_CRATE: &str = "E0463";

/// How many lines of Cargo's own errors are worth showing.
const SHOWN_LINES: usize = 20;

impl Messages {
    /// Reads Cargo's standard output. `name` is the crate's name in Rust code.
    pub fn read(output: &[u8], name: &str) -> Self {
        let mut found = Self::default();
        let values = output.split(|&byte| byte == b'\n').filter_map(|line| serde_json::from_slice::<Value>(line).ok());
        for value in values {
            match value["reason"].as_str() {
                Some("compiler-artifact") => found.artifact(&value, name),
                Some("compiler-message") => found.message(&value),
                _ => {}
            }
        }
        found
    }

    fn artifact(&mut self, value: &Value, name: &str) {
        let crate_name = value["target"]["name"].as_str().unwrap_or_default().replace('-', "_");
        let is_host =
            value["target"]["kind"].as_array().is_some_and(|kinds| kinds.iter().any(|kind| kind == "proc-macro" || kind == "custom-build"));
        if crate_name != name || is_host {
            return;
        }
        let files = value["filenames"].as_array().into_iter().flatten().filter_map(Value::as_str).map(PathBuf::from);
        // The crate asked for comes last; a dependency may have the same name.
        if let Some(metadata) = files.rev().find(|file| file.extension().is_some_and(|extension| extension == "rmeta")) {
            self.metadata = Some(metadata);
        }
    }

    fn message(&mut self, value: &Value) {
        let message = &value["message"];
        if message["level"] != "error" || text(message, "message").starts_with("aborting due to") {
            return;
        }
        let package = package_name(value);
        let error = match missing_library(message) {
            Some(library) => lacks_library(&package, &library, message),
            None => convert(message),
        };
        if !self.errors.contains(&error) {
            self.errors.push(error);
        }
    }
}

/// A diagnostic for a build that failed without rustc's having an objection.
pub fn cargo_failed(name: &str, output: &str) -> Diagnostic {
    let lines: Vec<_> = output.lines().collect();
    let shown = lines[lines.len().saturating_sub(SHOWN_LINES)..].join("\n  ");
    let mut diagnostic = plain("MO0051", format!("Cargo cannot build the crate `{name}` for the device\n  {shown}"));
    if output.contains("--offline was specified") || output.contains("--frozen was passed") || output.contains("--locked") {
        diagnostic.notes.push(help("run `cargo fetch`, which downloads what the dependencies need on every platform, the GPU included"));
    }
    diagnostic
}

/// A diagnostic that speaks of no place.
pub fn plain(code: &str, message: String) -> Diagnostic {
    Diagnostic { code: code.to_owned(), message, position: None, label: String::new(), notes: Vec::new() }
}

fn help(message: &str) -> DiagnosticNote {
    DiagnosticNote { level: "help".to_owned(), message: message.to_owned(), position: None }
}

fn package_name(value: &Value) -> String {
    value["target"]["name"].as_str().unwrap_or_default().to_owned()
}

/// The library that a crate needs and the device has not.
fn missing_library(message: &Value) -> Option<String> {
    if message["code"]["code"] != NO_CRATE {
        return None;
    }
    let named = text(message, "message").split('`').nth(1)?.to_owned();
    ["std", "alloc", "proc_macro", "test"].contains(&named.as_str()).then_some(named)
}

fn lacks_library(package: &str, library: &str, message: &Value) -> Diagnostic {
    let (what, remedy) = match library {
        "alloc" => {
            ("allocates memory", "a feature of the crate may be what needs memory on the heap: try it with `default-features = false`")
        }
        _ => (
            "uses the standard library",
            "most crates that work without it have a feature `std` that is on by default: set `default-features = false`",
        ),
    };
    let mut diagnostic = plain("MO0052", format!("the crate `{package}` {what}, which the GPU does not have"));
    diagnostic.position = primary(message).and_then(position);
    diagnostic.label = format!("needs `{library}`");
    diagnostic.notes.push(help(remedy));
    diagnostic
}

/// One of rustc's errors.
fn convert(message: &Value) -> Diagnostic {
    let mut notes = Vec::new();
    for span in spans(message).filter(|span| span["is_primary"] != true) {
        if let Some(label) = span["label"].as_str() {
            notes.push(DiagnosticNote { level: "note".to_owned(), message: label.to_owned(), position: position(span) });
        }
    }
    for child in message["children"].as_array().into_iter().flatten() {
        let level = if child["level"] == "help" { "help" } else { "note" };
        notes.push(DiagnosticNote {
            level: level.to_owned(),
            message: text(child, "message"),
            position: primary(child).and_then(position),
        });
    }
    Diagnostic {
        code: message["code"]["code"].as_str().unwrap_or_default().to_owned(),
        message: text(message, "message"),
        position: primary(message).and_then(position),
        label: primary(message).and_then(|span| span["label"].as_str()).unwrap_or_default().to_owned(),
        notes,
    }
}

fn spans(message: &Value) -> impl Iterator<Item = &Value> {
    message["spans"].as_array().into_iter().flatten()
}

fn primary(message: &Value) -> Option<&Value> {
    spans(message).find(|span| span["is_primary"] == true)
}

fn position(span: &Value) -> Option<Position> {
    let number = |name: &str| span[name].as_u64().and_then(|number| u32::try_from(number).ok());
    Some(Position {
        file: Path::new(span["file_name"].as_str()?).to_path_buf(),
        line: number("line_start")?,
        column: number("column_start")?,
        end_line: number("line_end")?,
        end_column: number("column_end")?,
    })
}

fn text(message: &Value, name: &str) -> String {
    message[name].as_str().unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn read(values: &[Value]) -> Messages {
        let lines: Vec<String> = values.iter().map(Value::to_string).collect();
        Messages::read(lines.join("\n").as_bytes(), "my_kernels")
    }

    #[test]
    fn the_crates_metadata_is_found_among_that_of_others() {
        let artifact = |name: &str, kind: &str, file: &str| json!({ "reason": "compiler-artifact", "target": { "name": name, "kind": [kind] }, "filenames": [file] });
        let found = read(&[
            artifact("libm", "lib", "/t/deps/liblibm-1.rmeta"),
            artifact("my-kernels", "lib", "/t/deps/libmy_kernels-2.rmeta"),
            artifact("my-kernels", "proc-macro", "/t/deps/libmy_kernels-3.so"),
            json!({ "reason": "build-finished", "success": true }),
        ]);
        assert_eq!(found.metadata, Some("/t/deps/libmy_kernels-2.rmeta".into()));
    }

    #[test]
    fn errors_of_rustc_are_converted() {
        let found = read(&[json!({ "reason": "compiler-message", "target": { "name": "my-kernels" }, "message": {
            "level": "error", "message": "cannot find function `f` in this scope", "code": { "code": "E0425" },
            "spans": [{ "file_name": "kernels/src/lib.rs", "line_start": 3, "line_end": 3, "column_start": 5, "column_end": 6, "is_primary": true, "label": "not found" }],
            "children": [{ "level": "help", "message": "consider importing it", "spans": [] }],
        }})]);
        let error = &found.errors[0];
        assert_eq!((error.code.as_str(), error.label.as_str()), ("E0425", "not found"));
        assert_eq!(error.position.as_ref().map(|position| (position.line, position.end_column)), Some((3, 6)));
        assert_eq!(error.notes[0].level, "help");
    }

    #[test]
    fn a_crate_that_needs_std_is_named() {
        let found = read(&[json!({ "reason": "compiler-message", "target": { "name": "regex" }, "message": {
            "level": "error", "message": "can't find crate for `std`", "code": { "code": "E0463" }, "spans": [], "children": [],
        }})]);
        assert_eq!(found.errors[0].code, "MO0052");
        assert_eq!(found.errors[0].message, "the crate `regex` uses the standard library, which the GPU does not have");
    }
}
