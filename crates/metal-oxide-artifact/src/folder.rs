//! Artifact folders: loading one and judging whether it still fits the source, and saving one in a single step.
//!
//! Several builds may use a folder at once. Readers and writers lock the folder's parent, and a new folder replaces the old one by
//! renaming, so nobody sees one half of an artifact.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::SystemTime;

use crate::{FileEntry, Inputs, MANIFEST_SCHEMA, Manifest, ReleaseProfile, UnitResult, sha256};

/// The manifest's file name.
pub const MANIFEST_FILE: &str = "manifest.json";
/// The file with the Metal Shading Language.
pub const MSL_FILE: &str = "kernel.metal";
/// The file with the intermediate representation.
pub const IR_FILE: &str = "kernel.ir";
/// The file with the output of Apple's compiler, where there is one.
pub const METALLIB_FILE: &str = "kernel.metallib";

/// The contents of an artifact folder.
#[derive(Clone, Debug, PartialEq)]
pub struct Artifact {
    /// The parsed manifest.
    pub manifest: Manifest,
    /// The manifest as it stands in its file.
    pub manifest_json: String,
    /// The Metal Shading Language of all kernels.
    pub msl: String,
    /// The intermediate representation in its text form.
    pub ir: String,
    /// The output of Apple's compiler, if the artifact was saved with it.
    pub metallib: Option<Vec<u8>>,
}

/// What a look at an artifact folder found.
#[derive(Clone, Debug, PartialEq)]
pub enum SavedArtifact {
    /// It was made from today's inputs.
    Fresh(Box<Artifact>),
    /// It is whole but was made from other inputs; the reasons read well after "because".
    Stale(Vec<String>),
    /// There is none.
    Missing,
    /// It is damaged.
    Corrupt {
        /// The file that is damaged.
        file: PathBuf,
        /// What is wrong with it; reads well after the file's name.
        why: String,
    },
}

impl Artifact {
    /// The artifact that a successful compilation makes.
    #[must_use]
    pub fn new(result: UnitResult, metallib: Option<Vec<u8>>, inputs: Inputs) -> Self {
        let UnitResult { mut manifest, msl, ir } = result;
        manifest.inputs = inputs;
        manifest.files = BTreeMap::from([entry(MSL_FILE, msl.as_bytes()), entry(IR_FILE, ir.as_bytes())]);
        manifest.files.extend(metallib.as_deref().map(|bytes| entry(METALLIB_FILE, bytes)));
        let mut manifest_json = serde_json::to_string_pretty(&manifest).expect("a manifest has string keys only");
        manifest_json.push('\n');
        Self { manifest, manifest_json, msl, ir, metallib }
    }

    /// Loads an artifact folder and compares it with today's inputs.
    #[must_use]
    pub fn load(folder: &Path, inputs: &Inputs) -> SavedArtifact {
        // Where nothing can be locked, such as on some read-only file systems, nobody saves either.
        let _lock = folder.parent().and_then(|parent| lock_shared(parent).ok());
        Self::load_locked(folder, inputs).unwrap_or_else(|fault| fault)
    }

    /// The release-profile settings that the artifact in a folder was made with, whatever else has changed since.
    #[must_use]
    pub fn saved_profile(folder: &Path) -> Option<ReleaseProfile> {
        let manifest: Manifest = serde_json::from_slice(&fs::read(folder.join(MANIFEST_FILE)).ok()?).ok()?;
        Some(manifest.inputs.profile)
    }

