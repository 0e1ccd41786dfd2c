//! `fixed`: fixed-point numbers of 8, 16 and 32 bits.

use metal_oxide::Operation;
use witnesses::{Config, engines, integer_pairs};

#[metal_oxide::kernels(path = "kernels/fixed")]
mod kernels {}

/// Pairs of words with edges at every width.
fn words(count: usize) -> (Vec<u32>, Vec<u32>) {
    integer_pairs(count).into_iter().map(|(left, right)| (left as u32, right as u32)).unzip()
}

#[test]
fn numbers_agree() {
    let (left, right) = words(2000);
    for device in engines() {
        let (a, b) = (device.buffer_from_slice(&left).unwrap(), device.buffer_from_slice(&right).unwrap());
        for ty in 0..kernels::TYPES {
            for (function, name) in kernels::NUMBERS.iter().enumerate() {
                let mut out = device.buffer_zeroed::<u64>(left.len()).unwrap();
                let config = Config::for_elements(left.len()).unwrap();
                kernels::run_numbers(&device, config, &a, &b, ty, function as u32, &mut out).wait().unwrap();
                for ((&a, &b), actual) in left.iter().zip(&right).zip(out.read().wait().iter()) {
                    let expected = kernels::numbers_of_type(ty, function as u32, a, b);
                    assert_eq!(*actual, expected, "{name} of {a:#x} and {b:#x} of type {ty} on {}", device.name());
                }
            }
        }
    }
}

#[test]
fn conversions_agree() {
    let (left, right) = words(4000);
    for device in engines() {
        let (a, b) = (device.buffer_from_slice(&left).unwrap(), device.buffer_from_slice(&right).unwrap());
        for (function, name) in kernels::CONVERSIONS.iter().enumerate() {
            let mut out = device.buffer_zeroed::<u64>(left.len()).unwrap();
            let config = Config::for_elements(left.len()).unwrap();
            kernels::run_conversions(&device, config, &a, &b, function as u32, &mut out).wait().unwrap();
            for ((&a, &b), actual) in left.iter().zip(&right).zip(out.read().wait().iter()) {
                let expected = kernels::conversions(function as u32, a, b);
                assert_eq!(*actual, expected, "{name} of {a:#x} and {b:#x} on {}", device.name());
            }
        }
    }
}
