//! A buffer that a kernel reads.

use core::marker::PhantomData;
use core::ptr;

/// A kernel's view of a buffer that nobody writes during the launch.
///
/// The host passes a `Buffer<T>` by shared borrow, by value or in an `Arc`. The lifetime is the launch's and is left out in a kernel's
/// signature: `a: ReadBuffer<f32>`.
///
/// ```compile_fail,E0521
/// # use metal_oxide_device::ReadBuffer;
/// # use std::cell::RefCell;
/// thread_local!(static KEPT: RefCell<Option<ReadBuffer<'static, f32>>> = RefCell::new(None));
/// fn kernel(a: ReadBuffer<f32>) {
///     KEPT.set(Some(a)); // a buffer does not outlive its launch
/// }
/// ```
///
/// ```compile_fail,E0521
/// # use metal_oxide_device::ReadBuffer;
/// # use std::cell::Cell;
/// thread_local!(static KEPT: Cell<&'static [f32]> = Cell::new(&[]));
/// fn kernel(a: ReadBuffer<f32>) {
///     KEPT.set(a.as_slice()); // nor do its elements
/// }
/// ```
///
/// ```compile_fail,E0277
/// # use metal_oxide_device::ReadBuffer;
/// fn kernel(a: ReadBuffer<f32>) {
///     std::thread::scope(|scope| {
///         scope.spawn(move || a.len()); // nor does it leave its thread
///     });
/// }
/// ```
#[cfg_attr(metal_oxide_device, rustc_diagnostic_item = "metal_oxide_ReadBuffer")]
#[repr(C)]
pub struct ReadBuffer<'launch, T> {
    pointer: *const T,
    length: usize,
    launch: PhantomData<&'launch [T]>,
}

impl<'launch, T> ReadBuffer<'launch, T> {
    /// The buffer of `length` elements at `pointer`.
    ///
    /// # Safety
    ///
    /// For `'launch`, `pointer` points to `length` consecutive initialised values that nobody writes, and `T` has no interior mutability
    /// and may be shared between threads. `pointer` is aligned and not null, even when `length` is zero.
    #[doc(hidden)]
    #[cfg(not(metal_oxide_device))]
    #[inline(always)]
    pub const unsafe fn from_raw_parts(pointer: *const T, length: usize) -> Self {
        Self { pointer, length, launch: PhantomData }
    }

    /// All elements.
    #[inline]
    pub fn as_slice(&self) -> &'launch [T] {
        // SAFETY: whoever made this value promised that the elements are there, initialised and unwritten for `'launch`.
        unsafe { &*ptr::slice_from_raw_parts(self.pointer, self.length) }
    }

    /// The number of elements, which has nothing to do with the number of threads.
    #[inline]
    pub fn len(&self) -> usize {
        self.length
    }

    /// Whether there are no elements.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.length == 0
    }

    /// The element at `index`, or `None` when it is out of range.
    #[inline]
    pub fn get(&self, index: usize) -> Option<&'launch T> {
        self.as_slice().get(index)
    }
}

impl<T> Clone for ReadBuffer<'_, T> {
    #[inline]
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for ReadBuffer<'_, T> {}
