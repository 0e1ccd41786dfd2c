//! `cargo metal setup`: rustc's crates, the kernel compiler, the device library, in this order.
//! Complete steps leave stamps, so a second run is over at once and an interrupted one goes on where it stopped.

use std::path::Path;

use metal_oxide_artifact::{COMPILER_IDENTITY, Cache, InstalledCompiler};

use crate::compiler;
use crate::host::Host;
use crate::lock::CacheLock;
use crate::progress::Progress;
use crate::provider::Provider;
use crate::rustc_source::Sources;
use crate::{Result, apple};

/// What setup should do.
#[derive(Clone, Copy, Debug, Default)]
pub struct SetupOptions<'a> {
    /// Unpacked sources of the pinned release, to be used whatever else the machine offers.
    pub rustc_sources: Option<&'a Path>,
}

/// What setup found or did.
#[derive(Debug)]
pub struct Setup {
    /// The kernel compiler.
    pub compiler: InstalledCompiler,
    /// Nothing had to be done.
    pub was_complete: bool,
}

/// Installs the kernel compiler that belongs to this version of the project, with all that it needs.
///
/// # Errors
///
/// Fails with the next step; what was complete by then is kept.
pub fn setup(host: &Host, options: SetupOptions<'_>, progress: &Progress) -> Result<Setup> {
    let (cache, pin) = (host.cache()?, &host.pin);
    let given = options.rustc_sources.map(|folder| Sources::given(folder, pin)).transpose()?;
    let key = given.map(|sources| sources.key);
    let complete = || compiler::installed(&cache, COMPILER_IDENTITY, pin, key.as_deref());
    if let Some(compiler) = complete() {
        return Ok(Setup { compiler, was_complete: true });
    }
    let _lock = CacheLock::acquire(&cache.lock_file(), progress)?;
    // The process that held the lock may have done it all.
    if let Some(compiler) = complete() {
        return Ok(Setup { compiler, was_complete: true });
    }
    let provider = Provider::obtain(host, &cache, options.rustc_sources, progress)?;
    let compiler = compiler::install(host, &cache, COMPILER_IDENTITY, &provider, progress)?;
    apple::install_metal_toolchain(host, progress);
    Ok(Setup { compiler, was_complete: false })
}

/// Gets rustc's crates alone, for work on the kernel compiler itself.
///
/// # Errors
///
/// Fails as [`setup`] does.
pub fn rustc_crates(host: &Host, cache: &Cache, progress: &Progress) -> Result<Provider> {
    if let Some(found) = Provider::find(host, cache) {
        return Ok(found);
    }
    let _lock = CacheLock::acquire(&cache.lock_file(), progress)?;
    Provider::obtain(host, cache, None, progress)
}
