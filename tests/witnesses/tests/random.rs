//! Random number generators: PCG through `rand_core`, and `oorandom`.

use metal_oxide::Operation;
use witnesses::{Config, engines, integer_pairs};

#[metal_oxide::kernels(path = "kernels/random")]
mod kernels {}

#[test]
fn generators_agree() {
    let (left, right): (Vec<u64>, Vec<u64>) = integer_pairs(4000).into_iter().unzip();
    for device in engines() {
        let (seeds, streams) = (device.buffer_from_slice(&left).unwrap(), device.buffer_from_slice(&right).unwrap());
        for (function, name) in kernels::GENERATORS.iter().enumerate() {
            let mut out = device.buffer_zeroed::<u64>(left.len()).unwrap();
            let config = Config::for_elements(left.len()).unwrap();
            kernels::run_generators(&device, config, &seeds, &streams, function as u32, &mut out).wait().unwrap();
            for ((&seed, &stream), actual) in left.iter().zip(&right).zip(out.read().wait().iter()) {
                let expected = kernels::generators(function as u32, seed, stream);
                assert_eq!(*actual, expected, "{name} of seed {seed} and stream {stream} on {}", device.name());
            }
        }
    }
}
