//! Measures the CPU device against hand-written Rust with rayon, both sides in one run, interleaved.
//! Prints one JSON object a line: what was measured, both medians in seconds and their ratio. `cargo run --release -p benchmarks [NAME [ROUNDS]]`.

mod kernels;
mod measure;

use metal_oxide::{Device, LaunchConfig, Operation, Result};
use rayon::prelude::*;

use measure::{Comparison, alone, compare};

/// A benchmark: its name, and what measures it in a number of rounds.
type Benchmark = (&'static str, fn(&Device, usize) -> Result<Comparison>);

const BENCHMARKS: &[Benchmark] = &[("mandelbrot", mandelbrot), ("vec_add", vec_add), ("saxpy", saxpy), ("empty_launch", empty_launch)];

fn main() -> Result<()> {
    let mut arguments = std::env::args().skip(1);
    let wanted = arguments.next();
    let rounds = arguments.next().and_then(|text| text.parse().ok()).unwrap_or(5);
    let device = Device::cpu();
    for (name, benchmark) in BENCHMARKS.iter().filter(|(name, _)| wanted.as_deref().is_none_or(|wanted| wanted == *name)) {
        let comparison = benchmark(&device, rounds)?;
        println!("{}", comparison.to_json(name));
    }
    Ok(())
}

/// A picture of 4096×4096 pixels, where each pixel is a loop of its own.
fn mandelbrot(device: &Device, rounds: usize) -> Result<Comparison> {
    const SIDE: u32 = 4096;
    let count = (SIDE * SIDE) as usize;
    let config = LaunchConfig::<256>::for_elements(count)?;
    let mut pixels = device.buffer_zeroed::<u32>(count)?;
    let mut expected = vec![0_u32; count];
    let comparison = compare(
        rounds,
        || kernels::iterate::mandelbrot(device, config, &mut pixels, SIDE).wait().map(drop),
        || expected.par_iter_mut().enumerate().for_each(|(i, pixel)| *pixel = kernels::iterate::pixel(i as u32, SIDE)),
    )?;
    assert_eq!(*pixels.read().wait(), *expected, "both sides draw the same picture");
    Ok(comparison)
}

/// Sixteen million additions: nothing but memory traffic.
fn vec_add(device: &Device, rounds: usize) -> Result<Comparison> {
    let count = 1 << 24;
    let (a, b): (Vec<f32>, Vec<f32>) = (0..count).map(|i| (i as f32, (i % 77) as f32)).unzip();
    let config = LaunchConfig::<256>::for_elements(count)?;
    let (device_a, device_b) = (device.buffer_from_slice(&a)?, device.buffer_from_slice(&b)?);
    let mut sums = device.buffer_zeroed::<f32>(count)?;
    let mut expected = vec![0.0_f32; count];
    compare(
        rounds,
        || kernels::stream::vec_add(device, config, &device_a, &device_b, &mut sums).wait().map(drop),
        || expected.par_iter_mut().zip(&a).zip(&b).with_min_len(4096).for_each(|((sum, a), b)| *sum = a + b),
    )
}

/// `y = a * x + y` over sixteen million elements.
fn saxpy(device: &Device, rounds: usize) -> Result<Comparison> {
    let count = 1 << 24;
    let x: Vec<f32> = (0..count).map(|i| (i % 1000) as f32).collect();
    let config = LaunchConfig::<256>::for_elements(count)?;
    let device_x = device.buffer_from_slice(&x)?;
    let mut device_y = device.buffer_zeroed::<f32>(count)?;
    let mut y = vec![0.0_f32; count];
    compare(
        rounds,
        || kernels::stream::saxpy(device, config, 0.5, &device_x, &mut device_y).wait().map(drop),
        || y.par_iter_mut().zip(&x).with_min_len(4096).for_each(|(y, x)| *y += 0.5 * x),
    )
}

/// A launch that does nothing, and waiting for it: the cost of the runtime itself.
fn empty_launch(device: &Device, rounds: usize) -> Result<Comparison> {
    let config = LaunchConfig::<1>::for_elements(1)?;
    let mut out = device.buffer_zeroed::<u32>(1)?;
    alone(rounds * 1000, || kernels::stream::nothing(device, config, &mut out).wait().map(drop))
}
