//! `libm`: every function that takes and returns `f32`.

use metal_oxide::Operation;
use witnesses::{Config, engines, float_pairs, floats};

#[metal_oxide::kernels(path = "kernels/libm")]
mod kernels {}

/// Runs every function of a table of functions of one argument on every engine.
macro_rules! check_table {
    ($names:ident, $launch:ident, $expected:ident, $inputs:expr) => {
        let inputs: Vec<f32> = $inputs;
        for device in engines() {
            let x = device.buffer_from_slice(&inputs).unwrap();
            for (function, name) in kernels::$names.iter().enumerate() {
                let mut out = device.buffer_zeroed::<u64>(inputs.len()).unwrap();
                let config = Config::for_elements(inputs.len()).unwrap();
                kernels::$launch(&device, config, &x, function as u32, &mut out).wait().unwrap();
                for (&x, actual) in inputs.iter().zip(out.read().wait().iter()) {
                    assert_eq!(*actual, kernels::$expected(function as u32, x), "{name}({x:?}) on {}", device.name());
                }
            }
        }
    };
}

#[test]
fn functions_in_single_precision_agree() {
    check_table!(SIMPLE, run_simple, simple, floats(5000));
}

#[test]
fn functions_in_double_precision_agree() {
    check_table!(WIDE, run_wide, wide, floats(5000));
}

#[test]
fn gamma_and_bessel_functions_agree() {
    check_table!(SPECIAL, run_special, special, floats(5000));
}

#[test]
fn functions_of_two_arguments_agree() {
    let (left, right): (Vec<f32>, Vec<f32>) = float_pairs(6000).into_iter().unzip();
    for device in engines() {
        let (x, y) = (device.buffer_from_slice(&left).unwrap(), device.buffer_from_slice(&right).unwrap());
        for (function, name) in kernels::BINARY.iter().enumerate() {
            let mut out = device.buffer_zeroed::<u64>(left.len()).unwrap();
            let config = Config::for_elements(left.len()).unwrap();
            kernels::run_binary(&device, config, &x, &y, function as u32, &mut out).wait().unwrap();
            for ((&x, &y), actual) in left.iter().zip(&right).zip(out.read().wait().iter()) {
                assert_eq!(*actual, kernels::binary(function as u32, x, y), "{name}({x:?}, {y:?}) on {}", device.name());
            }
        }
    }
}
