//! The host's views of a buffer: waited for on a thread or in a task, then held as guards.
//! A guard is a slice. Where a device's memory does not hold Rust's layout, it is a decoded copy that a write guard encodes back.

use std::fmt;
use std::future::{Future, IntoFuture};
use std::ops::{Deref, DerefMut};
use std::pin::Pin;
use std::slice;
use std::task::{Context, Poll, ready};

use super::{Access, Storage};
use crate::operation::WaitingTask;
use crate::system::Form;
use crate::{Buffer, GpuValue};

/// A view for reading that nobody has waited for yet: see [`Buffer::read`].
#[must_use = "reading does nothing until it is waited for: use `.wait()` or `.await`"]
pub struct Read<'buffer, T> {
    buffer: &'buffer Buffer<T>,
}

/// A view for writing that nobody has waited for yet: see [`Buffer::write`].
#[must_use = "writing does nothing until it is waited for: use `.wait()` or `.await`"]
pub struct Write<'buffer, T> {
    buffer: &'buffer mut Buffer<T>,
}

impl<'buffer, T: GpuValue> Read<'buffer, T> {
    pub(super) fn new(buffer: &'buffer Buffer<T>) -> Self {
        Self { buffer }
    }

    /// Blocks the thread until the elements can be read.
    pub fn wait(self) -> ReadGuard<'buffer, T> {
        self.buffer.storage().wait_for(Access::Read);
        ReadGuard::new(self.buffer)
    }
}

impl<'buffer, T: GpuValue> Write<'buffer, T> {
    pub(super) fn new(buffer: &'buffer mut Buffer<T>) -> Self {
        Self { buffer }
    }

    /// Blocks the thread until the elements can be written.
    pub fn wait(self) -> WriteGuard<'buffer, T> {
        self.buffer.storage().wait_for(Access::Write);
        WriteGuard::new(self.buffer)
    }
}

impl<'buffer, T: GpuValue> IntoFuture for Read<'buffer, T> {
    type Output = ReadGuard<'buffer, T>;
    type IntoFuture = ReadFuture<'buffer, T>;

    fn into_future(self) -> Self::IntoFuture {
        ReadFuture { pending: Pending::new(self.buffer.storage(), Access::Read), buffer: self.buffer }
    }
}

impl<'buffer, T: GpuValue> IntoFuture for Write<'buffer, T> {
    type Output = WriteGuard<'buffer, T>;
    type IntoFuture = WriteFuture<'buffer, T>;

    fn into_future(self) -> Self::IntoFuture {
        WriteFuture { pending: Pending::new(self.buffer.storage(), Access::Write), buffer: Some(self.buffer) }
    }
}

/// The pending work that is in the way of an access, waited for in turn.
struct Pending {
    work: Vec<WaitingTask>,
}

impl Pending {
    fn new(storage: &Storage, access: Access) -> Self {
        Self { work: storage.conflicts(access).into_iter().map(WaitingTask::new).collect() }
    }

    fn poll(&mut self, context: &mut Context<'_>) -> Poll<()> {
        while let Some(work) = self.work.last_mut() {
            ready!(work.poll(context));
            self.work.pop();
        }
        Poll::Ready(())
    }
}

/// The future of [`Buffer::read`].
pub struct ReadFuture<'buffer, T> {
    pending: Pending,
    buffer: &'buffer Buffer<T>,
}

impl<'buffer, T: GpuValue> Future for ReadFuture<'buffer, T> {
    type Output = ReadGuard<'buffer, T>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        ready!(self.pending.poll(context));
        Poll::Ready(ReadGuard::new(self.buffer))
    }
}

/// The future of [`Buffer::write`].
pub struct WriteFuture<'buffer, T> {
    pending: Pending,
    /// Taken when the future is ready.
    buffer: Option<&'buffer mut Buffer<T>>,
}

impl<'buffer, T: GpuValue> Future for WriteFuture<'buffer, T> {
    type Output = WriteGuard<'buffer, T>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        ready!(self.pending.poll(context));
        let buffer = self.buffer.take().expect("a future is not polled after it was ready");
        Poll::Ready(WriteGuard::new(buffer))
    }
}

/// The elements of a buffer, for reading. It is a slice and compares with slices, arrays and vectors.
pub struct ReadGuard<'buffer, T> {
    elements: Elements<&'buffer [T], T>,
}

/// The elements of a buffer, for writing. It is a mutable slice; what was written is there for the device when the guard is dropped.
pub struct WriteGuard<'buffer, T: GpuValue> {
    elements: Elements<&'buffer mut [T], T>,
    storage: &'buffer Storage,
}

