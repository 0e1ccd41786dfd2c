//! The file that holds an annotated item, and the item's text for the kernel compiler.

use std::collections::HashSet;
use std::path::{Component, Path, PathBuf};

use proc_macro2::{Ident, TokenStream};
use quote::ToTokens;
use syn::Result;

use crate::code::SOURCE;
use crate::environment::Build;
use crate::layout::{Piece, lay_out, pieces};
use crate::scope::{NotFound, find};
use crate::{imports, own_lexer};

/// Where an annotated item stands.
pub struct Source {
    /// The file.
    pub file: PathBuf,
    /// The file, relative to the package.
    pub relative: PathBuf,
    /// The item's path in the file, such as `vec_add` or `shapes.area`.
    pub path: String,
    /// The imports that a unit with this item alone takes along.
    imports: Vec<Piece>,
}

/// Added to a unit, so that paths through `std` find what `core` has of it.
const STD_IS_CORE: &str = "\nextern crate core as std;\n";

impl Source {
    /// Finds the item with this name, given the tokens that the attribute was applied to.
    pub fn of(name: &Ident, item: &TokenStream, build: &Build) -> Result<Self> {
        let fail = |message: String| SOURCE.at(name.span(), message);
        let generated =
            || fail(format!("the code of `{name}` comes from a macro: a kernel stands in a source file, where its errors can point"));
        // What a macro made up has no file.
        let file = build.working_folder.join(name.span().local_file().ok_or_else(generated)?);
        let text = std::fs::read_to_string(&file).map_err(|error| fail(format!("cannot read {}: {error}", file.display())))?;
        // As rustc does, so that the unit is the same on every system.
        let text = text.replace("\r\n", "\n");

        let position = name.span().start();
        let tokens = pieces(item.clone());
        let start = tokens.iter().position(|piece| piece.start == position).ok_or_else(generated)?;
        let mentioned = imports::identifiers(item.clone());
        let located = locate(&text, &name.to_string(), position, &mentioned).map_err(|reason| match reason {
            NotFound::MadeByMacro => generated(),
            NotFound::NotRust(error) => fail(format!("cannot read the tokens of {}: {error}", file.display())),
            NotFound::Absent => fail(format!("{} changed while it was being compiled: build again", file.display())),
        })?;
        let same = |(in_file, given): (&Piece, &Piece)| in_file.text == given.text;
        if located.item.len() != tokens.len() - start || !located.item.iter().zip(&tokens[start..]).all(same) {
            return Err(fail(format!(
                "the code of `{name}` is not what stands in {}: put `metal_oxide`'s attribute above others that rewrite the item, and \
                 build again if the file changed just now",
                file.display()
            )));
        }
        let path = located.path.iter().map(String::as_str).chain([&*name.to_string()]).collect::<Vec<_>>().join(".");
        let relative = relative(&file, &build.package);
        Ok(Self { file, relative, path, imports: located.imports })
    }

    /// The unit that holds a single function and the imports it needs.
    pub fn function_unit(&self, function: TokenStream, name: &Ident) -> Result<String> {
        let mut all = self.imports.clone();
        all.extend(pieces(function));
        all.sort_by_key(|piece| piece.start);
        text(&all, name)
    }

    /// The unit that holds a module.
    pub fn module_unit(&self, module: TokenStream, name: &Ident) -> Result<String> {
        text(&pieces(module), name)
    }
}

struct Located {
    path: Vec<String>,
    item: Vec<Piece>,
    imports: Vec<Piece>,
}

/// Lexes the file with a lexer of our own, as rustc's forgets where the tokens of a text stand.
fn locate(
    text: &str,
    name: &str,
    position: proc_macro2::LineColumn,
    mentioned: &HashSet<String>,
) -> std::result::Result<Located, NotFound> {
    let _guard = own_lexer::use_in_this_scope();
    let found = find(text, name, position)?;
    let imports = imports::for_unit(found.imports, mentioned);
    let imports = imports.iter().flat_map(|import| pieces(import.to_token_stream())).collect();
    Ok(Located { path: found.path, item: found.item, imports })
}

fn text(pieces: &[Piece], name: &Ident) -> Result<String> {
    let mut text = lay_out(pieces)
        .map_err(|_| SOURCE.at(name.span(), format!("parts of `{name}` come from a macro: a kernel stands in a source file as it is")))?;
    text.push_str(STD_IS_CORE);
    Ok(text)
}

/// The file's path relative to the package. A file outside of it, which `#[path]` may bring in, is named by its way through the parent
/// folders.
pub fn relative(file: &Path, package: &Path) -> PathBuf {
    let (file, package) = (normal(file), normal(package));
    let common = file.iter().zip(package.iter()).take_while(|(left, right)| left == right).count();
    let up = std::iter::repeat_n(Component::ParentDir.as_os_str(), package.iter().count() - common);
    up.chain(file.iter().skip(common)).collect()
}

/// The path without `.` and `..`, as the file system has it if it can tell.
fn normal(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_path_buf())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_relative_to_the_package() {
        assert_eq!(relative(Path::new("/none/package/src/main.rs"), Path::new("/none/package")), Path::new("src/main.rs"));
        assert_eq!(relative(Path::new("/none/shared/kernels.rs"), Path::new("/none/package")), Path::new("../shared/kernels.rs"));
    }
}
