//! `half`: both 16-bit formats, in software.

use metal_oxide::Operation;
use witnesses::{Config, engines, floats};

#[metal_oxide::kernels(path = "kernels/half")]
mod kernels {}

/// All bit patterns, each with some other one, and pairs with edges.
fn patterns() -> Vec<(u16, u16)> {
    let edges = [0, 1, 0x03ff, 0x0400, 0x3bff, 0x3c00, 0x3c01, 0x7bff, 0x7c00, 0x7e00, 0x3f80, 0x7f7f, 0x7f80, 0x7fc0, 0x0080, 0x007f];
    let edges = edges.map(|bits| [bits, bits | 0x8000]).concat();
    let crossed: Vec<_> = edges.iter().flat_map(|&left| edges.iter().map(move |&right| (left, right))).collect();
    let all = (0..=u16::MAX).map(|bits| (bits, bits.wrapping_mul(0x6d2b).rotate_left(5)));
    crossed.into_iter().chain(all).collect()
}

/// Runs every function of a table of two halves on every engine.
macro_rules! check_pairs {
    ($names:ident, $launch:ident, $expected:ident) => {
        let (left, right): (Vec<u16>, Vec<u16>) = patterns().into_iter().unzip();
        for device in engines() {
            let (a, b) = (device.buffer_from_slice(&left).unwrap(), device.buffer_from_slice(&right).unwrap());
            for (function, name) in kernels::$names.iter().enumerate() {
                let mut out = device.buffer_zeroed::<u64>(left.len()).unwrap();
                let config = Config::for_elements(left.len()).unwrap();
                kernels::$launch(&device, config, &a, &b, function as u32, &mut out).wait().unwrap();
                for ((&a, &b), actual) in left.iter().zip(&right).zip(out.read().wait().iter()) {
                    let expected = kernels::$expected(function as u32, a, b);
                    assert_eq!(*actual, expected, "{name} of {a:#06x} and {b:#06x} on {}", device.name());
                }
            }
        }
    };
}

#[test]
fn halves_agree() {
    check_pairs!(HALVES, run_halves, halves);
}

#[test]
fn brain_floats_agree() {
    check_pairs!(BRAINS, run_brains, brains);
}

#[test]
fn conversions_from_single_precision_agree() {
    // Halfway cases and their neighbours, too.
    let halfway = (0..=u16::MAX).flat_map(|bits| [0x0fff, 0x1000, 0x1001].map(|low| f32::from_bits(u32::from(bits) << 13 | low)));
    let inputs: Vec<f32> = floats(20_000).into_iter().chain(halfway).collect();
    for device in engines() {
        let x = device.buffer_from_slice(&inputs).unwrap();
        for (function, name) in kernels::SINGLES.iter().enumerate() {
            let mut out = device.buffer_zeroed::<u64>(inputs.len()).unwrap();
            let config = Config::for_elements(inputs.len()).unwrap();
            kernels::run_singles(&device, config, &x, function as u32, &mut out).wait().unwrap();
            for (&x, actual) in inputs.iter().zip(out.read().wait().iter()) {
                assert_eq!(*actual, kernels::singles(function as u32, x), "{name}({x:?}) on {}", device.name());
            }
        }
    }
}
