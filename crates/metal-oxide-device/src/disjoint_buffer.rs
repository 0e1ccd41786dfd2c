//! A buffer of which every thread may write its own element.

use core::marker::PhantomData;

use crate::ThreadIndex;

/// A kernel's view of a buffer in which each thread owns the element at its own index.
///
/// The host passes a `Buffer<T>` by exclusive borrow or by value. The lifetime is the launch's and is left out in a kernel's signature:
/// `mut out: DisjointBuffer<f32>`.
///
/// ```compile_fail,E0499
/// # use metal_oxide_device::{DisjointBuffer, thread_index};
/// fn kernel(mut out: DisjointBuffer<u32>) {
///     let first = out.get_mut(&thread_index());
///     let second = out.get_mut(&thread_index()); // two tokens, but one element at a time
///     core::mem::swap(first.unwrap(), second.unwrap());
/// }
/// ```
///
/// ```compile_fail,E0521
/// # use metal_oxide_device::DisjointBuffer;
/// # use std::cell::RefCell;
/// thread_local!(static KEPT: RefCell<Option<DisjointBuffer<'static, u32>>> = RefCell::new(None));
/// fn kernel(out: DisjointBuffer<u32>) {
///     KEPT.set(Some(out)); // a buffer does not outlive its launch
/// }
/// ```
///
/// ```compile_fail,E0277
/// # use metal_oxide_device::DisjointBuffer;
/// fn kernel(out: DisjointBuffer<u32>) {
///     std::thread::scope(|scope| {
///         scope.spawn(move || out.len()); // nor does it leave its thread
///     });
/// }
/// ```
///
/// ```compile_fail,E0599
/// # use metal_oxide_device::DisjointBuffer;
/// fn twice(out: DisjointBuffer<u32>) {
///     let other = out.clone();
/// }
/// ```
#[cfg_attr(metal_oxide_device, rustc_diagnostic_item = "metal_oxide_DisjointBuffer")]
#[repr(C)]
pub struct DisjointBuffer<'launch, T> {
    pointer: *mut T,
    length: usize,
    launch: PhantomData<&'launch mut [T]>,
}

impl<T> DisjointBuffer<'_, T> {
    /// The buffer of `length` elements at `pointer`.
    ///
    /// # Safety
    ///
    /// For the lifetime of the value, `pointer` points to `length` consecutive initialised values that are accessed only through values
    /// made by this function for threads of the same launch, at most one for each thread, and `T` may be sent between threads. `pointer` is
    /// aligned and not null, even when `length` is zero.
    #[doc(hidden)]
    #[cfg(not(metal_oxide_device))]
    #[inline(always)]
    pub const unsafe fn from_raw_parts(pointer: *mut T, length: usize) -> Self {
        Self { pointer, length, launch: PhantomData }
    }

    /// The running thread's own element, or `None` when there are more threads than elements and this one has none.
    ///
    /// # Panics
    ///
    /// On the host, when the token is used outside a launch.
    #[inline]
    pub fn get_mut(&mut self, index: &ThreadIndex) -> Option<&mut T> {
        let index = index.get();
        if index < self.length {
            // SAFETY: the element is in range, and `index` is the running thread's alone in this launch, which has one dimension. The
            // borrow of `self` keeps the thread from asking for the same element twice.
            Some(unsafe { &mut *self.pointer.add(index) })
        } else {
            None
        }
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

    /// Reads any element, without a check.
    ///
    /// # Safety
    ///
    /// `index` is less than [`len`](Self::len), and no other thread writes the element during the launch unless a barrier orders the two
    /// accesses.
    #[inline]
    pub unsafe fn load_unchecked(&self, index: usize) -> T
    where
        T: Copy,
    {
        // SAFETY: the caller keeps the index in range and the element unwritten meanwhile; elements are always initialised.
        unsafe { *self.pointer.add(index) }
    }

    /// Writes any element, without a check.
    ///
    /// # Safety
    ///
    /// `index` is less than [`len`](Self::len), and no other thread reads or writes the element during the launch unless a barrier orders
    /// the two accesses.
    #[inline]
    pub unsafe fn store_unchecked(&mut self, index: usize, value: T)
    where
        T: Copy,
    {
        // SAFETY: the caller keeps the index in range and the element to this thread; a `Copy` value needs no drop.
        unsafe { *self.pointer.add(index) = value }
    }

    /// Borrows any element mutably, without a check.
    ///
    /// # Safety
    ///
    /// `index` is less than [`len`](Self::len), and while the borrow lives no other thread reads or writes the element.
    #[inline]
    pub unsafe fn get_unchecked_mut(&mut self, index: usize) -> &mut T {
        // SAFETY: the caller keeps the index in range and the element to this thread.
        unsafe { &mut *self.pointer.add(index) }
    }
}
