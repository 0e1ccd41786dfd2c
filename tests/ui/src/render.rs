//! Renders diagnostics the way rustc shows them, without colours.

use std::path::Path;

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};
use metal_oxide_artifact::{Diagnostic, Position};

/// The text of all diagnostics of one file.
pub fn render(diagnostics: &[Diagnostic], file: &Path, source: &str) -> String {
    diagnostics.iter().map(|diagnostic| render_one(diagnostic, file, source) + "\n\n").collect::<String>().trim_end().to_owned() + "\n"
}

fn render_one(diagnostic: &Diagnostic, file: &Path, source: &str) -> String {
    let mut title = Level::ERROR.primary_title(diagnostic.message.as_str());
    if !diagnostic.code.is_empty() {
        title = title.id(diagnostic.code.as_str());
    }
    let mut group = Group::with_title(title);
    if let Some(position) = &diagnostic.position {
        group = group.element(snippet(position, &diagnostic.label, AnnotationKind::Primary, file, source));
    }
    let mut report = vec![group];
    for note in &diagnostic.notes {
        let level = if note.level == "help" { Level::HELP } else { Level::NOTE };
        match &note.position {
            Some(position) => {
                let title = level.secondary_title(note.message.as_str());
                report.push(Group::with_title(title).element(snippet(position, "", AnnotationKind::Context, file, source)));
            }
            None => {
                let last = report.pop().expect("the report starts with the error itself");
                report.push(last.element(level.message(note.message.as_str())));
            }
        }
    }
    Renderer::plain().render(&report)
}

/// The lines of a position. Other files than the case are named without their text: they differ between machines.
fn snippet<'a>(
    position: &'a Position,
    label: &'a str,
    kind: AnnotationKind,
    file: &Path,
    source: &'a str,
) -> Snippet<'a, annotate_snippets::Annotation<'a>> {
    if position.file != file {
        return Snippet::source("").path(position.file.to_string_lossy().into_owned());
    }
    let start = offset(source, position.line, position.column);
    let end = offset(source, position.end_line, position.end_column).max(start);
    let annotation = kind.span(start..end);
    let annotation = if label.is_empty() { annotation } else { annotation.label(label) };
    Snippet::source(source).path(position.file.to_string_lossy().into_owned()).annotation(annotation)
}

/// The byte offset of a line and column, both from 1; columns count characters.
fn offset(source: &str, line: u32, column: u32) -> usize {
    let start: usize = source.split_inclusive('\n').take(line as usize - 1).map(str::len).sum();
    let text = source[start..].split('\n').next().unwrap_or_default();
    start + text.chars().take(column as usize - 1).map(char::len_utf8).sum::<usize>()
}
