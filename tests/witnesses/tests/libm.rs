//! `libm`: every function that takes and returns `f32`.

use metal_oxide::Operation;
use witnesses::{Config, engines, floats};

#[metal_oxide::kernels(path = "kernels/libm")]
mod kernels {}

/// Runs every function of a table of functions of one argument on every engine.
macro_rules! check_table {
    ($names:ident, $launch:ident, $expected:ident, $inputs:expr) => {
        let inputs: Vec<f32> = $inputs;
        for device in engines() {
            let x = device.buffer_from_slice(&inputs).unwrap();
            for (function, name) in kernels::$names.iter().enumerate() {
                let mut out = device.buffer_zeroed::<u32>(inputs.len()).unwrap();
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
