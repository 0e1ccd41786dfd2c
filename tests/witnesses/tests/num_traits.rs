//! `num-traits`: checked, wrapping, saturating and bit operations of integers, and `Float`.

use metal_oxide::{DeviceKind, Operation};
use witnesses::{Config, engines, float_pairs, integer_pairs};

#[metal_oxide::kernels(path = "kernels/num-traits")]
mod kernels {}

#[test]
fn integers_of_all_widths_agree() {
    let (left, right): (Vec<u64>, Vec<u64>) = integer_pairs(3000).into_iter().unzip();
    for device in engines() {
        let (a, b) = (device.buffer_from_slice(&left).unwrap(), device.buffer_from_slice(&right).unwrap());
        for ty in 0..kernels::INTEGER_TYPES {
            for (function, name) in kernels::INTEGERS.iter().enumerate() {
                let mut out = device.buffer_zeroed::<u64>(left.len()).unwrap();
                let config = Config::for_elements(left.len()).unwrap();
                kernels::run_integers(&device, config, &a, &b, ty, function as u32, &mut out).wait().unwrap();
                for ((&a, &b), actual) in left.iter().zip(&right).zip(out.read().wait().iter()) {
                    let expected = kernels::integers_of_type(ty, function as u32, a, b);
                    assert_eq!(*actual, expected, "{name}({a}, {b}) of type {ty} on {}", device.name());
                }
            }
        }
    }
}

#[test]
fn exact_functions_of_floats_agree() {
    let (left, right): (Vec<f32>, Vec<f32>) = float_pairs(6000).into_iter().unzip();
    for device in engines() {
        let (x, y) = (device.buffer_from_slice(&left).unwrap(), device.buffer_from_slice(&right).unwrap());
        for (function, name) in kernels::EXACT.iter().enumerate() {
            let mut out = device.buffer_zeroed::<u64>(left.len()).unwrap();
            let config = Config::for_elements(left.len()).unwrap();
            kernels::run_exact(&device, config, &x, &y, function as u32, &mut out).wait().unwrap();
            for ((&x, &y), actual) in left.iter().zip(&right).zip(out.read().wait().iter()) {
                assert_eq!(*actual, kernels::exact(function as u32, x, y), "{name}({x:?}, {y:?}) on {}", device.name());
            }
        }
    }
}

/// On the host another package may turn the feature `std` on, which replaces `libm`. The device has no standard library.
#[test]
fn functions_that_libm_computes_agree() {
    let (left, right): (Vec<f32>, Vec<f32>) = float_pairs(6000).into_iter().unzip();
    assert_eq!(kernels::ROUNDED, kernels::REFERENCE);
    for device in engines() {
        let (x, y) = (device.buffer_from_slice(&left).unwrap(), device.buffer_from_slice(&right).unwrap());
        for (function, name) in kernels::ROUNDED.iter().enumerate() {
            let mut out = device.buffer_zeroed::<u64>(left.len()).unwrap();
            let config = Config::for_elements(left.len()).unwrap();
            kernels::run_rounded(&device, config, &x, &y, function as u32, &mut out).wait().unwrap();
            for ((&x, &y), actual) in left.iter().zip(&right).zip(out.read().wait().iter()) {
                let expected = match device.kind() {
                    DeviceKind::Cpu => kernels::rounded(function as u32, x, y),
                    _ => kernels::reference(function as u32, x, y),
                };
                assert_eq!(*actual, expected, "{name}({x:?}, {y:?}) on {}", device.name());
            }
        }
    }
}
