//! Splits the text form into tokens.
//! Words take along dots and `@`, `%` prefixes, so that `%2.name` and `thread_in_grid.x` are one token each.

/// A token with the line it stands on, counted from 1.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Token {
    pub kind: TokenKind,
    pub line: usize,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum TokenKind {
    /// A word, number or name.
    Word(String),
    /// A quoted string, without its quotes.
    Text(String),
    /// `->`
    Arrow,
    /// Any other character.
    Symbol(char),
}

/// The tokens of a text, or the line and reason why it has none.
pub(super) fn tokens(text: &str) -> Result<Vec<Token>, (usize, String)> {
    let mut tokens = Vec::new();
    for (index, content) in text.lines().enumerate() {
        let line = index + 1;
        let mut rest = content.trim_start();
        while !rest.is_empty() && !rest.starts_with("//") {
            let (kind, length) = token(rest).map_err(|reason| (line, reason))?;
            tokens.push(Token { kind, line });
            rest = rest[length..].trim_start();
        }
    }
    Ok(tokens)
}

/// The first token of a text that does not start with white space, and its length in bytes.
fn token(text: &str) -> Result<(TokenKind, usize), String> {
    let first = text.chars().next().expect("the caller checked that there is text");
    if first == '"' {
        return quoted(text);
    }
    if text.starts_with("->") {
        return Ok((TokenKind::Arrow, 2));
    }
    let is_word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '@' | '%' | '-');
    let length = text.find(|c| !is_word(c)).unwrap_or(text.len());
    // `1e-5` and `-3` hold a minus sign, which never stands alone.
    if length > 0 { Ok((TokenKind::Word(text[..length].into()), length)) } else { Ok((TokenKind::Symbol(first), first.len_utf8())) }
}

fn quoted(text: &str) -> Result<(TokenKind, usize), String> {
    let mut content = String::new();
    let mut characters = text.char_indices().skip(1);
    while let Some((position, c)) = characters.next() {
        match c {
            '"' => return Ok((TokenKind::Text(content), position + 1)),
            '\\' => {
                let (_, escape) = characters.next().ok_or("the string does not end")?;
                content.push(match escape {
                    'n' => '\n',
                    't' => '\t',
                    'r' => '\r',
                    '0' => '\0',
                    'u' => {
                        let digits: String = characters.by_ref().map(|(_, c)| c).skip(1).take_while(|&c| c != '}').collect();
                        u32::from_str_radix(&digits, 16).ok().and_then(char::from_u32).ok_or("an escape names no character")?
                    }
                    other => other,
                });
            }
            other => content.push(other),
        }
    }
    Err("the string does not end".into())
}
