//! Computes the kernel compiler's identity: the package version and, in a development checkout, a hash of the sources that decide
//! what the compiler does. Also gathers the long explanations of diagnostics into one table.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

use sha2::{Digest, Sha256};

/// The crates that decide what the kernel compiler does with a unit.
const CRATES: [&str; 5] = ["metal-oxide-artifact", "metal-oxide-compiler", "metal-oxide-device", "metal-oxide-ir", "metal-oxide-msl"];

/// What belongs to a crate's behaviour. Its tests do not: a changed test must not make every saved artifact stale.
const PARTS: [&str; 6] = ["Cargo.toml", "Cargo.lock", "build.rs", "device", "src", "toolchain-pin.json"];

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let folder = PathBuf::from(variable("CARGO_MANIFEST_DIR"));
    let mut identity = variable("CARGO_PKG_VERSION");
    if let Some(crates) = checkout(&folder) {
        let hash = hash_sources(&crates).unwrap_or_else(|error| panic!("cannot read the sources of the kernel compiler: {error}"));
        identity.push('-');
        identity.push_str(&hash);
    }
    println!("cargo::rustc-env=METAL_OXIDE_COMPILER_IDENTITY={identity}");
    let table = PathBuf::from(variable("OUT_DIR")).join("explanations.rs");
    write_explanations(&folder.join("explanations"), &table).unwrap_or_else(|error| panic!("cannot gather the explanations: {error}"));
}

/// Writes the table of explanations as a Rust expression: a slice of pairs of code and text, sorted by code.
fn write_explanations(folder: &Path, table: &Path) -> io::Result<()> {
    println!("cargo::rerun-if-changed={}", folder.display());
    let mut files = Vec::new();
    collect(folder, "", &mut files)?;
    files.sort();
    let mut text = String::from("&[\n");
    for (name, path) in files {
        let code = name.trim_start_matches('/').strip_suffix(".md").unwrap_or_else(|| panic!("{name} is no Markdown file"));
        writeln!(text, "    ({code:?}, include_str!({path:?})),").expect("writing to a string succeeds");
    }
    text.push_str("]\n");
    fs::write(table, text)
}

fn variable(name: &str) -> String {
    env::var(name).unwrap_or_else(|_| panic!("Cargo sets {name}"))
}

/// The folder of the project's crates, if this crate is built in a checkout. Packages from a registry or a vendor folder carry one of
/// the two marker files.
fn checkout(folder: &Path) -> Option<PathBuf> {
    if [".cargo_vcs_info.json", ".cargo-checksum.json"].iter().any(|marker| folder.join(marker).exists()) {
        return None;
    }
    let crates = folder.parent()?;
    let complete = CRATES.iter().all(|name| crates.join(name).join("Cargo.toml").exists());
    complete.then(|| crates.to_path_buf())
}

fn hash_sources(crates: &Path) -> io::Result<String> {
    let mut files = Vec::new();
    for name in CRATES {
        for part in PARTS {
            let path = crates.join(name).join(part);
            // Cargo would run this script on every build if it were told of a path that does not exist.
            if path.exists() {
                println!("cargo::rerun-if-changed={}", path.display());
                collect(&path, &format!("{name}/{part}"), &mut files)?;
            }
        }
    }
    files.sort();
    let mut hasher = Sha256::new();
    for (name, path) in files {
        let content = fs::read(path)?;
        // The lengths keep a byte that moves from one file to the next from going unnoticed.
        hasher.update(format!("{name} {}\n", content.len()));
        hasher.update(content);
    }
    let mut hash = String::new();
    for byte in &hasher.finalize()[..8] {
        write!(hash, "{byte:02x}").expect("writing to a string succeeds");
    }
    Ok(hash)
}

/// Adds the file, or the files in the folder, with their names relative to the crates' folder.
fn collect(path: &Path, name: &str, files: &mut Vec<(String, PathBuf)>) -> io::Result<()> {
    if !path.is_dir() {
        files.push((name.to_owned(), path.to_path_buf()));
        return Ok(());
    }
    for entry in fs::read_dir(path)? {
        let entry = entry?;
        let file_name = entry.file_name();
        let file_name = file_name.to_string_lossy();
        // Editors leave hidden files while one types.
        if !file_name.starts_with('.') {
            collect(&entry.path(), &format!("{name}/{file_name}"), files)?;
        }
    }
    Ok(())
}
