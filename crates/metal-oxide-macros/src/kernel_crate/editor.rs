//! What an editor needs to know of a crate of kernels, found without starting anything: names, and the kernels' signatures.

use std::path::{Path, PathBuf};

use quote::format_ident;
use syn::{LitStr, Result};

use super::{Found, sources};
use crate::artifact::Embedded;
use crate::code::{CRATE, SETTINGS};
use crate::environment::Build;

/// The crate, with no artifact.
pub fn find(path: &LitStr) -> Result<Found> {
    let build = Build::current().map_err(|message| SETTINGS.at(path.span(), message))?;
    let fail = |message: String| CRATE.at(path.span(), message);
    let root = build.package.join(path.value());
    let names = manifest_names(&root).ok_or_else(|| fail(format!("`{}` is no crate", path.value())))?;
    let kernels = sources::kernels(&root.join(&names.main)).map_err(fail)?;
    Ok(Found { name: format_ident!("{}", names.library), kernels, embedded: Ok(Embedded::missing()) })
}

/// What the manifest of a crate says about its names.
#[derive(Debug, PartialEq, Eq)]
pub struct Names {
    /// The package's name.
    pub package: String,
    /// The crate's name in Rust code.
    pub library: String,
    /// The crate's main file.
    pub main: PathBuf,
}

/// Reads them from the manifest in a folder.
pub fn manifest_names(root: &Path) -> Option<Names> {
    names(&std::fs::read_to_string(root.join("Cargo.toml")).ok()?)
}

/// Manifests write these fields as plain strings, a line each. Cargo itself is asked wherever a wrong answer would matter.
fn names(manifest: &str) -> Option<Names> {
    let field = |table: &str, name: &str| {
        let mut lines = manifest.lines().map(str::trim).skip_while(|line| *line != table).skip(1);
        lines.by_ref().take_while(|line| !line.starts_with('[')).find_map(|line| {
            let (key, value) = line.split_once('=')?;
            let value = value.trim().strip_prefix('"')?;
            (key.trim() == name).then(|| value.split('"').next().unwrap_or_default().to_owned())
        })
    };
    let package = field("[package]", "name")?;
    let library = field("[lib]", "name").unwrap_or_else(|| package.replace('-', "_"));
    let main = field("[lib]", "path").unwrap_or_else(|| "src/lib.rs".to_owned()).into();
    Some(Names { package, library, main })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_a_manifest() {
        let expected = Names { package: "my-kernels".into(), library: "my_kernels".into(), main: "src/lib.rs".into() };
        assert_eq!(names("[package]\nname = \"my-kernels\" # ours\nversion = \"0.1.0\"\n[dependencies]\nname = \"x\""), Some(expected));
        let expected = Names { package: "a".into(), library: "b".into(), main: "lib.rs".into() };
        assert_eq!(names("[lib]\npath = \"lib.rs\"\nname=\"b\"\n\n[package]\nname = \"a\""), Some(expected));
        assert_eq!(names("[workspace]\nmembers = []"), None);
    }
}
