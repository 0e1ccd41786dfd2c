//! `glam`: vectors, matrices, quaternions and transforms.

use metal_oxide::Operation;
use witnesses::{Config, engines, floats};

#[metal_oxide::kernels(path = "kernels/glam")]
mod kernels {}

/// Elements of twelve numbers, the first ones with edges among them.
fn elements(count: usize) -> Vec<kernels::Numbers> {
    let numbers = floats(count + 12);
    let small = |number: f32| if number.abs() < 1e4 { number } else { number % 16.0 };
    let element = |start: usize| {
        core::array::from_fn(|index| if start.is_multiple_of(7) { numbers[start + index] } else { small(numbers[start + index]) })
    };
    (0..count).map(element).collect()
}

/// Runs every function of a table on every engine.
macro_rules! check_table {
    ($names:ident, $launch:ident, $expected:ident) => {
        let elements = elements(2000);
        for device in engines() {
            let numbers = device.buffer_from_slice(&elements).unwrap();
            for (function, name) in kernels::$names.iter().enumerate() {
                let mut out = device.buffer_zeroed::<u64>(elements.len()).unwrap();
                let config = Config::for_elements(elements.len()).unwrap();
                kernels::$launch(&device, config, &numbers, function as u32, &mut out).wait().unwrap();
                for (element, actual) in elements.iter().zip(out.read().wait().iter()) {
                    assert_eq!(*actual, kernels::$expected(function as u32, element), "{name} of {element:?} on {}", device.name());
                }
            }
        }
    };
}

#[test]
fn functions_of_vectors_agree() {
    check_table!(VECTORS, run_vectors, vectors);
}

#[test]
fn functions_of_matrices_agree() {
    check_table!(MATRICES, run_matrices, matrices);
}
