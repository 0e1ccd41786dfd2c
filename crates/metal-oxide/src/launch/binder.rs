//! Gathers the arguments of a launch, in a form that knows nothing of their types.
//! What it makes is kept by the launch until it is waited for, and by the device until the work is done.

use std::mem::MaybeUninit;
use std::slice;
use std::sync::Arc;

use super::{DynamicLaunchConfig, IntoLaunchConfig, Kernel, Launch};
use crate::buffer::{Access, Storage, element_layout};
use crate::system::Form;
use crate::{ArgumentFor, Buffer, Device, Error, GpuValue};

/// A launch whose arguments are being bound, one after another in the order of the kernel's parameters.
pub struct Binder<'device> {
    device: &'device Device,
    prepared: Prepared,
}

/// A launch with everything that the device needs to run it.
pub(crate) struct Prepared {
    pub(crate) kernel: &'static Kernel,
    pub(crate) config: DynamicLaunchConfig,
    pub(crate) bindings: Vec<Binding>,
    /// The memory of by-value arguments, each from a new element on. It is zeroed, but a value's padding may not be.
    pub(crate) values: Vec<MaybeUninit<u128>>,
    /// How they lie there.
    form: Form,
    /// Why the launch cannot run, found while binding. It is reported when the launch is waited for.
    pub(crate) problem: Option<Error>,
}

/// An argument.
pub(crate) enum Binding {
    Buffer {
        storage: Arc<Storage>,
        length: usize,
        access: Access,
        /// An element's size in the canonical layout.
        element_size: usize,
    },
    Value {
        /// Where it stands in `values`.
        index: usize,
        /// Its size in the canonical layout.
        size: usize,
        /// The value, if it is an integer.
        integer: Option<i128>,
    },
}

/// Size and alignment of the elements of `Prepared::values`, in bytes.
const SLOT: usize = 16;
const _: () = assert!(size_of::<u128>() == SLOT && align_of::<u128>() == SLOT);

impl<'device> Binder<'device> {
    /// A launch of `kernel` without arguments yet.
    pub fn new(device: &'device Device, config: impl IntoLaunchConfig, kernel: &'static Kernel) -> Self {
        let config = config.into_launch_config();
        let (bindings, values, form) = (Vec::new(), Vec::new(), device.form());
        Self { device, prepared: Prepared { kernel, config, bindings, values, form, problem: None } }
    }

    /// Binds the argument for the next parameter, whose type is that of `Signature`'s parameter.
    pub fn bind<Signature, A: ArgumentFor<Signature>>(&mut self, argument: &A) {
        argument.bind(self);
    }

    /// The launch, which gives `arguments` back when it has run.
    pub fn finish<Arguments>(self, arguments: Arguments) -> Launch<Arguments> {
        Launch::new(self.device.clone(), self.prepared, arguments)
    }

    pub(super) fn bind_buffer<T: GpuValue>(&mut self, buffer: &Buffer<T>, access: Access) {
        if buffer.device() != self.device {
            let (index, kernel) = (self.prepared.bindings.len(), self.prepared.kernel.name());
            let (own, launch) = (buffer.device().name(), self.device.name());
            self.prepared.problem.get_or_insert_with(|| Error::InvalidBuffer {
                reason: format!(
                    "argument {index} of kernel `{kernel}` belongs to the device `{own}`, the launch is on `{launch}`: make the buffer \
                     with the device that runs the kernel"
                ),
            });
        }
        let (storage, length) = (Arc::clone(buffer.storage()), buffer.len());
        self.prepared.bindings.push(Binding::Buffer { storage, length, access, element_size: T::SIZE });
    }

    pub(super) fn bind_value<T: GpuValue>(&mut self, value: T) {
        const { assert!(align_of::<T>() <= SLOT && T::ALIGN <= SLOT, "a value is aligned to at most 16 bytes") }
        let values = &mut self.prepared.values;
        let (index, (size, _)) = (values.len(), element_layout::<T>(self.device.form()));
        values.resize(index + size.div_ceil(SLOT), MaybeUninit::zeroed());
        let place = values[index..].as_mut_ptr();
        match self.prepared.form {
            // SAFETY: there is room for the value, and the address is sufficiently aligned.
            Form::Host => unsafe { place.cast::<T>().write(value) },
            // SAFETY: there is room for the canonical form, and all of it was zeroed.
            Form::Canonical => value.encode(unsafe { slice::from_raw_parts_mut(place.cast::<u8>(), size) }),
        }
        self.prepared.bindings.push(Binding::Value { index, size: T::SIZE, integer: value.integer() });
    }
}

#[cfg(feature = "msl")]
impl Prepared {
    /// The bytes of a value that was bound for a device with canonical layout.
    pub(crate) fn canonical_value(&self, index: usize, size: usize) -> &[u8] {
        assert_eq!(self.form, Form::Canonical, "only there every byte of a value is defined");
        let slots = &self.values[index..][..size.div_ceil(SLOT)];
        // SAFETY: the slots were zeroed before the value was encoded, so all bytes are initialised.
        unsafe { slice::from_raw_parts(slots.as_ptr().cast(), size) }
    }
}
