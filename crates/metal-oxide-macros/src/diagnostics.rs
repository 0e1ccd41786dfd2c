//! Turns the kernel compiler's diagnostics into errors of the host's rustc, at the places they speak of.
//!
//! The unit keeps the user's lines and columns, so a position is found again among the tokens that the attribute was applied to.

use std::path::Path;

use metal_oxide_artifact::{Diagnostic, DiagnosticNote, Position};
use proc_macro2::{Ident, LineColumn, Span, TokenStream, TokenTree};
use quote::quote_spanned;
use syn::Error;

/// rustc's codes for names that do not resolve. The host may well know the name.
const UNRESOLVED: [&str; 14] =
    ["E0405", "E0407", "E0412", "E0422", "E0423", "E0424", "E0425", "E0432", "E0433", "E0531", "E0532", "E0573", "E0574", "E0576"];

/// rustc's code for a method that does not exist. On the host it may: `std` adds to the types of `core`.
const NO_METHOD: &str = "E0599";

/// The annotated item, for finding places in it.
pub struct Target<'a> {
    /// The item's name, which stands in for places outside of it.
    pub name: &'a Ident,
    /// The file as the request named it.
    pub file: &'a Path,
    /// The tokens that the attribute was applied to.
    pub tokens: &'a TokenStream,
    /// The unit is a module, so it can hold helpers.
    pub is_module: bool,
}

impl Target<'_> {
    /// A position in words; the user's file is named as rustc names it.
    fn place(&self, position: Option<&Position>) -> String {
        let Some(position) = position else { return String::new() };
        let own = position.file == self.file;
        let file = if own { self.name.span().file() } else { position.file.display().to_string() };
        format!(" ({file}:{}:{})", position.line, position.column)
    }
}

/// The errors to report for a rejected unit.
pub fn errors(diagnostics: &[Diagnostic], target: &Target<'_>) -> Vec<Error> {
    // Ordinary mistakes are found by the host's rustc too, which shows them best. One short error says that the kernel is affected, so
    // that the build cannot succeed should the host see no mistake.
    let ordinary = |diagnostic: &Diagnostic| {
        let from_rustc = diagnostic.code.starts_with('E') || diagnostic.code.is_empty();
        from_rustc && diagnostic.code != NO_METHOD && !is_unresolved(diagnostic)
    };
    let mut places = Vec::new();
    collect(target.tokens.clone(), &mut places);
    let (ordinary, special): (Vec<_>, Vec<_>) = diagnostics.iter().partition(|diagnostic| ordinary(diagnostic));
    let mut errors: Vec<_> = special.into_iter().map(|diagnostic| error(diagnostic, target, &places)).collect();
    if errors.is_empty() {
        errors.push(Error::new(target.name.span(), summary(&ordinary, target)));
    }
    errors
}

/// The errors to report for a rejected crate of kernels. Its text stands elsewhere, so all of them point at the module that loads it.
pub fn crate_errors(diagnostics: &[Diagnostic], module: &Ident, package: &str) -> Vec<Error> {
    let place = |position: Option<&Position>| {
        position.map(|position| format!(" ({}:{}:{})", position.file.display(), position.line, position.column)).unwrap_or_default()
    };
    let errors = diagnostics.iter().map(|diagnostic| {
        let mut message = format!("{}{}", headline(diagnostic), place(diagnostic.position.as_ref()));
        if !diagnostic.label.is_empty() {
            message.push_str(&format!("\n{}", diagnostic.label));
        }
        for DiagnosticNote { level, message: note, position } in &diagnostic.notes {
            message.push_str(&format!("\n{level}: {note}{}", place(position.as_ref())));
        }
        message.push_str(&format!("\nnote: in the crate of kernels `{package}`, compiled for the GPU"));
        Error::new(module.span(), message)
    });
    errors.collect()
}

fn is_unresolved(diagnostic: &Diagnostic) -> bool {
    // Unknown macros and attributes have no code.
    let nameless = diagnostic.code.is_empty() && diagnostic.message.starts_with("cannot find");
    nameless || UNRESOLVED.contains(&diagnostic.code.as_str())
}

/// A token and the place that it stands at.
struct Place {
    start: LineColumn,
    end: LineColumn,
    span: Span,
}

fn collect(tokens: TokenStream, places: &mut Vec<Place>) {
    let place = |span: Span| Place { start: span.start(), end: span.end(), span };
    for token in tokens {
        match token {
            TokenTree::Group(group) => {
                places.push(place(group.span_open()));
                collect(group.stream(), places);
                places.push(place(group.span_close()));
            }
            other => places.push(place(other.span())),
        }
    }
}

/// The one error for mistakes that the host's rustc reports in full.
fn summary(diagnostics: &[&Diagnostic], target: &Target<'_>) -> String {
    let kind = if target.is_module { "kernels of" } else { "kernel" };
    let mut message = format!("the {kind} `{}` could not be compiled because of errors in the Rust code", target.name);
    for diagnostic in diagnostics {
        message.push_str(&format!("\n{}{}", headline(diagnostic), target.place(diagnostic.position.as_ref())));
    }
    message
}

fn error(diagnostic: &Diagnostic, target: &Target<'_>, places: &[Place]) -> Error {
    let span = diagnostic.position.as_ref().and_then(|position| find(position, target, places));
    let mut message = headline(diagnostic);
    if span.is_none() {
        message.push_str(&target.place(diagnostic.position.as_ref()));
    }
    if !diagnostic.label.is_empty() {
        message.push_str(&format!("\n{}", diagnostic.label));
    }
    for DiagnosticNote { level, message: note, position } in &diagnostic.notes {
        message.push_str(&format!("\n{level}: {note}{}", target.place(position.as_ref())));
    }
    if is_unresolved(diagnostic) {
        message.push_str(if target.is_module {
            "\nhelp: a `#[metal_oxide::kernels]` module sees what stands in it, `metal_oxide::device` and `core`: move the item into the module"
        } else {
            "\nhelp: a `#[metal_oxide::kernel]` function sees `metal_oxide::device` and `core` only: move the item and the kernel into a \
             `#[metal_oxide::kernels]` module"
        });
    }
    match span {
        // The first and the last token make up the range, and the error covers what is between.
        Some((first, last)) => {
            let mut range = quote_spanned!(first=> _);
            range.extend(quote_spanned!(last=> _));
            Error::new_spanned(range, message)
        }
        None => Error::new(target.name.span(), message),
    }
}

fn headline(diagnostic: &Diagnostic) -> String {
    let Diagnostic { code, message, .. } = diagnostic;
    if code.is_empty() { message.clone() } else { format!("{message} [{code}]") }
}

/// The first and the last token that a position covers.
fn find(position: &Position, target: &Target<'_>, places: &[Place]) -> Option<(Span, Span)> {
    if position.file != target.file {
        return None;
    }
    let at = |line: u32, column: u32| LineColumn { line: line as usize, column: (column as usize).saturating_sub(1) };
    let (start, end) = (at(position.line, position.column), at(position.end_line, position.end_column));
    let first = places.iter().find(|place| start < place.end).filter(|first| first.start <= end)?;
    let last = places.iter().rfind(|place| place.start < end).filter(|last| last.start >= first.start).unwrap_or(first);
    Some((first.span, last.span))
}