enum Elements<InPlace, T> {
    /// The device's memory itself.
    InPlace(InPlace),
    /// What the device's memory holds, in Rust's layout.
    Decoded(Vec<T>),
}

impl<'buffer, T: GpuValue> ReadGuard<'buffer, T> {
    /// Callers have waited for the work that writes the buffer.
    fn new(buffer: &'buffer Buffer<T>) -> Self {
        let elements = if is_in_place(buffer) {
            let pointer = buffer.storage().pointer().cast::<T>();
            // SAFETY: the storage holds `len` elements in Rust's layout, always initialised. No work writes them: callers have waited for
            // pending work, and new work that writes needs the exclusive borrow or the ownership that the borrow here rules out.
            Elements::InPlace(unsafe { slice::from_raw_parts(pointer.as_ptr(), buffer.len()) })
        } else {
            Elements::Decoded(decode(buffer))
        };
        Self { elements }
    }
}

impl<'buffer, T: GpuValue> WriteGuard<'buffer, T> {
    /// Callers have waited for the work that uses the buffer.
    fn new(buffer: &'buffer mut Buffer<T>) -> Self {
        let elements = if is_in_place(buffer) {
            let pointer = buffer.storage().pointer().cast::<T>();
            // SAFETY: as for reading, and the exclusive borrow rules out readers as well.
            Elements::InPlace(unsafe { slice::from_raw_parts_mut(pointer.as_ptr(), buffer.len()) })
        } else {
            Elements::Decoded(decode(buffer))
        };
        Self { elements, storage: buffer.storage() }
    }
}

fn is_in_place<T: GpuValue>(buffer: &Buffer<T>) -> bool {
    T::IN_PLACE || buffer.device().form() == Form::Host
}

/// Callers have waited for the work that writes the buffer.
fn decode<T: GpuValue>(buffer: &Buffer<T>) -> Vec<T> {
    let storage = buffer.storage();
    // SAFETY: the storage's bytes are initialised, and unwritten while the buffer is borrowed: as in `ReadGuard::new`.
    let bytes = unsafe { slice::from_raw_parts(storage.pointer().as_ptr(), storage.size()) };
    (0..buffer.len()).map(|index| T::decode(&bytes[index * T::SIZE..][..T::SIZE])).collect()
}

impl<T: GpuValue> Drop for WriteGuard<'_, T> {
    fn drop(&mut self) {
        let Elements::Decoded(values) = &self.elements else { return };
        // SAFETY: the guard borrows the buffer exclusively and was made after all work that uses it had ended.
        let bytes = unsafe { slice::from_raw_parts_mut(self.storage.pointer().as_ptr(), self.storage.size()) };
        bytes.fill(0);
        for (index, value) in values.iter().enumerate() {
            value.encode(&mut bytes[index * T::SIZE..][..T::SIZE]);
        }
    }
}

impl<T> Deref for ReadGuard<'_, T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        match &self.elements {
            Elements::InPlace(elements) => elements,
            Elements::Decoded(elements) => elements,
        }
    }
}

impl<T: GpuValue> Deref for WriteGuard<'_, T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        match &self.elements {
            Elements::InPlace(elements) => elements,
            Elements::Decoded(elements) => elements,
        }
    }
}

impl<T: GpuValue> DerefMut for WriteGuard<'_, T> {
    fn deref_mut(&mut self) -> &mut [T] {
        match &mut self.elements {
            Elements::InPlace(elements) => elements,
            Elements::Decoded(elements) => elements,
        }
    }
}

impl<T: fmt::Debug> fmt::Debug for ReadGuard<'_, T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&**self, formatter)
    }
}

impl<T: GpuValue + fmt::Debug> fmt::Debug for WriteGuard<'_, T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&**self, formatter)
    }
}

/// Implements comparison of guards with whatever can be sliced.
macro_rules! compares_with {
    ($([$($generics:tt)*] $other:ty),* $(,)?) => {$(
        impl<T: PartialEq<U>, U, $($generics)*> PartialEq<$other> for ReadGuard<'_, T> {
            fn eq(&self, other: &$other) -> bool {
                self[..] == other[..]
            }
        }
    )*};
}

compares_with! {
    [] [U],
    [] &[U],
    [] Vec<U>,
    [const N: usize] [U; N],
    [const N: usize] &[U; N],
    [] ReadGuard<'_, U>,
}