    fn load_locked(folder: &Path, inputs: &Inputs) -> Result<SavedArtifact, SavedArtifact> {
        let manifest_path = folder.join(MANIFEST_FILE);
        let corrupt = |why: String| SavedArtifact::Corrupt { file: manifest_path.clone(), why };
        let manifest_json = match fs::read(&manifest_path) {
            Ok(bytes) => String::from_utf8(bytes).map_err(|_| corrupt("is not UTF-8 text".into()))?,
            Err(error) if error.kind() == ErrorKind::NotFound && !folder.exists() => return Ok(SavedArtifact::Missing),
            Err(error) => return Err(corrupt(unreadable(&error))),
        };
        // The number comes first: a manifest of another form may have any other fields.
        let Schema { schema } = serde_json::from_str(&manifest_json).map_err(|error| corrupt(format!("is not a manifest: {error}")))?;
        if schema != MANIFEST_SCHEMA {
            let reason = format!("it is saved in form {schema}, and this version of metal-oxide uses form {MANIFEST_SCHEMA}");
            return Ok(SavedArtifact::Stale(vec![reason]));
        }
        let manifest: Manifest =
            serde_json::from_str(&manifest_json).map_err(|error| corrupt(format!("is not a valid manifest: {error}")))?;
        let reasons = differences(&manifest.inputs, inputs);
        if !reasons.is_empty() {
            return Ok(SavedArtifact::Stale(reasons));
        }
        if let Some(name) = manifest.files.keys().find(|name| ![MSL_FILE, IR_FILE, METALLIB_FILE].contains(&name.as_str())) {
            return Err(corrupt(format!("lists the file `{name}`, which no artifact has")));
        }
        let msl = read_text(folder, MSL_FILE, &manifest)?;
        let ir = read_text(folder, IR_FILE, &manifest)?;
        let metallib =
            if manifest.files.contains_key(METALLIB_FILE) { Some(read_checked(folder, METALLIB_FILE, &manifest)?) } else { None };
        Ok(SavedArtifact::Fresh(Box::new(Self { manifest, manifest_json, msl, ir, metallib })))
    }

    /// Saves the artifact as the whole contents of the folder. Writes nothing if the folder holds just that already.
    ///
    /// The files get the time stamp `made_from`, which should be that of the user's source file: Cargo compares the files that a crate
    /// was built from with the time at which the build began, so files that carried the time of their writing would make the next build
    /// compile the crate again.
    pub fn save(&self, folder: &Path, made_from: Option<SystemTime>) -> io::Result<()> {
        let (Some(parent), Some(name)) = (folder.parent(), folder.file_name()) else {
            return Err(io::Error::new(ErrorKind::InvalidInput, "an artifact folder has a parent and a name"));
        };
        fs::create_dir_all(parent)?;
        let _lock = lock_exclusive(parent)?;
        if self.is_saved_in(folder) {
            return Ok(());
        }
        let prefix = format!(".{}.tmp-", name.to_string_lossy());
        remove_leftovers(parent, &prefix)?;
        let fresh = parent.join(format!("{prefix}{}", unique()));
        let replaced = parent.join(format!("{prefix}{}", unique()));
        fs::create_dir(&fresh)?;
        let written = self.files().try_for_each(|(name, bytes)| write(&fresh.join(name), bytes, made_from));
        let moved = written.and_then(|()| match fs::rename(folder, &replaced) {
            Err(error) if error.kind() != ErrorKind::NotFound => Err(error),
            _ => fs::rename(&fresh, folder),
        });
        // Whatever these leave behind, the next save removes.
        let _ = fs::remove_dir_all(&replaced);
        if moved.is_err() {
            let _ = fs::remove_dir_all(&fresh);
        }
        moved
    }

    fn files(&self) -> impl Iterator<Item = (&'static str, &[u8])> {
        let text = [(MANIFEST_FILE, self.manifest_json.as_bytes()), (MSL_FILE, self.msl.as_bytes()), (IR_FILE, self.ir.as_bytes())];
        text.into_iter().chain(self.metallib.as_deref().map(|bytes| (METALLIB_FILE, bytes)))
    }

    fn is_saved_in(&self, folder: &Path) -> bool {
        let Ok(entries) = fs::read_dir(folder) else { return false };
        entries.count() == self.files().count()
            && self.files().all(|(name, bytes)| fs::read(folder.join(name)).is_ok_and(|saved| saved == bytes))
    }
}

