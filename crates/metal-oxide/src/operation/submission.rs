//! The way from a launch that somebody waits for to the device: checks, then order among conflicting accesses, then the backend.
//! This is the same for every backend.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use super::Completion;
use crate::backend::Work;
use crate::buffer::{Access, Storage};
use crate::launch::{Binding, Prepared};
use crate::{Device, Result};

/// Runs a launch and blocks until it is done.
///
/// The caller holds the arguments until then, so no work that conflicts can be given to the device meanwhile, and none of the accesses need
/// to be registered. Only work that was left behind earlier is in the way.
pub(crate) fn run(device: &Device, mut prepared: Prepared) -> Result<()> {
    let entry = prepared.check()?;
    for (storage, access) in prepared.accesses() {
        storage.wait_for(access);
    }
    if prepared.config.blocks() == Some(0) {
        return Ok(());
    }
    device.backend().run(Work { prepared, entry })
}

/// Gives a launch to the device without blocking. It starts when the work that it conflicts with is done.
pub(crate) fn submit(device: &Device, mut prepared: Prepared) -> Result<Completion> {
    let entry = prepared.check()?;
    let completion = Completion::new();
    let mut conflicts = Vec::new();
    for (storage, access) in prepared.accesses() {
        storage.register(access, &completion, &mut conflicts);
    }
    let work = Work { prepared, entry };
    let (start, done) = (device.clone(), completion.clone());
    when_all(conflicts, move || {
        if work.prepared.config.blocks() == Some(0) {
            done.complete(Ok(()));
        } else {
            start.backend().start(work, done);
        }
    });
    Ok(completion)
}

/// Calls `action` when all of `conditions` are done, on the thread that completes the last of them, or now.
fn when_all(conditions: Vec<Completion>, action: impl FnOnce() + Send + 'static) {
    if conditions.is_empty() {
        return action();
    }
    let left = Arc::new((AtomicUsize::new(conditions.len()), Mutex::new(Some(action))));
    for condition in conditions {
        let left = Arc::clone(&left);
        condition.then(move || {
            if left.0.fetch_sub(1, Ordering::AcqRel) == 1
                && let Some(action) = left.1.lock().unwrap_or_else(PoisonError::into_inner).take()
            {
                action();
            }
        });
    }
}

impl Prepared {
    /// The storage that the launch uses, and how.
    fn accesses(&self) -> impl Iterator<Item = (&Storage, Access)> {
        self.bindings.iter().filter_map(|binding| match binding {
            Binding::Buffer { storage, access, .. } => Some((&**storage, *access)),
            Binding::Value { .. } => None,
        })
    }
}
