//! What a crate of kernels is made of, as far as a change of it may change the kernels.
//!
//! Packages of registries and repositories are known by their version or commit. Those of the user's are hashed, file by file.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::Path;

use metal_oxide_artifact::{OwnPackage, PackageContents, sha256};
use serde_json::{Value, json};

use super::package::{Package, array, folder_of, text};
use crate::environment::Build;
use crate::source::relative;

/// Folders of a package that hold no part of its library.
const APART: [&str; 5] = ["target", "metal", "tests", "examples", "benches"];

/// The packages that a crate of kernels is made of, its own first. The error is a message for the user.
pub fn of(package: &Package, build: &Build) -> Result<Vec<PackageContents>, String> {
    let mut packages = package.closure.iter().map(|package| contents(package, build)).collect::<Result<Vec<_>, _>>()?;
    // Cargo's order depends on where the packages stand.
    packages[1..].sort();
    Ok(packages)
}

fn contents(package: &Value, build: &Build) -> Result<PackageContents, String> {
    let source = package["source"].as_str().map(str::to_owned);
    let own = match (&source, folder_of(package)) {
        (None, Some(folder)) => {
            let sha256 = hash(package, folder).map_err(|error| format!("cannot read the crate in {}: {error}", folder.display()))?;
            Some(OwnPackage { folder: relative(folder, &build.package), sha256 })
        }
        _ => None,
    };
    Ok(PackageContents { name: text(&package["name"]), version: text(&package["version"]), source, own })
}

fn hash(package: &Value, folder: &Path) -> io::Result<String> {
    let mut files = BTreeMap::new();
    collect(folder, "", &mut files)?;
    let description = json!({ "manifest": meaning(package), "files": files });
    Ok(sha256(description.to_string().as_bytes()))
}

/// What a manifest says about the library, however it is written down.
fn meaning(package: &Value) -> Value {
    let dependencies = array(&package["dependencies"]).filter(|dependency| dependency["kind"] != "dev").map(|dependency| {
        let kept = ["name", "rename", "req", "kind", "features", "uses_default_features", "optional", "target"];
        let kept = kept.map(|field| (field.to_owned(), dependency[field].clone()));
        Value::Object(kept.into_iter().collect())
    });
    json!({ "edition": package["edition"], "features": package["features"], "dependencies": dependencies.collect::<Vec<_>>() })
}

/// The hashes of the files in a package's folder, by their path in it.
fn collect(folder: &Path, path: &str, files: &mut BTreeMap<String, String>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        let is_folder = fs::metadata(entry.path())?.is_dir();
        let is_root = path.is_empty();
        // Editors and version control leave hidden files; the manifest was read by Cargo; and other packages speak for themselves.
        let apart =
            name.starts_with('.') || (is_root && !is_folder && !name.ends_with(".rs")) || (is_root && APART.contains(&name.as_str()));
        if apart || (is_folder && entry.path().join("Cargo.toml").exists()) {
            continue;
        }
        let path = if is_root { name } else { format!("{path}/{name}") };
        if is_folder {
            collect(&entry.path(), &path, files)?;
        } else {
            files.insert(path, sha256(&normal(fs::read(entry.path())?)));
        }
    }
    Ok(())
}

/// The contents with the line breaks that they have on every system, if they are a text.
fn normal(bytes: Vec<u8>) -> Vec<u8> {
    match String::from_utf8(bytes) {
        Ok(text) => text.replace("\r\n", "\n").into_bytes(),
        Err(error) => error.into_bytes(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_the_library_count_and_others_do_not() {
        let folder = std::env::temp_dir().join(format!("metal-oxide-contents-{}", std::process::id()));
        let write = |path: &str, text: &str| {
            let path = folder.join(path);
            fs::create_dir_all(path.parent().expect("has a parent")).expect("creates");
            fs::write(path, text).expect("writes");
        };
        for path in ["src/lib.rs", "src/waves/sine.rs", "build.rs", "data/table.bin"] {
            write(path, "one\r\ntwo");
        }
        for path in ["Cargo.toml", "README.md", ".git/head", "tests/all.rs", "target/debug/x.rs", "macros/Cargo.toml", "macros/src/lib.rs"]
        {
            write(path, "other");
        }
        let mut files = BTreeMap::new();
        collect(&folder, "", &mut files).expect("reads");
        fs::remove_dir_all(&folder).expect("removes");
        let names: Vec<_> = files.keys().map(String::as_str).collect();
        assert_eq!(names, ["build.rs", "data/table.bin", "src/lib.rs", "src/waves/sine.rs"]);
        assert_eq!(files["src/lib.rs"], sha256(b"one\ntwo"));
    }
}
