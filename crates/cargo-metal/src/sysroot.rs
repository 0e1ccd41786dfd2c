//! A private sysroot: the toolchain as it is, with the standard library's sources where `-Zbuild-std` looks for them.
//! The user's toolchain stays untouched; its files are linked, not copied, where the file system can.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use metal_oxide_artifact::Cache;

use crate::fetch::remove_folder;
use crate::host::Host;
use crate::provider::{Provider, Way};
use crate::{Error, Result};

/// The toolchain to use for `-Zbuild-std`: the user's own where rustup put the sources into it, else a private one.
///
/// # Errors
///
/// Fails if the links cannot be made.
pub fn private_sysroot(host: &Host, cache: &Cache, provider: &Provider) -> Result<PathBuf> {
    let toolchain = &provider.toolchain.sysroot;
    if matches!(provider.way, Way::Rustup { .. }) {
        return Ok(toolchain.clone());
    }
    let sysroot = cache.sysroot(&provider.key(&host.pin));
    let library = sysroot.join("lib/rustlib/src/rust/library");
    if library.join("core").exists() && fs::read_link(sysroot.join("toolchain")).is_ok_and(|target| target == *toolchain) {
        return Ok(sysroot);
    }
    remove_folder(&sysroot)?;
    for folder in ["bin", "lib/rustlib/src/rust"] {
        let folder = sysroot.join(folder);
        fs::create_dir_all(&folder).map_err(Error::io("create", &folder))?;
    }
    // rustc takes the folder of its own shared library for the sysroot, links followed: symbolic links would lead back.
    for folder in ["bin", "lib"] {
        for entry in files(&toolchain.join(folder))? {
            let name = entry.file_name().expect("an entry has a name");
            place(&entry, &sysroot.join(folder).join(name)).map_err(Error::io("link", &entry))?;
        }
    }
    let triple = &provider.toolchain.host;
    symlink(&toolchain.join("lib/rustlib").join(triple), &sysroot.join("lib/rustlib").join(triple))?;
    symlink(&provider.library(), &library)?;
    // The last link says that the others are complete, and for which toolchain.
    symlink(toolchain, &sysroot.join("toolchain"))?;
    Ok(sysroot)
}

/// The files (and links to files) of a folder, without its folders.
fn files(folder: &Path) -> Result<Vec<PathBuf>> {
    let entries = fs::read_dir(folder).map_err(Error::io("read", folder))?;
    Ok(entries.flatten().map(|entry| entry.path()).filter(|path| path.is_file()).collect())
}

/// A second name for a file, or a copy where that cannot be.
fn place(from: &Path, to: &Path) -> io::Result<()> {
    fs::hard_link(from, to).or_else(|_| fs::copy(from, to).map(|_| ()))
}

fn symlink(target: &Path, link: &Path) -> Result<()> {
    #[cfg(unix)]
    let made = std::os::unix::fs::symlink(target, link);
    #[cfg(not(unix))]
    let made = std::os::windows::fs::symlink_dir(target, link);
    made.map_err(Error::io("link", link))
}
