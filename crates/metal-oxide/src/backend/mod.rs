//! What a device must be able to do. The backends are a closed set; everything above them is written once.
//!
//! | module | device |
//! |---|---|
//! | `cpu` | runs the kernel's Rust function on all cores |
//! | `msl` | runs the emitted Metal Shading Language on the CPU, behind the feature of that name |

#[cfg(feature = "msl")]
mod binding;
pub(crate) mod cpu;
#[cfg(feature = "msl")]
mod msl;

use std::sync::Arc;

use metal_oxide_artifact::KernelEntry;

use crate::launch::Prepared;
use crate::operation::Completion;
use crate::{DeviceKind, Result};

/// A device. A backend finds launches checked, conflicting ones in order, and grids with at least one thread.
pub(crate) trait Backend: Send + Sync {
    /// What kind of device it is.
    fn kind(&self) -> DeviceKind;

    /// Its name, for people.
    fn name(&self) -> &str;

    /// Does the work and blocks the thread until it is done.
    fn run(&self, work: Work) -> Result<()>;

    /// Begins the work without blocking, and completes `completion` when it is done. Whatever happens, it is completed: others wait.
    fn start(&self, work: Work, completion: Completion);
}

/// A launch that may run.
pub(crate) struct Work {
    pub(crate) prepared: Prepared,
    pub(crate) entry: &'static KernelEntry,
}

/// The CPU device.
pub(crate) fn cpu() -> Arc<dyn Backend> {
    cpu::CpuDevice::shared()
}

/// The device that runs emitted Metal Shading Language.
#[cfg(feature = "msl")]
pub(crate) fn msl() -> Result<Arc<dyn Backend>> {
    msl::MslDevice::shared().map(|device| device as Arc<dyn Backend>)
}

/// The device that runs emitted Metal Shading Language, which is not in this build.
#[cfg(not(feature = "msl"))]
pub(crate) fn msl() -> Result<Arc<dyn Backend>> {
    let reason = "METAL_OXIDE_DEVICE=msl needs the feature `msl`: build with `metal-oxide = { features = [\"msl\"] }`, or use `cpu`";
    Err(crate::Error::NoDevice { reason: reason.into() })
}
