//! Runs kernels of other people's crates on every engine of the machine and compares the results with the host's.
//! The tests stand in `tests/`, a file for each crate; its kernels are the package of the same name in `kernels/`.

use metal_oxide::{Device, LaunchConfig};

/// The launch configuration of all checks: odd enough that the last block has idle threads.
pub type Config = LaunchConfig<96>;

/// Every engine of this machine: the CPU device, and the emitted MSL executed on the CPU.
pub fn engines() -> Vec<Device> {
    vec![Device::cpu(), Device::msl().expect("the tests need a C++ compiler")]
}
