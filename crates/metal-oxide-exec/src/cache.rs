//! Files in the cache folder: locks between processes, and folders that appear complete or not at all.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use crate::ExecError;

/// A lock that this process holds until it is dropped, and that no other thread or process can hold.
pub(crate) struct Lock {
    _file: File,
}

impl Lock {
    /// Waits for the lock on a file, which is created if needed.
    pub(crate) fn acquire(path: &Path) -> Result<Self, ExecError> {
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent).map_err(ExecError::cache("create", parent))?;
        }
        let file = File::options().create(true).write(true).truncate(false).open(path).map_err(ExecError::cache("open", path))?;
        file.lock().map_err(ExecError::cache("lock", path))?;
        Ok(Self { _file: file })
    }
}

/// Fills a folder under a temporary name and gives it its own name at the end. If another process was faster, its folder stays.
pub(crate) fn write_folder(folder: &Path, fill: impl FnOnce(&Path) -> Result<(), ExecError>) -> Result<(), ExecError> {
    let temporary = Temporary::beside(folder)?;
    fill(&temporary.path)?;
    match fs::rename(&temporary.path, folder) {
        Err(_) if folder.is_dir() => Ok(()),
        result => result.map_err(ExecError::cache("create", folder)),
    }
}

/// A folder that is removed with its content when dropped, unless it was renamed.
pub(crate) struct Temporary {
    pub(crate) path: PathBuf,
}

impl Temporary {
    /// A new folder that is a sibling of another path, so that it can be renamed to it.
    pub(crate) fn beside(folder: &Path) -> Result<Self, ExecError> {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let name = folder.file_name().unwrap_or_default().to_string_lossy();
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let path = folder.with_file_name(format!(".{name}-{}-{number}", std::process::id()));
        fs::create_dir_all(&path).map_err(ExecError::cache("create", &path))?;
        Ok(Self { path })
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        // After the rename there is nothing to remove, and a folder that cannot be removed does no harm.
        let _ = fs::remove_dir_all(&self.path);
    }
}
