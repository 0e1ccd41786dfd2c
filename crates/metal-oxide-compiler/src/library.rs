//! Builds the device library: `core`, the device crate and the facade that kernels name, as metadata with MIR.
//! Each crate is built again only when what it is made from has changed.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use rustc_middle::ty::TyCtxt;

use crate::driver::{self, Failure, Session, TARGET_NAME, TARGET_SPECIFICATION};

/// What the library is built from and where it goes.
pub struct LibraryRequest {
    /// Rust's `library` folder, of the same release as this compiler's rustc.
    pub source: PathBuf,
    /// The folder of the crate `metal-oxide-device`.
    pub device: PathBuf,
    /// Where the library goes.
    pub out: PathBuf,
}

/// The facade: on the device, the crate `metal_oxide` is a door to the device crate.
const FACADE: &str = include_str!("../device/metal_oxide.rs");

/// rustc insists on this crate, which holds what back ends call; here it is empty.
const BUILTINS: &str = "#![feature(compiler_builtins)]\n#![compiler_builtins]\n#![no_std]\n//! Nothing.\n";

/// The first file of a device library that is not there.
pub fn missing(library: &Path) -> Option<PathBuf> {
    let metadata = driver::LIBRARY_CRATES.iter().map(|name| format!("lib{name}.rmeta"));
    let mut files = metadata.chain([format!("{TARGET_NAME}.json")]).map(|name| library.join(name));
    files.find(|file| !file.is_file())
}

/// Builds what is missing or stale.
///
/// # Errors
/// A message for the user.
pub fn build(request: &LibraryRequest) -> Result<(), String> {
    let out = &request.out;
    fs::create_dir_all(out).map_err(|error| format!("cannot create `{}`: {error}", out.display()))?;
    write(&out.join(format!("{TARGET_NAME}.json")), TARGET_SPECIFICATION)?;
    let facade = out.join("metal_oxide.rs");
    write(&facade, FACADE)?;
    let builtins = out.join("compiler_builtins.rs");
    write(&builtins, BUILTINS)?;

    let core = request.source.join("core/src/lib.rs");
    if !core.is_file() {
        return Err(format!("`{}` is not Rust's library folder: it has no `core/src/lib.rs`", request.source.display()));
    }
    // The sources of a release do not change, so their place and the release name them.
    let release = format!("{} {}", env!("CARGO_PKG_VERSION"), rustc_interface::util::rustc_version_str().unwrap_or("unknown"));
    let mut state = format!("{release}\n{TARGET_SPECIFICATION}\n{}\n", core.display());
    build_crate("core", &core, &[], out, &mut state)?;

    build_crate("compiler_builtins", &builtins, &["core"], out, &mut state)?;

    let device = request.device.join("src/lib.rs");
    state.push_str(&sources(&request.device.join("src")).map_err(|error| format!("cannot read `{}`: {error}", device.display()))?);
    build_crate("metal_oxide_device", &device, &["core", "compiler_builtins"], out, &mut state)?;
    state.push_str(FACADE);
    build_crate("metal_oxide", &facade, &["core", "compiler_builtins", "metal_oxide_device"], out, &mut state)
}

/// Builds one crate, unless the stamp beside it says that it was built from `state` and the same arguments.
fn build_crate(name: &str, source: &Path, externs: &[&str], out: &Path, state: &mut String) -> Result<(), String> {
    let arguments = driver::library_crate(name, source, externs, out);
    // Where the library stands does not change what is in it.
    state.push_str(&arguments.join("\n").replace(&out.display().to_string(), "."));
    state.push('\n');
    let (metadata, stamp) = (out.join(format!("lib{name}.rmeta")), out.join(format!("{name}.stamp")));
    if metadata.is_file() && fs::read_to_string(&stamp).is_ok_and(|stamp| stamp == *state) {
        return Ok(());
    }
    let _ = fs::remove_file(&stamp);
    let session = Session { arguments, loader: None, analysed: None::<fn(TyCtxt<'_>)> };
    match driver::run(session) {
        Ok(_) => write(&stamp, state),
        Err(Failure::Internal(message)) => Err(format!("compiling `{name}` for the device failed\n{message}")),
        Err(Failure::Rejected(errors)) => {
            let lines: Vec<String> = errors.iter().take(20).map(describe).collect();
            Err(format!("compiling `{name}` for the device failed\n{}", lines.join("\n")))
        }
    }
}

fn describe(error: &metal_oxide_artifact::Diagnostic) -> String {
    match &error.position {
        Some(place) => format!("{}:{}:{}: {}", place.file.display(), place.line, place.column, error.message),
        None => error.message.clone(),
    }
}

/// The text of every source file in a folder, with its path.
fn sources(folder: &Path) -> io::Result<String> {
    let mut entries = fs::read_dir(folder)?.collect::<io::Result<Vec<_>>>()?;
    entries.sort_by_key(fs::DirEntry::path);
    let mut text = String::new();
    for entry in entries {
        let path = entry.path();
        if path.is_dir() {
            text.push_str(&sources(&path)?);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            text.push_str(&format!("{}\n{}\n", path.display(), fs::read_to_string(&path)?));
        }
    }
    Ok(text)
}

fn write(path: &Path, text: &str) -> Result<(), String> {
    fs::write(path, text).map_err(|error| format!("cannot write `{}`: {error}", path.display()))
}
