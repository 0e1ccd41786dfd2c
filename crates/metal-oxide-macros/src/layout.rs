//! Lays tokens out as text in which each stands at the line and column that it has in the user's file.
//!
//! The kernel compiler reads this text, so its diagnostics and failure sites speak of the user's file with no mapping. Comments are not
//! tokens: changing one without moving code leaves the text, and with it the saved artifact, as it was.

use proc_macro2::{Delimiter, LineColumn, Spacing, TokenStream, TokenTree};

/// A token, or one delimiter of a group, and where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    /// Its text.
    pub text: String,
    /// Its first character: lines count from 1, columns from 0.
    pub start: LineColumn,
    /// The place after its last character.
    pub end: LineColumn,
    /// It continues the token before it, as the name of a lifetime and the second half of an operator do.
    glued: bool,
}

/// The pieces overlap or go backwards, so they do not stand in one file as they are.
#[derive(Debug, PartialEq, Eq)]
pub struct OutOfOrder;

/// Takes a token stream apart, leaving out documentation.
pub fn pieces(tokens: TokenStream) -> Vec<Piece> {
    let mut pieces = Vec::new();
    collect(tokens, &mut pieces);
    pieces
}

/// The text of the pieces, each at its place. Line breaks come before the first piece that needs them, and nothing follows the last.
pub fn lay_out(pieces: &[Piece]) -> Result<String, OutOfOrder> {
    let mut text = String::new();
    let mut cursor = LineColumn { line: 1, column: 0 };
    for piece in pieces {
        let place = if piece.glued { cursor } else { piece.start };
        if place < cursor {
            return Err(OutOfOrder);
        }
        while cursor.line < place.line {
            text.push('\n');
            cursor = LineColumn { line: cursor.line + 1, column: 0 };
        }
        text.extend(std::iter::repeat_n(' ', place.column - cursor.column));
        text.push_str(&piece.text);
        cursor.column = place.column;
        for character in piece.text.chars() {
            match character {
                '\n' => cursor = LineColumn { line: cursor.line + 1, column: 0 },
                _ => cursor.column += 1,
            }
        }
    }
    Ok(text)
}

fn collect(tokens: TokenStream, pieces: &mut Vec<Piece>) {
    let mut glued = false;
    let tokens: Vec<_> = tokens.into_iter().collect();
    let mut index = 0;
    while let Some(token) = tokens.get(index) {
        if let Some(length) = documentation(&tokens[index..]) {
            index += length;
            continue;
        }
        index += 1;
        match token {
            TokenTree::Group(group) => {
                let (open, close) = match group.delimiter() {
                    Delimiter::Parenthesis => ("(", ")"),
                    Delimiter::Brace => ("{", "}"),
                    Delimiter::Bracket => ("[", "]"),
                    Delimiter::None => ("", ""),
                };
                push(pieces, open, group.span_open().start(), group.span_open().end(), false);
                collect(group.stream(), pieces);
                // A group that was put together again has one span for both delimiters, from the first to the last.
                let end = group.span_close().end();
                push(pieces, close, LineColumn { column: end.column.saturating_sub(1), ..end }, end, false);
                glued = false;
            }
            TokenTree::Punct(punct) => {
                push(pieces, &punct.as_char().to_string(), punct.span().start(), punct.span().end(), glued);
                // What follows a joint character is the rest of its operator, or the name of a lifetime.
                glued = punct.spacing() == Spacing::Joint;
            }
            TokenTree::Ident(ident) => {
                push(pieces, &ident.to_string(), ident.span().start(), ident.span().end(), glued);
                glued = false;
            }
            TokenTree::Literal(literal) => {
                let (start, end) = (literal.span().start(), literal.span().end());
                // A negative number in a pattern that was put together again: both of its tokens have the span of the sign.
                let after_sign = pieces.last().is_some_and(|sign| sign.text == "-" && sign.start == start);
                push(pieces, &literal.to_string(), start, end, after_sign);
                glued = false;
            }
        }
    }
}

fn push(pieces: &mut Vec<Piece>, text: &str, start: LineColumn, end: LineColumn, glued: bool) {
    if !text.is_empty() {
        pieces.push(Piece { text: text.to_owned(), start, end, glued });
    }
}

/// The number of tokens of a leading `#[doc = …]` or `#![doc = …]`, the forms in which documentation comments reach a macro. Laid out they
/// would be longer than the comments, and documentation means nothing to the compiler of kernels.
fn documentation(tokens: &[TokenTree]) -> Option<usize> {
    let is = |token: &TokenTree, character: char| matches!(token, TokenTree::Punct(punct) if punct.as_char() == character);
    let (group, length) = match tokens {
        [hash, TokenTree::Group(group), ..] if is(hash, '#') => (group, 2),
        [hash, bang, TokenTree::Group(group), ..] if is(hash, '#') && is(bang, '!') => (group, 3),
        _ => return None,
    };
    let first = group.stream().into_iter().next();
    let documents = group.delimiter() == Delimiter::Bracket && matches!(first, Some(TokenTree::Ident(name)) if name == "doc");
    documents.then_some(length)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(source: &str, expected: &str) {
        let tokens: TokenStream = source.parse().expect("lexes");
        assert_eq!(lay_out(&pieces(tokens)).expect("is in order"), expected);
    }

    #[test]
    fn tokens_keep_their_places() {
        let source = "\n\n  fn  k( a : ReadBuffer< 'static , f32>)\n{\n\tif a . len ()>=2 && b[ 0 ]<<=1 { 'outer: loop {} }\n}";
        // A tab is one column wide, to rustc as here.
        check(source, &source.replace('\t', " "));
    }

    #[test]
    fn comments_and_documentation_leave_space() {
        check("/// What it is.\nfn k /* why */ () { // and how\n  #[doc = \"x\"] //! inner\n }", "\nfn k           () {\n\n }");
    }

    #[test]
    fn literals_stay_as_they_are_written() {
        check(
            "f(1.0_f32, 0x_ff, t.0.1, \"a\\n\nb\",  'x', r#\"q\"\n\"#, b'\\'', c\"z\")",
            "f(1.0_f32, 0x_ff, t.0.1, \"a\\n\nb\",  'x', r#\"q\"\n\"#, b'\\'', c\"z\")",
        );
    }

    #[test]
    fn columns_count_characters() {
        check("let größe = \"ä🦀\"; /* ü */ f();", "let größe = \"ä🦀\";         f();");
    }

    #[test]
    fn tokens_from_elsewhere_are_noticed() {
        let mut tokens: TokenStream = "\n\nfn k() {}".parse().expect("lexes");
        tokens.extend("\nearlier".parse::<TokenStream>().expect("lexes"));
        let mut pieces = pieces(tokens);
        let last = pieces.len() - 1;
        pieces[last].start = LineColumn { line: 2, column: 0 };
        assert_eq!(lay_out(&pieces), Err(OutOfOrder));
    }
}
