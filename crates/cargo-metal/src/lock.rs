//! One process at a time changes the cache. The lock belongs to the process: the system releases it however the process ends,
//! so an interrupted setup never has to be unlocked by hand.

use std::fs::{self, File, TryLockError};
use std::path::Path;

use crate::progress::Progress;
use crate::{Error, Result};

/// Held while the cache changes; dropping it lets the next process in.
#[derive(Debug)]
pub struct CacheLock {
    _file: File,
}

impl CacheLock {
    /// Waits until no other process holds the lock, and says so if there is one.
    ///
    /// # Errors
    ///
    /// Fails if the lock file cannot be created or locked.
    pub fn acquire(path: &Path, progress: &Progress) -> Result<Self> {
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).map_err(Error::io("create", folder))?;
        }
        let open = File::options().create(true).truncate(false).write(true).open(path);
        let file = open.map_err(Error::io("open", path))?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                let step = progress.step("waiting for another `cargo metal` that is setting up");
                file.lock().map_err(Error::io("lock", path))?;
                step.done();
            }
            Err(TryLockError::Error(error)) => return Err(Error::io("lock", path)(error)),
        }
        Ok(Self { _file: file })
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::thread;
    use std::time::Duration;

    use super::*;

    #[test]
    fn the_second_waits_for_the_first() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("new/setup.lock");
        let first = CacheLock::acquire(&path, &Progress::silent()).expect("the lock is free");
        let released = AtomicBool::new(false);
        thread::scope(|scope| {
            scope.spawn(|| {
                let _second = CacheLock::acquire(&path, &Progress::silent()).expect("the lock becomes free");
                assert!(released.load(Ordering::SeqCst), "the second process came in too early");
            });
            thread::sleep(Duration::from_millis(50));
            released.store(true, Ordering::SeqCst);
            drop(first);
        });
    }
}
