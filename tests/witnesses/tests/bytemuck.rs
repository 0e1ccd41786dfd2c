//! `bytemuck`: derives on plain data, and casts.

use metal_oxide::Operation;
use witnesses::{Config, engines};

#[metal_oxide::kernels(path = "kernels/bytemuck")]
mod kernels {}

#[test]
fn casts_agree() {
    let number = |index: u32| index.wrapping_mul(0x9e37_79b9) ^ (index >> 3);
    let elements: Vec<kernels::Numbers> = (0..4000).map(|index| core::array::from_fn(|part| number(index * 6 + part as u32))).collect();
    for device in engines() {
        let numbers = device.buffer_from_slice(&elements).unwrap();
        for (function, name) in kernels::CASTS.iter().enumerate() {
            let mut out = device.buffer_zeroed::<u64>(elements.len()).unwrap();
            let config = Config::for_elements(elements.len()).unwrap();
            kernels::run_casts(&device, config, &numbers, function as u32, &mut out).wait().unwrap();
            for (element, actual) in elements.iter().zip(out.read().wait().iter()) {
                assert_eq!(*actual, kernels::casts(function as u32, element), "{name} of {element:x?} on {}", device.name());
            }
        }
    }
}
