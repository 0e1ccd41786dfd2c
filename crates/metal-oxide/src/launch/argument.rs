//! How what the host passes becomes what the kernel receives: one type on each side, joined by a trait.
//! The host's side is bound when a launch is made; the CPU device rebuilds the kernel's side for every thread.

use std::sync::Arc;

use super::{Binder, RawArgument};
use crate::buffer::Access;
use crate::device::{DisjointBuffer, ReadBuffer};
use crate::{Buffer, GpuValue};

/// What can be passed for a kernel parameter of type `P`, where `Signature` is `fn(P)`.
///
/// | the kernel's parameter | the launch takes |
/// |---|---|
/// | `ReadBuffer<T>` | `&Buffer<T>`, `Buffer<T>`, `Arc<Buffer<T>>` |
/// | `DisjointBuffer<T>` | `&mut Buffer<T>`, `Buffer<T>` |
/// | a value `T` | `T` |
///
/// The parameter's type is written as a function's, because a buffer parameter has a lifetime that each launch chooses.
///
/// What is written needs to be held exclusively, for as long as the launch:
///
/// ```compile_fail,E0277
/// # use metal_oxide::{ArgumentFor, Buffer, device::DisjointBuffer};
/// fn launch(out: impl ArgumentFor<fn(DisjointBuffer<f32>)>) {}
/// fn shared(out: &Buffer<f32>) {
///     launch(out);
/// }
/// ```
///
/// ```compile_fail,E0277
/// # use metal_oxide::{ArgumentFor, Buffer, device::DisjointBuffer};
/// # use std::sync::Arc;
/// fn launch(out: impl ArgumentFor<fn(DisjointBuffer<f32>)>) {}
/// fn shared(out: Arc<Buffer<f32>>) {
///     launch(out);
/// }
/// ```
///
/// ```compile_fail,E0502
/// # use metal_oxide::{ArgumentFor, Buffer, device::{DisjointBuffer, ReadBuffer}};
/// fn launch(a: impl ArgumentFor<fn(ReadBuffer<f32>)>, out: impl ArgumentFor<fn(DisjointBuffer<f32>)>) {}
/// fn in_place(buffer: &mut Buffer<f32>) {
///     launch(&*buffer, &mut *buffer); // overlapping buffers
/// }
/// ```
///
/// ```compile_fail,E0502
/// # use metal_oxide::{ArgumentFor, Buffer, device::DisjointBuffer};
/// fn launch<A: ArgumentFor<fn(DisjointBuffer<f32>)>>(out: A) -> A { out }
/// fn read_while_it_runs(buffer: &mut Buffer<f32>) {
///     let running = launch(&mut *buffer);
///     buffer.read().wait();
///     drop(running);
/// }
/// ```
///
/// A kernel does not choose a lifetime for its buffers, so that it cannot keep them:
///
/// ```compile_fail
/// # use metal_oxide::{ArgumentFor, Buffer, device::ReadBuffer};
/// fn launch(a: impl ArgumentFor<fn(ReadBuffer<'static, f32>)>) {}
/// fn forever(a: Buffer<f32>) {
///     launch(a);
/// }
/// ```
///
/// And only what was taken to be a value is passed as one:
///
/// ```compile_fail,E0277
/// # use metal_oxide::{ArgumentFor};
/// fn launch(counter: impl ArgumentFor<fn(&'static std::sync::atomic::AtomicU32)>) {}
/// static COUNTER: std::sync::atomic::AtomicU32 = std::sync::atomic::AtomicU32::new(0);
/// launch(&COUNTER);
/// ```
#[diagnostic::on_unimplemented(
    message = "a kernel parameter `{Signature}` does not take `{Self}`",
    label = "not accepted for this parameter",
    note = "`ReadBuffer<T>` takes `&Buffer<T>`, `Buffer<T>` or `Arc<Buffer<T>>`",
    note = "`DisjointBuffer<T>` takes `&mut Buffer<T>` or `Buffer<T>`",
    note = "any other parameter takes a value of its own type, which must be a `GpuValue`"
)]
pub trait ArgumentFor<Signature>: sealed::Sealed<Signature> {
    /// Adds the argument to a launch.
    #[doc(hidden)]
    fn bind(&self, binder: &mut Binder<'_>);
}

impl<T: GpuValue> ArgumentFor<for<'launch> fn(ReadBuffer<'launch, T>)> for &Buffer<T> {
    fn bind(&self, binder: &mut Binder<'_>) {
        binder.bind_buffer(self, Access::Read);
    }
}

impl<T: GpuValue> ArgumentFor<for<'launch> fn(ReadBuffer<'launch, T>)> for Buffer<T> {
    fn bind(&self, binder: &mut Binder<'_>) {
        binder.bind_buffer(self, Access::Read);
    }
}

