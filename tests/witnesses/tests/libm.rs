//! `libm`: every function that takes and returns `f32`.

use metal_oxide::Operation;
use witnesses::{Config, engines};

#[metal_oxide::kernels(path = "kernels/libm")]
mod kernels {}

#[test]
fn simple_functions_agree() {
    let inputs: Vec<f32> = (0..4000_u32).map(|number| f32::from_bits(number.wrapping_mul(0x9e37_79b9))).collect();
    for device in engines() {
        let x = device.buffer_from_slice(&inputs).unwrap();
        for (function, name) in kernels::SIMPLE.iter().enumerate() {
            let mut out = device.buffer_zeroed::<u32>(inputs.len()).unwrap();
            kernels::run_simple(&device, Config::for_elements(inputs.len()).unwrap(), &x, function as u32, &mut out).wait().unwrap();
            for (&x, actual) in inputs.iter().zip(out.read().wait().iter()) {
                assert_eq!(*actual, kernels::simple(function as u32, x), "{name}({x:?}) on {}", device.name());
            }
        }
    }
}
