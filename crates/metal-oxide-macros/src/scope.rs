//! Finds an annotated item in the text of its file: the modules and functions around it, and the `use` items that it can see.
//!
//! A macro gets the tokens of its own item only. A kernel function needs the names that its module imports, so the file is lexed again
//! and searched for the item at its known position.

use proc_macro2::{Delimiter, Group, Ident, LineColumn, Punct, TokenStream, TokenTree};
use syn::ItemUse;

use crate::layout::{Piece, pieces};

/// An item that was found in its file.
pub struct Found {
    /// The names of the modules and functions around it, outermost first.
    pub path: Vec<String>,
    /// The pieces from its name up to and including the braces that hold its body.
    pub item: Vec<Piece>,
    /// The `use` items in scope: a list for each scope, from the innermost to that of the module.
    pub imports: Vec<Vec<ItemUse>>,
    /// A module was left on the way out, and a module sees nothing of the imports around it.
    left_module: bool,
}

/// Why an item was not found.
#[derive(Debug, PartialEq, Eq)]
pub enum NotFound {
    /// The file has no such item there.
    Absent,
    /// The item is made by a macro.
    MadeByMacro,
    /// The file does not lex.
    NotRust(String),
}

/// Finds the item with the given name, whose name stands at the given position.
pub fn find(file: &str, name: &str, position: LineColumn) -> Result<Found, NotFound> {
    let file = file.strip_prefix('\u{feff}').unwrap_or(file);
    // A first line `#!interpreter` is Rust but no token. Its line break stays, so that lines keep their numbers.
    let interpreter = if file.starts_with("#!") && !file.starts_with("#![") { file.find('\n').unwrap_or(file.len()) } else { 0 };
    let tokens: TokenStream = file[interpreter..].parse().map_err(|error: proc_macro2::LexError| NotFound::NotRust(error.to_string()))?;
    Search { name, position }.scope(tokens).unwrap_or(Err(NotFound::Absent))
}

struct Search<'a> {
    name: &'a str,
    position: LineColumn,
}

impl Search<'_> {
    /// Searches the tokens of one scope. `None` if the item is not in it.
    fn scope(&self, tokens: TokenStream) -> Option<Result<Found, NotFound>> {
        let tokens: Vec<_> = tokens.into_iter().collect();
        let found = tokens.iter().enumerate().find_map(|(index, token)| match token {
            // The argument of a macro may name an item, but does not declare it.
            TokenTree::Ident(ident) if self.is_at(ident) => match tokens[..index].last() {
                Some(TokenTree::Ident(keyword)) if keyword == "fn" || keyword == "mod" => Some(Ok(Found::at(&tokens[index..]))),
                _ => Some(Err(NotFound::MadeByMacro)),
            },
            TokenTree::Group(group) if self.is_in(group) => self.group(&tokens[..index], group),
            _ => None,
        })?;
        Some(found.map(|mut found| {
            if !found.left_module {
                found.imports.push(imports(&tokens));
            }
            found
        }))
    }

    /// Searches a group that comes after the given tokens of its scope.
    fn group(&self, before: &[TokenTree], group: &Group) -> Option<Result<Found, NotFound>> {
        let found = self.scope(group.stream())?;
        Some(found.and_then(|mut found| match Owner::of(before, group) {
            Owner::Module(name) => {
                found.path.insert(0, name);
                found.left_module = true;
                Ok(found)
            }
            Owner::Function(name) => {
                found.path.insert(0, name);
                Ok(found)
            }
            Owner::MacroDefinition => Err(NotFound::MadeByMacro),
            Owner::Other => Ok(found),
        }))
    }

    fn is_at(&self, ident: &Ident) -> bool {
        ident.span().start() == self.position && ident == self.name
    }

    fn is_in(&self, group: &Group) -> bool {
        (group.span_open().start()..group.span_close().end()).contains(&self.position)
    }
}

impl Found {
    fn at(tokens: &[TokenTree]) -> Self {
        let body = tokens.iter().position(|token| matches!(token, TokenTree::Group(group) if group.delimiter() == Delimiter::Brace));
        let item = tokens[..body.map_or(tokens.len(), |body| body + 1)].iter().cloned().collect();
        Self { path: Vec::new(), item: pieces(item), imports: Vec::new(), left_module: false }
    }
}

/// What a group is the body of.
enum Owner {
    Module(String),
    Function(String),
    MacroDefinition,
    Other,
}