impl<T: GpuValue> ArgumentFor<for<'launch> fn(ReadBuffer<'launch, T>)> for Arc<Buffer<T>> {
    fn bind(&self, binder: &mut Binder<'_>) {
        binder.bind_buffer(self, Access::Read);
    }
}

impl<T: GpuValue> ArgumentFor<for<'launch> fn(DisjointBuffer<'launch, T>)> for &mut Buffer<T> {
    fn bind(&self, binder: &mut Binder<'_>) {
        binder.bind_buffer(self, Access::Write);
    }
}

impl<T: GpuValue> ArgumentFor<for<'launch> fn(DisjointBuffer<'launch, T>)> for Buffer<T> {
    fn bind(&self, binder: &mut Binder<'_>) {
        binder.bind_buffer(self, Access::Write);
    }
}

impl<T: GpuValue> ArgumentFor<fn(T)> for T {
    fn bind(&self, binder: &mut Binder<'_>) {
        binder.bind_value(*self);
    }
}

/// Binding decides what a kernel may touch, so only the types above do it.
mod sealed {
    use super::{Arc, Buffer, DisjointBuffer, GpuValue, ReadBuffer};

    pub trait Sealed<Signature> {}
    impl<T: GpuValue> Sealed<for<'launch> fn(ReadBuffer<'launch, T>)> for &Buffer<T> {}
    impl<T: GpuValue> Sealed<for<'launch> fn(ReadBuffer<'launch, T>)> for Buffer<T> {}
    impl<T: GpuValue> Sealed<for<'launch> fn(ReadBuffer<'launch, T>)> for Arc<Buffer<T>> {}
    impl<T: GpuValue> Sealed<for<'launch> fn(DisjointBuffer<'launch, T>)> for &mut Buffer<T> {}
    impl<T: GpuValue> Sealed<for<'launch> fn(DisjointBuffer<'launch, T>)> for Buffer<T> {}
    impl<T: GpuValue> Sealed<fn(T)> for T {}
}

/// The arguments of a launch on the CPU device, as its kernel's threads take them.
#[derive(Clone, Copy)]
pub struct Arguments<'launch> {
    raw: &'launch [RawArgument],
}

impl<'launch> Arguments<'launch> {
    pub(crate) fn new(raw: &'launch [RawArgument]) -> Self {
        Self { raw }
    }

    /// The argument at `index`, rebuilt for one thread.
    ///
    /// # Safety
    ///
    /// The launch has an argument at `index`, and it was bound for a parameter of type `P`. A thread takes each argument once.
    #[inline(always)]
    pub unsafe fn get<P: KernelParameter<'launch>>(&self, index: usize) -> P {
        // SAFETY: the caller names an argument that exists and its type.
        unsafe { P::from_raw(*self.raw.get_unchecked(index)) }
    }
}

/// The types of kernel parameters: buffers, and values.
///
/// # Safety
///
/// `from_raw` uses the argument only as the binding of a parameter of this type made it.
pub unsafe trait KernelParameter<'launch>: Sized {
    /// Rebuilds the parameter.
    ///
    /// # Safety
    ///
    /// The argument was bound for a parameter of this type and lives for `'launch`.
    unsafe fn from_raw(raw: RawArgument) -> Self;
}

// SAFETY: a buffer is bound as the address of its elements and their number.
unsafe impl<'launch, T: GpuValue> KernelParameter<'launch> for ReadBuffer<'launch, T> {
    #[inline(always)]
    unsafe fn from_raw(raw: RawArgument) -> Self {
        // SAFETY: the buffer's storage holds initialised elements in Rust's layout and lives for the launch, during which the borrow, the
        // ownership or the `Arc` that was bound keeps everybody from writing. A `GpuValue` is `Sync` and `Copy`, so without interior
        // mutability.
        unsafe { ReadBuffer::from_raw_parts(raw.pointer.cast(), raw.length) }
    }
}

// SAFETY: as above.
unsafe impl<'launch, T: GpuValue> KernelParameter<'launch> for DisjointBuffer<'launch, T> {
    #[inline(always)]
    unsafe fn from_raw(raw: RawArgument) -> Self {
        // SAFETY: the buffer's storage holds initialised elements in Rust's layout and lives for the launch, during which the exclusive
        // borrow or the ownership that was bound keeps everybody else out. Each thread takes the argument once.
        unsafe { DisjointBuffer::from_raw_parts(raw.pointer.cast(), raw.length) }
    }
}

// SAFETY: a value is bound as its address.
unsafe impl<T: GpuValue> KernelParameter<'_> for T {
    #[inline(always)]
    unsafe fn from_raw(raw: RawArgument) -> Self {
        // SAFETY: binding wrote a value of this type there, aligned, and nobody writes it afterwards.
        unsafe { raw.pointer.cast::<T>().read() }
    }
}
