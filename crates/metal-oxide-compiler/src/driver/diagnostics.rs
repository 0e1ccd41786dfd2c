//! Collects what rustc has to say about a unit as diagnostics of this project.
//! Nothing is printed: the caller decides who renders them.

use std::sync::{Arc, Mutex};

use metal_oxide_artifact::{Diagnostic, DiagnosticNote, Position};
use rustc_errors::emitter::Emitter;
use rustc_errors::translation::{FluentArgs, format_diag_message, format_diag_messages, to_fluent_args};
use rustc_errors::{CodeSuggestion, DiagInner, Level, MultiSpan, Suggestions};
use rustc_span::source_map::SourceMap;
use rustc_span::{FileName, RemapPathScopeComponents, Span};

/// The diagnostics of one compilation, in the order in which rustc emitted them.
#[derive(Clone, Default)]
pub struct Collected {
    inner: Arc<Mutex<Inner>>,
}

#[derive(Default)]
struct Inner {
    errors: Vec<Diagnostic>,
    bugs: Vec<String>,
}

impl Collected {
    /// An emitter that adds to this collection.
    pub fn emitter(&self, sources: Arc<SourceMap>) -> Box<CollectingEmitter> {
        Box::new(CollectingEmitter { collected: self.clone(), sources })
    }

    /// Takes the errors out.
    pub fn take_errors(&self) -> Vec<Diagnostic> {
        std::mem::take(&mut self.lock().errors)
    }

    /// Takes the messages of internal compiler errors out.
    pub fn take_bugs(&self) -> Vec<String> {
        std::mem::take(&mut self.lock().bugs)
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}

/// See [`Collected::emitter`].
pub struct CollectingEmitter {
    collected: Collected,
    sources: Arc<SourceMap>,
}

impl Emitter for CollectingEmitter {
    fn emit_diagnostic(&mut self, diagnostic: DiagInner) {
        let arguments = to_fluent_args(diagnostic.args.iter());
        let message = format_diag_messages(&diagnostic.messages, &arguments).into_owned();
        match diagnostic.level() {
            Level::Bug | Level::DelayedBug => self.collected.lock().bugs.push(message),
            // The summary line that ends rustc's output has neither a place nor a code.
            Level::Error | Level::Fatal if is_summary(&diagnostic, &message) => {}
            Level::Error | Level::Fatal => {
                let converted = convert(&diagnostic, message, &arguments, &self.sources);
                self.collected.lock().errors.push(converted);
            }
            _ => {}
        }
    }

    fn source_map(&self) -> Option<&SourceMap> {
        Some(&self.sources)
    }
}

/// The range of a span in the file that the user wrote: macros of other crates count as the place that invokes them.
pub fn position(sources: &SourceMap, span: Span) -> Option<Position> {
    let span = written_span(sources, span);
    if span.is_dummy() {
        return None;
    }
    let (low, high) = (sources.lookup_char_pos(span.lo()), sources.lookup_char_pos(span.hi()));
    let FileName::Real(name) = &low.file.name else { return None };
    Some(Position {
        file: name.local_path().unwrap_or_else(|| name.path(RemapPathScopeComponents::DIAGNOSTICS)).to_path_buf(),
        line: number(low.line),
        column: number(low.col.0 + 1),
        end_line: number(high.line),
        end_column: number(high.col.0 + 1),
    })
}

/// The innermost place of a macro expansion that stands in this crate's own text.
fn written_span(sources: &SourceMap, mut span: Span) -> Span {
    while span.from_expansion() && (span.is_dummy() || sources.is_imported(span)) {
        span = span.ctxt().outer_expn_data().call_site;
    }
    span
}

fn is_summary(diagnostic: &DiagInner, message: &str) -> bool {
    diagnostic.code.is_none() && !diagnostic.span.has_primary_spans() && message.starts_with("aborting due to")
}

fn convert(diagnostic: &DiagInner, message: String, arguments: &FluentArgs<'_>, sources: &SourceMap) -> Diagnostic {
    let primary = diagnostic.span.primary_span();
    let mut label = String::new();
    let mut notes = Vec::new();
    for labelled in diagnostic.span.span_labels() {
        let text = labelled.label.as_ref().map(|text| formatted(format_diag_message(text, arguments).ok()));
        match text {
            Some(text) if Some(labelled.span) == primary && label.is_empty() => label = text,
            Some(text) => notes.push(note("note", text, position(sources, labelled.span))),
            None => {}
        }
    }
    for child in &diagnostic.children {
        let level = if matches!(child.level, Level::Help | Level::OnceHelp) { "help" } else { "note" };
        let text = format_diag_messages(&child.messages, arguments).into_owned();
        notes.push(note(level, text, child.span.primary_span().and_then(|span| position(sources, span))));
        notes.extend(labels(&child.span, arguments, sources));
    }
    let suggestions: &[CodeSuggestion] = match &diagnostic.suggestions {
        Suggestions::Enabled(suggestions) => suggestions,
        Suggestions::Sealed(suggestions) => suggestions,
        Suggestions::Disabled => &[],
    };
    notes.extend(suggestions.iter().map(|suggestion| suggested(suggestion, arguments, sources)));
    Diagnostic {
        code: diagnostic.code.map(|code| code.to_string()).unwrap_or_default(),
        message,
        position: primary.and_then(|span| position(sources, span)),
        label,
        notes,
    }
}

fn labels(spans: &MultiSpan, arguments: &FluentArgs<'_>, sources: &SourceMap) -> Vec<DiagnosticNote> {
    let labelled = spans.span_labels().into_iter();
    labelled
        .filter_map(|labelled| {
            let text = formatted(format_diag_message(labelled.label.as_ref()?, arguments).ok());
            Some(note("note", text, position(sources, labelled.span)))
        })
        .collect()
}

/// A suggestion as a sentence: what to do, and the text to write.
fn suggested(suggestion: &CodeSuggestion, arguments: &FluentArgs<'_>, sources: &SourceMap) -> DiagnosticNote {
    let mut text = formatted(format_diag_message(&suggestion.msg, arguments).ok());
    let parts = suggestion.substitutions.first().map(|substitution| substitution.parts.as_slice()).unwrap_or_default();
    if let [part] = parts
        && !part.snippet.trim().is_empty()
        && !part.snippet.contains('\n')
    {
        text.push_str(&format!(": `{}`", part.snippet.trim()));
    }
    note("help", text, parts.first().and_then(|part| position(sources, part.span)))
}

fn formatted(text: Option<std::borrow::Cow<'_, str>>) -> String {
    text.map(|text| text.into_owned()).unwrap_or_default()
}

fn note(level: &str, message: String, position: Option<Position>) -> DiagnosticNote {
    DiagnosticNote { level: level.to_owned(), message, position }
}

fn number(value: usize) -> u32 {
    u32::try_from(value).unwrap_or(u32::MAX)
}