impl Owner {
    fn of(before: &[TokenTree], group: &Group) -> Self {
        if let [.., TokenTree::Ident(keyword), TokenTree::Punct(bang), TokenTree::Ident(_)] = before
            && keyword == "macro_rules"
            && bang.as_char() == '!'
        {
            return Self::MacroDefinition;
        }
        if group.delimiter() != Delimiter::Brace {
            return Self::Other;
        }
        if let [.., TokenTree::Ident(keyword), TokenTree::Ident(name)] = before
            && keyword == "mod"
        {
            return Self::Module(name.to_string());
        }
        // The item's own tokens begin after the last item.
        let ends_item = |token: &TokenTree| match token {
            TokenTree::Punct(punct) => punct.as_char() == ';',
            TokenTree::Group(group) => group.delimiter() == Delimiter::Brace,
            _ => false,
        };
        let start = before.iter().rposition(ends_item).map_or(0, |end| end + 1);
        before[start..]
            .windows(2)
            .find_map(|pair| match pair {
                [TokenTree::Ident(keyword), TokenTree::Ident(name)] if keyword == "fn" => Some(Self::Function(name.to_string())),
                _ => None,
            })
            .unwrap_or(Self::Other)
    }
}

/// The `use` items among the tokens of a scope.
fn imports(tokens: &[TokenTree]) -> Vec<ItemUse> {
    let is = |token: Option<&TokenTree>, character: char| matches!(token, Some(TokenTree::Punct(punct)) if is_punct(punct, character));
    let mut found = Vec::new();
    for (start, token) in tokens.iter().enumerate() {
        // `impl Trait + use<'a>` is no import.
        if !matches!(token, TokenTree::Ident(ident) if ident == "use") || is(tokens.get(start + 1), '<') {
            continue;
        }
        let length = tokens[start..].iter().position(|token| is(Some(token), ';'));
        let item = tokens[start..].iter().take(length.map_or(0, |length| length + 1)).cloned().collect();
        found.extend(syn::parse2::<ItemUse>(item));
    }
    found
}

fn is_punct(punct: &Punct, character: char) -> bool {
    punct.as_char() == character
}

#[cfg(test)]
mod tests {
    use quote::ToTokens;

    use super::*;

    /// Finds the item `k`, whose name the file marks with `^` in front of it.
    fn find_marked(marked: &str) -> Result<Found, NotFound> {
        let offset = marked.find('^').expect("the name is marked");
        let line_start = marked[..offset].rfind('\n').map_or(0, |end| end + 1);
        let position = LineColumn { line: marked[..offset].matches('\n').count() + 1, column: marked[line_start..offset].chars().count() };
        find(&marked.replacen('^', "", 1), "k", position)
    }

    /// The path, and the imports of each scope.
    fn found(marked: &str) -> String {
        let found = find_marked(marked).unwrap_or_else(|fault| panic!("not found: {fault:?}"));
        let scopes = found.imports.iter().map(|scope| {
            let imports: Vec<_> = scope.iter().map(|item| item.to_token_stream().to_string().replace(' ', "")).collect();
            imports.join(" ")
        });
        format!("{} [{}]", found.path.join("."), scopes.collect::<Vec<_>>().join("] ["))
    }

    #[test]
    fn a_function_sees_the_imports_of_its_file() {
        assert_eq!(found("//! File.\nuse a::b;\n#[kernel]\npub fn ^k() {}\nuse c::{d, e};"), " [usea::b; usec::{d,e};]");
        assert_eq!(found("#!/usr/bin/env cargo\nuse a::b; fn ^k() {}"), " [usea::b;]");
    }

    #[test]
    fn a_module_sees_its_own_imports_only() {
        assert_eq!(found("use a::b; mod outer { pub mod inner { use c::d; fn ^k() {} } use e::f; }"), "outer.inner [usec::d;]");
    }

    #[test]
    fn a_function_in_a_function_sees_both_scopes() {
        assert_eq!(
            found("use a::b; fn other() {} fn test() -> impl Sized + use<> { use c::d; { fn ^k() {} } }"),
            "test [] [usec::d;] [usea::b;]"
        );
    }

    #[test]
    fn arguments_of_macros_are_scopes_like_any_other() {
        assert_eq!(found("use a::b; cfg_if! { if #[cfg(unix)] { fn ^k() {} } }"), " [] [] [usea::b;]");
    }

    #[test]
    fn what_cannot_be_found() {
        assert_eq!(find_marked("macro_rules! m { () => { fn ^k() {} } }").err(), Some(NotFound::MadeByMacro));
        assert_eq!(find_marked("make_kernel!(^k);").err(), Some(NotFound::MadeByMacro));
        assert_eq!(find_marked("fn ^ k() {}").err(), Some(NotFound::Absent));
        assert_eq!(find_marked("fn ^kernel() {}").err(), Some(NotFound::Absent));
        assert!(matches!(find_marked("fn ^k() { \"").err(), Some(NotFound::NotRust(_))));
    }

    #[test]
    fn the_item_ends_with_its_body() {
        let found = find_marked("fn ^k(a: u32) { b(); } fn c() {}").unwrap_or_else(|fault| panic!("not found: {fault:?}"));
        let text: Vec<_> = found.item.into_iter().map(|piece| piece.text).collect();
        assert_eq!(text.join(" "), "k ( a : u32 ) { b ( ) ; }");
    }
}
