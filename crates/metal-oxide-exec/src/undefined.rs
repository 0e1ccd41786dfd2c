//! What the compiled library found out about undefined behaviour, in the form in which `undefined.cpp` keeps it.

use std::ffi::{CStr, c_char};
use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};

/// The library's record of the first thing that it found.
#[repr(C)]
pub(crate) struct Finding {
    /// [`EMPTY`], [`WRITTEN`], or in between while the record is being written.
    state: AtomicU32,
    what: *const c_char,
    file: *const c_char,
    line: u32,
    column: u32,
}

const EMPTY: u32 = 0;
const WRITTEN: u32 = 2;

/// A finding as Rust values.
pub(crate) struct Found {
    pub(crate) what: String,
    pub(crate) file: PathBuf,
    pub(crate) line: u32,
    pub(crate) column: u32,
}

/// Takes the finding, if there is one, so that the next launch starts without.
///
/// # Safety
/// `finding` is null or points to the record of a loaded library.
pub(crate) unsafe fn take(finding: *const Finding) -> Option<Found> {
    if finding.is_null() {
        return None;
    }
    // SAFETY: by the caller's promise this is the record. Only the state may be written by others now, and it is atomic.
    let state = unsafe { &(*finding).state };
    if state.load(Ordering::Acquire) != WRITTEN {
        return None;
    }
    // SAFETY: a written record is not changed before it is emptied. Its texts are in the library's constant data: the description from
    // `undefined.cpp` and the file name from the compiler.
    let found = unsafe {
        let text = |text: *const c_char| CStr::from_ptr(text).to_string_lossy().into_owned();
        Found { what: text((*finding).what), file: text((*finding).file).into(), line: (*finding).line, column: (*finding).column }
    };
    state.store(EMPTY, Ordering::Release);
    Some(found)
}
