//! Fetches the packaged sources of the pinned Rust release with apt, without touching the system's configuration: a sources list,
//! package lists and a download folder of our own, a checksum, and an unpacked copy. Nothing is installed.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use metal_oxide_artifact::{Cache, ToolchainPin, sha256};

use crate::host::{self, Host};
use crate::mirrors::configured_mirrors;
use crate::progress::Progress;
use crate::{Error, Result};

/// Makes sure that the packaged sources stand unpacked in the cache, and returns their folder.
///
/// # Errors
///
/// Fails with the next step if tools, keys, network or space are missing, or if the package is not the pinned one.
pub fn fetch_sources(host: &Host, cache: &Cache, progress: &Progress) -> Result<PathBuf> {
    let sources = cache.rustc_sources(&host.pin);
    if sources.exists() {
        return Ok(sources);
    }
    let package = package_file(host, cache, progress)?;
    let step = progress.step("unpacking the sources of rustc");
    unpack(host, &package, &cache.unpacked_package(&host.pin))?;
    step.done();
    Ok(sources)
}

/// The package file with the pinned checksum, downloaded if it is not there.
fn package_file(host: &Host, cache: &Cache, progress: &Progress) -> Result<PathBuf> {
    let folder = cache.downloads();
    fs::create_dir_all(&folder).map_err(Error::io("create", &folder))?;
    // apt writes a colon of the version as %3a; this version has none.
    let path = folder.join(format!("{}_{}_all.deb", host.pin.package.name, host.pin.package.version));
    if path.exists() {
        if sha256_of(&path)? == host.pin.package.sha256 {
            return Ok(path);
        }
        // The rest of an interrupted copy, or a damaged disk. The mirror may have a good one.
        fs::remove_file(&path).map_err(Error::io("remove", &path))?;
    }
    let step = progress.step("downloading the sources of rustc");
    download(host, cache, &folder)?;
    let found = sha256_of(&path)?;
    if found != host.pin.package.sha256 {
        let (expected, release) = (host.pin.package.sha256.clone(), host.pin.release.clone());
        return Err(Error::Checksum { path, found, expected, release });
    }
    step.done();
    Ok(path)
}

/// Tries each configured mirror until one has the package.
fn download(host: &Host, cache: &Cache, folder: &Path) -> Result<()> {
    let apt_get = host.find("apt-get").ok_or_else(|| no_tool("apt-get", &host.pin))?;
    if host.find("dpkg-deb").is_none() {
        return Err(no_tool("dpkg-deb", &host.pin));
    }
    let mirrors = configured_mirrors(&host.apt_folder);
    if mirrors.is_empty() {
        return Err(Error::NoMirror { folder: host.apt_folder.clone(), release: host.pin.release.clone() });
    }
    if !host.keyring.exists() {
        return Err(Error::NoKeyring { path: host.keyring.clone() });
    }
    let mut last = None;
    for mirror in &mirrors {
        match download_from(host, cache, folder, &apt_get, mirror) {
            Ok(()) => return Ok(()),
            // Another mirror has as little room on this disk.
            Err(error @ (Error::DiskFull { .. } | Error::Io { .. })) => return Err(error),
            Err(error) => last = Some(error),
        }
    }
    Err(last.expect("there is at least one mirror"))
}

fn download_from(host: &Host, cache: &Cache, folder: &Path, apt_get: &Path, mirror: &str) -> Result<()> {
    let apt = cache.apt();
    for part in ["lists/partial", "cache/archives/partial"] {
        let path = apt.join(part);
        fs::create_dir_all(&path).map_err(Error::io("create", &path))?;
    }
    let list = apt.join("sources.list");
    let line = format!("deb [signed-by={}] {mirror} {} main\n", host.keyring.display(), host.pin.package.suite);
    fs::write(&list, line).map_err(Error::io("write", &list))?;

    let command = |arguments: &[&str]| {
        let mut command = host.command(apt_get);
        command.arg("-o").arg(option("Dir::Etc::sourcelist", &list)).args(["-o", "Dir::Etc::sourceparts=-"]);
        command.arg("-o").arg(option("Dir::State::lists", &apt.join("lists")));
        command.arg("-o").arg(option("Dir::Cache", &apt.join("cache")));
        command.args(["-o", "Dir::Cache::pkgcache=", "-o", "Dir::Cache::srcpkgcache="]);
        // Otherwise an unreachable mirror would be tried for minutes, and a failed update would count as success.
        command.args(["-o", "Acquire::Retries=1", "-o", "Acquire::http::Timeout=30", "-o", "APT::Update::Error-Mode=any"]);
        command.env("LC_ALL", "C").args(arguments).current_dir(folder);
        command
    };
    apt_step(&mut command(&["update"]), "the list of Debian's packages", folder, &host.pin)?;
    let wanted = format!("{}={}", host.pin.package.name, host.pin.package.version);
    apt_step(&mut command(&["download", &wanted]), "the package with the sources of rustc", folder, &host.pin)
}

fn sha256_of(path: &Path) -> Result<String> {
    Ok(sha256(&fs::read(path).map_err(Error::io("read", path))?))
}

fn option(name: &str, path: &Path) -> String {
    format!("{name}={}", path.display())
}

/// Runs apt and tells its reasons for failing apart.
fn apt_step(command: &mut Command, what: &str, folder: &Path, pin: &ToolchainPin) -> Result<()> {
    let output = command.stdin(Stdio::null()).output().map_err(Error::io("start", Path::new("apt-get")))?;
    if output.status.success() {
        return Ok(());
    }
    let text = host::text_of(&output);
    let lower = text.to_lowercase();
    if lower.contains("no space left") || lower.contains("enough free space") {
        return Err(Error::DiskFull { folder: folder.to_path_buf(), detail: last_line(&text) });
    }
    if lower.contains("does not have a release file") || lower.contains("was not found") || lower.contains("unable to locate") {
        return Err(Error::PackageNotFound {
            package: pin.package.name.clone(),
            version: pin.package.version.clone(),
            release: pin.release.clone(),
            output: text,
        });
    }
    Err(Error::Network { what: what.to_owned(), output: text })
}

fn last_line(text: &str) -> String {
    text.lines().last().unwrap_or_default().to_owned()
}

/// Unpacks beside the final place and renames at the end, so that an interrupt leaves nothing that looks complete.
fn unpack(host: &Host, package: &Path, folder: &Path) -> Result<()> {
    let dpkg = host.find("dpkg-deb").ok_or_else(|| no_tool("dpkg-deb", &host.pin))?;
    let partial = folder.with_file_name(format!("{}.partial", folder.file_name().unwrap_or_default().display()));
    remove_folder(&partial)?;
    fs::create_dir_all(&partial).map_err(Error::io("create", &partial))?;
    host::run(host.command(&dpkg).env("LC_ALL", "C").arg("-x").arg(package).arg(&partial)).map_err(|error| match error {
        Error::Program { output, .. } if output.to_lowercase().contains("no space left") => {
            Error::DiskFull { folder: partial.clone(), detail: last_line(&output) }
        }
        other => other,
    })?;
    remove_folder(folder)?;
    fs::rename(&partial, folder).map_err(Error::io("rename", &partial))
}

/// Removes a folder with everything in it, if it is there.
pub(crate) fn remove_folder(path: &Path) -> Result<()> {
    match fs::remove_dir_all(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(Error::io("remove", path)(error)),
        _ => Ok(()),
    }
}

fn no_tool(program: &'static str, pin: &ToolchainPin) -> Error {
    Error::NoPackageTool { program, release: pin.release.clone() }
}
