//! The memory of a buffer, and which work on the device still uses it.
//! Storage outlives the buffer as long as work needs it, so whatever is dropped or forgotten, the device never touches freed memory.

use std::alloc::{Layout, alloc_zeroed, dealloc};
use std::num::NonZero;
use std::ptr::NonNull;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use crate::operation::Completion;
use crate::{Error, Result};

/// How a device's kernels use an argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Access {
    /// Others may read at the same time.
    Read,
    /// Nobody else may access it at the same time.
    Write,
}

/// Memory that host and device share.
#[derive(Debug)]
pub(crate) struct Storage {
    memory: Memory,
    accesses: Mutex<Accesses>,
    /// False only when no access is pending, so that the common case takes no lock.
    maybe_pending: AtomicBool,
}

/// The work that was given to the device and may not have ended.
#[derive(Debug, Default)]
struct Accesses {
    /// The last writer.
    writer: Option<Completion>,
    /// The readers since.
    readers: Vec<Completion>,
    /// The number of readers at which those that are done are thrown out, so that the list does not grow with the buffer's age.
    prune_at: usize,
}

impl Storage {
    /// Zeroed memory.
    pub(crate) fn new(size: usize, align: usize) -> Result<Arc<Self>> {
        let memory = Memory::zeroed(size, align)?;
        Ok(Arc::new(Self { memory, accesses: Mutex::default(), maybe_pending: AtomicBool::new(false) }))
    }

    /// The first byte. It is aligned as asked for, also when there are no bytes.
    pub(crate) fn pointer(&self) -> NonNull<u8> {
        self.memory.pointer
    }

    pub(crate) fn size(&self) -> usize {
        self.memory.layout.size()
    }

    /// The pending work that an access has to wait for.
    pub(crate) fn conflicts(&self, access: Access) -> Vec<Completion> {
        if !self.maybe_pending.load(Ordering::Acquire) {
            return Vec::new();
        }
        let accesses = self.accesses.lock().unwrap_or_else(PoisonError::into_inner);
        accesses.conflicts(access)
    }

    /// Blocks until no pending work is in the way of an access.
    pub(crate) fn wait_for(&self, access: Access) {
        for conflict in self.conflicts(access) {
            conflict.wait();
        }
    }

    /// Notes that `work` will access the storage, and adds to `conflicts` what it has to wait for.
    ///
    /// Callers hold the borrow or the ownership that the access needs. So two pieces of work that conflict are never registered at the
    /// same time, and the order in which they are is the same for every storage that they share: no circle of waiting can form.
    pub(crate) fn register(&self, access: Access, work: &Completion, conflicts: &mut Vec<Completion>) {
        let mut accesses = self.accesses.lock().unwrap_or_else(PoisonError::into_inner);
        conflicts.extend(accesses.conflicts(access));
        match access {
            Access::Read => accesses.add_reader(work.clone()),
            Access::Write => *accesses = Accesses { writer: Some(work.clone()), ..Accesses::default() },
        }
        self.maybe_pending.store(true, Ordering::Release);
    }
}

impl Accesses {
    fn conflicts(&self, access: Access) -> Vec<Completion> {
        let readers = match access {
            Access::Read => &[],
            Access::Write => self.readers.as_slice(),
        };
        self.writer.iter().chain(readers).filter(|work| !work.is_done()).cloned().collect()
    }

    fn add_reader(&mut self, reader: Completion) {
        if self.readers.len() >= self.prune_at {
            self.readers.retain(|reader| !reader.is_done());
            self.prune_at = 2 * self.readers.len() + 8;
        }
        self.readers.push(reader);
    }
}

/// An allocation.
#[derive(Debug)]
struct Memory {
    pointer: NonNull<u8>,
    layout: Layout,
}

// SAFETY: the memory is owned, and who may access it when is decided by `Storage`'s users: guards borrow the buffer and wait for pending
// work, and work on the device is registered.
unsafe impl Send for Memory {}
// SAFETY: as above; `Memory` itself never reads or writes its bytes.
unsafe impl Sync for Memory {}

impl Memory {
    fn zeroed(size: usize, align: usize) -> Result<Self> {
        let layout = Layout::from_size_align(size, align).map_err(|_| Error::InvalidBuffer {
            reason: format!("{size} bytes are more than any allocation can have: use fewer elements"),
        })?;
        if size == 0 {
            let address = NonZero::new(layout.align()).expect("an alignment is not zero");
            return Ok(Self { pointer: NonNull::without_provenance(address), layout });
        }
        // SAFETY: the layout's size is not zero.
        let pointer = unsafe { alloc_zeroed(layout) };
        let pointer = NonNull::new(pointer).ok_or_else(|| Error::InvalidBuffer {
            reason: format!("there is no memory for {size} bytes: use fewer elements or drop other buffers first"),
        })?;
        Ok(Self { pointer, layout })
    }
}

impl Drop for Memory {
    fn drop(&mut self) {
        if self.layout.size() != 0 {
            // SAFETY: the pointer came from `alloc_zeroed` with this layout and is freed once.
            unsafe { dealloc(self.pointer.as_ptr(), self.layout) }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_writer_waits_for_readers_and_a_reader_for_the_writer() {
        let storage = Storage::new(4, 4).unwrap();
        let [writer, first_reader, second_reader] = std::array::from_fn(|_| Completion::new());
        let mut conflicts = Vec::new();
        storage.register(Access::Write, &writer, &mut conflicts);
        assert!(conflicts.is_empty());
        for reader in [&first_reader, &second_reader] {
            conflicts.clear();
            storage.register(Access::Read, reader, &mut conflicts);
            assert_eq!(conflicts.len(), 1, "a reader waits for the writer only");
        }
        assert_eq!(storage.conflicts(Access::Write).len(), 3);
        writer.complete(Ok(()));
        assert_eq!(storage.conflicts(Access::Read).len(), 0);
        first_reader.complete(Ok(()));
        assert_eq!(storage.conflicts(Access::Write).len(), 1);
        second_reader.complete(Ok(()));
        storage.wait_for(Access::Write);
    }

    #[test]
    fn readers_that_are_done_are_forgotten() {
        let storage = Storage::new(4, 4).unwrap();
        for _ in 0..10_000 {
            let reader = Completion::new();
            storage.register(Access::Read, &reader, &mut Vec::new());
            reader.complete(Ok(()));
        }
        assert!(storage.accesses.lock().unwrap().readers.len() <= 16);
    }

    #[test]
    fn empty_storage_has_an_aligned_pointer() {
        let storage = Storage::new(0, 16).unwrap();
        assert_eq!(storage.pointer().as_ptr().addr() % 16, 0);
    }

    #[test]
    fn impossible_sizes_are_errors() {
        assert!(matches!(Storage::new(usize::MAX, 16), Err(Error::InvalidBuffer { .. })));
        assert!(matches!(Storage::new(isize::MAX as usize - 64, 16), Err(Error::InvalidBuffer { .. })));
    }
}
