//! The token that stands for "the element that belongs to this thread".

use core::fmt;
use core::marker::PhantomData;

use crate::intrinsics;

/// The running thread's own index in a one-dimensional grid.
///
/// A token is evidence, not a number: it holds nothing, and wherever it is used it means the thread that uses it. So no two threads ever
/// share an index, whatever is done with a token, and [`DisjointBuffer::get_mut`](crate::DisjointBuffer::get_mut) can hand out an element
/// mutably in safe code.
///
/// ```compile_fail,E0277
/// # use metal_oxide_device::ThreadIndex;
/// fn send<T: Send>() {}
/// send::<ThreadIndex>(); // a token does not leave its thread
/// ```
///
/// ```compile_fail,E0277
/// # use metal_oxide_device::ThreadIndex;
/// fn share<T: Sync>() {}
/// share::<ThreadIndex>();
/// ```
///
/// ```compile_fail,E0599
/// # use metal_oxide_device::ThreadIndex;
/// fn twice(index: ThreadIndex) -> (ThreadIndex, ThreadIndex) {
///     (index.clone(), index) // nor is it copied
/// }
/// ```
///
/// ```compile_fail,E0451
/// # use metal_oxide_device::ThreadIndex;
/// let index = ThreadIndex { not_send: core::marker::PhantomData }; // or made up
/// ```
pub struct ThreadIndex {
    not_send: PhantomData<*mut ()>,
}

/// The running thread's index: its position along `x` in a grid that has no other dimension.
///
/// A kernel that calls this can only be launched over a one-dimensional grid; the host refuses anything else before it starts.
///
/// # Panics
///
/// On the host, outside a launch.
#[inline]
pub fn thread_index() -> ThreadIndex {
    let index = ThreadIndex { not_send: PhantomData };
    #[cfg(not(metal_oxide_device))]
    index.get();
    index
}

impl ThreadIndex {
    /// The index, from zero. It is less than 2³².
    ///
    /// # Panics
    ///
    /// On the host, outside a launch.
    #[inline]
    pub fn get(&self) -> usize {
        intrinsics::linear_thread_index()
    }
}

impl fmt::Debug for ThreadIndex {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_tuple("ThreadIndex").field(&self.get()).finish()
    }
}
