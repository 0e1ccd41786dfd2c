//! Devices: what runs kernels, and how a program comes by one.

use std::ffi::OsStr;
use std::fmt;
use std::sync::Arc;

use crate::backend::{self, Backend};
use crate::{Buffer, Error, GpuValue, Result};

/// The environment variable that selects the system's default device.
const SELECTION: &str = "METAL_OXIDE_DEVICE";

/// Something that runs kernels. Clones are the same device, and threads may share it.
///
/// Buffers belong to the device that made them.
#[derive(Clone)]
pub struct Device {
    backend: Arc<dyn Backend>,
}

/// The kinds of devices.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum DeviceKind {
    /// The CPU runs the kernel's Rust function itself, on all cores. It is always there, and a debugger works in it.
    Cpu,
    /// The CPU runs the Metal Shading Language that the kernel was compiled to, through the system's C++ compiler.
    Msl,
}

/// How values lie in a device's memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// As Rust lays them out on the host.
    Host,
    /// In the canonical layout of [`GpuValue`].
    Canonical,
}

impl Device {
    /// The best device that the system has, or the one that the environment variable `METAL_OXIDE_DEVICE` selects: `cpu`, `msl`, `metal` or
    /// `metal4`.
    ///
    /// # Errors
    ///
    /// [`Error::NoDevice`] if the selected device is unknown or not there. Without a selection there always is one.
    pub fn system_default() -> Result<Self> {
        match std::env::var_os(SELECTION) {
            Some(selection) if !selection.is_empty() => Self::selected(&selection),
            _ => Ok(Self::cpu()),
        }
    }

    /// The CPU device, which runs a kernel's Rust function over the grid on all cores. It is there on every machine.
    ///
    /// Its kernels are host code and follow the host's profile: a debug build reports integer overflow where a GPU, whose kernels are always
    /// built as for release, wraps. A failing kernel unwinds; in a program built with `panic = "abort"` it ends the program instead.
    pub fn cpu() -> Self {
        Self { backend: backend::cpu() }
    }

    /// The device that runs the Metal Shading Language which kernels were compiled to, on the CPU.
    ///
    /// It shows what a GPU would be given. It compiles a unit on the unit's first launch, and keeps the result in the cache folder.
    ///
    /// # Errors
    ///
    /// [`Error::NoDevice`] if there is no C++ compiler, or no folder for the cache.
    #[cfg(feature = "msl")]
    pub fn msl() -> Result<Self> {
        backend::msl().map(|backend| Self { backend })
    }

    fn selected(selection: &OsStr) -> Result<Self> {
        let no_device = |reason: String| Err(Error::NoDevice { reason });
        match selection.to_str() {
            Some("cpu") => Ok(Self::cpu()),
            Some("msl") => backend::msl().map(|backend| Self { backend }),
            Some(name @ ("metal" | "metal4")) if cfg!(target_os = "macos") => {
                no_device(format!("{SELECTION}={name} asks for a Metal device, which this version does not drive yet: use `cpu` or `msl`"))
            }
            Some(name @ ("metal" | "metal4")) => {
                no_device(format!("{SELECTION}={name} asks for a Metal device, which only macOS has: use `cpu` or `msl`"))
            }
            _ => no_device(format!("{SELECTION}={} is not a device: use `cpu`, `msl`, `metal` or `metal4`", selection.display())),
        }
    }

    /// A buffer that holds a copy of `values`.
    ///
    /// # Errors
    ///
    /// [`Error::InvalidBuffer`] if there is no memory for it. An empty slice gives an empty buffer.
    pub fn buffer_from_slice<T: GpuValue>(&self, values: &[T]) -> Result<Buffer<T>> {
        Buffer::from_slice(self, values)
    }

    /// A buffer of `length` elements whose bytes are all zero.
    ///
    /// # Errors
    ///
    /// [`Error::InvalidBuffer`] if there is no memory for it. A length of zero gives an empty buffer.
    pub fn buffer_zeroed<T: GpuValue>(&self, length: usize) -> Result<Buffer<T>> {
        Buffer::zeroed(self, length)
    }

    /// The device's name, for people.
    pub fn name(&self) -> &str {
        self.backend.name()
    }

    /// What kind of device it is.
    pub fn kind(&self) -> DeviceKind {
        self.backend.kind()
    }

    pub(crate) fn form(&self) -> Form {
        match self.kind() {
            DeviceKind::Cpu => Form::Host,
            DeviceKind::Msl => Form::Canonical,
        }
    }

    pub(crate) fn backend(&self) -> &dyn Backend {
        &*self.backend
    }
}

/// Whether they are the same device.
impl PartialEq for Device {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.backend, &other.backend)
    }
}

impl Eq for Device {}

impl fmt::Debug for Device {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Device").field("kind", &self.kind()).field("name", &self.name()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(selection: &str) -> String {
        Device::selected(OsStr::new(selection)).expect_err("there is no such device").to_string()
    }

    #[test]
    fn the_cpu_device_can_be_selected() {
        assert_eq!(Device::selected(OsStr::new("cpu")).unwrap(), Device::cpu());
    }

    #[test]
    fn refusals_name_what_can_be_selected() {
        assert_eq!(refusal("gpu"), "no device: METAL_OXIDE_DEVICE=gpu is not a device: use `cpu`, `msl`, `metal` or `metal4`");
        assert!(refusal("metal4").starts_with("no device: METAL_OXIDE_DEVICE=metal4 asks for a Metal device"));
    }

    #[cfg(not(feature = "msl"))]
    #[test]
    fn the_msl_engine_needs_its_feature() {
        assert!(refusal("msl").contains("feature `msl`"));
    }
}
