//! Buffers: memory that the host and a device share, seen as elements of one type.
//! The borrow checker orders accesses while a launch holds its arguments; what a dropped launch left behind is waited for.

mod access;
mod storage;

use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

pub use access::{Read, ReadFuture, ReadGuard, Write, WriteFuture, WriteGuard};
pub(crate) use storage::{Access, Storage};

use crate::system::Form;
use crate::{Device, Error, GpuValue, Result};

/// Elements in memory that the host and one device share.
///
/// A buffer is always initialised. Its length has nothing to do with the number of threads of a launch. Kernels read it through
/// [`ReadBuffer`](crate::device::ReadBuffer), for which a launch takes `&Buffer<T>`, `Buffer<T>` or `Arc<Buffer<T>>`, and write it through
/// [`DisjointBuffer`](crate::device::DisjointBuffer), for which it takes `&mut Buffer<T>` or `Buffer<T>`. The host uses
/// [`read`](Self::read) and [`write`](Self::write).
///
/// Make one with [`Device::buffer_from_slice`] or [`Device::buffer_zeroed`].
pub struct Buffer<T> {
    device: Device,
    storage: Arc<Storage>,
    length: usize,
    elements: PhantomData<T>,
}

impl<T: GpuValue> Buffer<T> {
    pub(crate) fn zeroed(device: &Device, length: usize) -> Result<Self> {
        let (element, align) = element_layout::<T>(device.form());
        let size = length.checked_mul(element).ok_or_else(|| Error::InvalidBuffer {
            reason: format!("{length} elements of {element} bytes are more than an address space holds: use fewer elements"),
        })?;
        Ok(Self { device: device.clone(), storage: Storage::new(size, align)?, length, elements: PhantomData })
    }

    pub(crate) fn from_slice(device: &Device, values: &[T]) -> Result<Self> {
        let mut buffer = Self::zeroed(device, values.len())?;
        buffer.write().wait().copy_from_slice(values);
        Ok(buffer)
    }

    /// Views the elements on the host, once no work on the device writes them any more.
    ///
    /// `.wait()` on the result blocks the thread, `.await` the task. Reading tells nothing about failures: the launch's own result does.
    #[must_use = "reading does nothing until it is waited for: use `.wait()` or `.await`"]
    pub fn read(&self) -> Read<'_, T> {
        Read::new(self)
    }

    /// Views the elements on the host for writing, once no work on the device uses them any more.
    ///
    /// `.wait()` on the result blocks the thread, `.await` the task.
    #[must_use = "writing does nothing until it is waited for: use `.wait()` or `.await`"]
    pub fn write(&mut self) -> Write<'_, T> {
        Write::new(self)
    }
}

impl<T> Buffer<T> {
    /// The number of elements.
    #[inline]
    pub fn len(&self) -> usize {
        self.length
    }

    /// Whether there are no elements.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.length == 0
    }

    /// The device whose kernels can use the buffer.
    #[inline]
    pub fn device(&self) -> &Device {
        &self.device
    }

    pub(crate) fn storage(&self) -> &Arc<Storage> {
        &self.storage
    }
}

/// Shows what the buffer is, not its elements: those may be in use by the device.
impl<T> fmt::Debug for Buffer<T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Buffer<{}>({} elements on {})", std::any::type_name::<T>(), self.length, self.device.name())
    }
}

/// Size and alignment of an element in the memory of a device, in bytes.
pub(crate) const fn element_layout<T: GpuValue>(form: Form) -> (usize, usize) {
    match form {
        Form::Host => (size_of::<T>(), align_of::<T>()),
        Form::Canonical => (T::SIZE, T::ALIGN),
    }
}