#[derive(serde::Deserialize)]
struct Schema {
    schema: u32,
}

fn entry(name: &str, bytes: &[u8]) -> (String, FileEntry) {
    (name.to_owned(), FileEntry { sha256: sha256(bytes) })
}

/// Why an artifact made from `saved` does not fit `today`.
fn differences(saved: &Inputs, today: &Inputs) -> Vec<String> {
    let mut reasons = Vec::new();
    if saved.request != today.request {
        reasons.push("the kernel changed: its code, its attributes or its place in the file".to_owned());
    }
    if saved.compiler != today.compiler {
        reasons.push(format!(
            "it was made by the kernel compiler {}, and this version of metal-oxide uses {}",
            saved.compiler, today.compiler
        ));
    }
    let ReleaseProfile { overflow_checks, debug_assertions } = today.profile;
    for (setting, saved, today) in [
        ("overflow-checks", saved.profile.overflow_checks, overflow_checks),
        ("debug-assertions", saved.profile.debug_assertions, debug_assertions),
    ] {
        if saved != today {
            reasons.push(format!("it was made with `{setting} = {saved}`, and the release profile now says `{setting} = {today}`"));
        }
    }
    reasons
}

fn read_text(folder: &Path, name: &str, manifest: &Manifest) -> Result<String, SavedArtifact> {
    String::from_utf8(read_checked(folder, name, manifest)?)
        .map_err(|_| SavedArtifact::Corrupt { file: folder.join(name), why: "is not UTF-8 text".into() })
}

/// Reads a file of the artifact and checks that it is the one that the manifest speaks of.
fn read_checked(folder: &Path, name: &str, manifest: &Manifest) -> Result<Vec<u8>, SavedArtifact> {
    let corrupt = |why: String| SavedArtifact::Corrupt { file: folder.join(name), why };
    let Some(entry) = manifest.files.get(name) else {
        return Err(SavedArtifact::Corrupt { file: folder.join(MANIFEST_FILE), why: format!("does not list the file `{name}`") });
    };
    let bytes = fs::read(folder.join(name)).map_err(|error| corrupt(unreadable(&error)))?;
    if sha256(&bytes) != entry.sha256 {
        return Err(corrupt("is not the file that the manifest was saved with: its hash differs".into()));
    }
    Ok(bytes)
}

fn unreadable(error: &io::Error) -> String {
    match error.kind() {
        ErrorKind::NotFound => "is missing".to_owned(),
        _ => format!("cannot be read: {error}"),
    }
}

fn write(path: &Path, bytes: &[u8], modified: Option<SystemTime>) -> io::Result<()> {
    fs::write(path, bytes)?;
    if let Some(modified) = modified {
        File::options().write(true).open(path)?.set_modified(modified)?;
    }
    Ok(())
}

/// Removes what interrupted saves left behind. The caller holds the lock, so nobody is using it.
fn remove_leftovers(parent: &Path, prefix: &str) -> io::Result<()> {
    for entry in fs::read_dir(parent)? {
        let entry = entry?;
        if entry.file_name().to_string_lossy().starts_with(prefix) {
            fs::remove_dir_all(entry.path())?;
        }
    }
    Ok(())
}

fn unique() -> String {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    format!("{}-{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed))
}

fn lock_shared(folder: &Path) -> io::Result<File> {
    let file = open_for_lock(folder)?;
    file.lock_shared()?;
    Ok(file)
}

fn lock_exclusive(folder: &Path) -> io::Result<File> {
    let file = open_for_lock(folder)?;
    file.lock()?;
    Ok(file)
}

/// A folder can be locked itself, which leaves no lock file among the user's sources.
#[cfg(unix)]
fn open_for_lock(folder: &Path) -> io::Result<File> {
    File::open(folder)
}

#[cfg(not(unix))]
fn open_for_lock(folder: &Path) -> io::Result<File> {
    File::options().create(true).truncate(false).write(true).open(folder.join(".lock"))
}

#[cfg(test)]
mod tests;
