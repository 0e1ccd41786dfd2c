//! Runs kernels on every engine of the machine and compares each result with what the host computes.
//! The tests stand in `tests/`, a file for each part of the language.

use std::fmt::Debug;

use metal_oxide::{Buffer, Device, GpuValue, LaunchConfig, Result};

/// The launch configuration of all checks: odd enough that the last block has idle threads.
pub type Config = LaunchConfig<96>;

/// Every engine of this machine: the CPU device, and the emitted MSL executed on the CPU.
pub fn engines() -> Vec<Device> {
    vec![Device::cpu(), Device::msl().expect("the tests need a C++ compiler")]
}

/// Runs a kernel of one input over `inputs` on every engine and compares each element with `expected`.
pub fn check_unary<A, R>(
    inputs: &[A],
    expected: impl Fn(A) -> R,
    launch: impl Fn(&Device, Config, &Buffer<A>, &mut Buffer<R>) -> Result<()>,
) where
    A: GpuValue + Copy + Debug,
    R: GpuValue + PartialEq + Debug,
{
    for device in engines() {
        let input = device.buffer_from_slice(inputs).unwrap();
        let mut output = device.buffer_zeroed::<R>(inputs.len()).unwrap();
        launch(&device, Config::for_elements(inputs.len()).unwrap(), &input, &mut output).unwrap();
        for (index, (&input, actual)) in inputs.iter().zip(output.read().wait().iter()).enumerate() {
            assert_eq!(*actual, expected(input), "on {} for element {index}, {input:?}", device.name());
        }
    }
}

/// Runs a kernel of two inputs over all pairs of `left` and `right` on every engine and compares each element with `expected`.
pub fn check_binary<A, B, R>(
    left: &[A],
    right: &[B],
    expected: impl Fn(A, B) -> R,
    launch: impl Fn(&Device, Config, &Buffer<A>, &Buffer<B>, &mut Buffer<R>) -> Result<()>,
) where
    A: GpuValue + Copy + Debug,
    B: GpuValue + Copy + Debug,
    R: GpuValue + PartialEq + Debug,
{
    let pairs: Vec<(A, B)> = left.iter().flat_map(|&a| right.iter().map(move |&b| (a, b))).collect();
    let (a, b): (Vec<A>, Vec<B>) = pairs.iter().copied().unzip();
    for device in engines() {
        let (a, b) = (device.buffer_from_slice(&a).unwrap(), device.buffer_from_slice(&b).unwrap());
        let mut output = device.buffer_zeroed::<R>(pairs.len()).unwrap();
        launch(&device, Config::for_elements(pairs.len()).unwrap(), &a, &b, &mut output).unwrap();
        for (&(a, b), actual) in pairs.iter().zip(output.read().wait().iter()) {
            assert_eq!(*actual, expected(a, b), "on {} for {a:?} and {b:?}", device.name());
        }
    }
}

/// Floats at which arithmetic, rounding and conversion have edges.
pub fn interesting_floats() -> Vec<f32> {
    let mut floats = vec![
        0.0,
        0.5,
        0.49999997,
        1.0,
        1.5,
        2.5,
        3.7,
        127.0,
        127.5,
        128.0,
        255.0,
        255.5,
        256.0,
        32767.0,
        65535.0,
        65536.0,
        8388607.5,
        8388608.0,
        16777216.0,
        2147483500.0,
        2147483648.0,
        4294967000.0,
        4294967296.0,
        9.223371e18,
        9.223372e18,
        1.8446743e19,
        1.8446744e19,
        1e30,
        f32::MAX,
        f32::INFINITY,
        f32::NAN,
        f32::MIN_POSITIVE,
        1e-10,
        core::f32::consts::PI,
    ];
    floats.extend(floats.clone().iter().map(|float| -float));
    floats
}

/// Runs numbered tests on every engine, each with many seeds, and compares the results with the host's.
pub fn check_tests(
    names: &[&str],
    expected: impl Fn(usize, u32) -> u32,
    launch: impl Fn(&Device, Config, &mut Buffer<u32>, u32, u32) -> Result<()>,
) {
    const SEEDS: usize = 200;
    for device in engines() {
        let mut output = device.buffer_zeroed::<u32>(names.len() * SEEDS).unwrap();
        let config = Config::for_elements(output.len()).unwrap();
        launch(&device, config, &mut output, names.len() as u32, 0).unwrap();
        for (index, actual) in output.read().wait().iter().enumerate() {
            let (test, seed) = (index % names.len(), (index / names.len()) as u32);
            assert_eq!(*actual, expected(test, seed), "on {}: `{}` with seed {seed}", device.name(), names[test]);
        }
    }
}
