//! Branches, matches, loops, early returns, labelled breaks, options, enums with data, closures and generic helpers.

#![allow(clippy::all, reason = "kernels are written here in as many styles as people have")]

use language_tests::check_unary;
use metal_oxide::Operation;

#[metal_oxide::kernels]
mod kernels {
    use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

    #[derive(Clone, Copy, PartialEq)]
    enum Shape {
        Point,
        Circle(f32),
        Rectangle { width: f32, height: f32 },
    }

    fn shape(seed: u32) -> Shape {
        match seed % 4 {
            0 => Shape::Point,
            1 => Shape::Circle(seed as f32),
            2 | 3 if seed > 50 => Shape::Rectangle { width: seed as f32, height: 2.0 },
            _ => Shape::Rectangle { width: 1.0, height: 0.5 },
        }
    }

    fn area(shape: Shape) -> f32 {
        match shape {
            Shape::Point => 0.0,
            Shape::Circle(radius) => 3.0 * radius * radius,
            Shape::Rectangle { width, height } => width * height,
        }
    }

    fn collatz(mut n: u32) -> u32 {
        let mut steps = 0;
        while n > 1 {
            n = if n % 2 == 0 { n / 2 } else { 3 * n + 1 };
            steps += 1;
        }
        steps
    }

    fn find_pair(limit: u32, product: u32) -> Option<(u32, u32)> {
        let mut found = None;
        'outer: for a in 1..limit {
            for b in a..limit {
                if a * b == product {
                    found = Some((a, b));
                    break 'outer;
                }
                if a * b > product {
                    continue 'outer;
                }
            }
        }
        found
    }

    fn first_even(values: [u32; 4]) -> Option<u32> {
        for value in 0..4 {
            if values[value] % 2 == 0 {
                return Some(values[value]);
            }
        }
        None
    }

    fn apply<F: Fn(u32) -> u32>(times: u32, start: u32, f: F) -> u32 {
        let mut value = start;
        for _ in 0..times {
            value = f(value);
        }
        value
    }

    fn largest<T: PartialOrd + Copy>(values: &[T]) -> T {
        let mut largest = values[0];
        for i in 1..values.len() {
            if values[i] > largest {
                largest = values[i];
            }
        }
        largest
    }

    fn digits(mut n: u32) -> u32 {
        let mut sum = 0;
        loop {
            sum += n % 10;
            n /= 10;
            if n == 0 {
                break sum;
            }
        }
    }

    fn signed(value: i32) -> i32 {
        match value {
            -1 => 10,
            -20..=-2 => 20 - value,
            0 | 1 => 30,
            i32::MIN..-20 => -7,
            2.. => value * -3,
        }
    }

    pub fn everything(seed: u32) -> [u32; 10] {
        let (a, b) = match find_pair(40, seed) {
            Some(pair) => pair,
            None => (0, 0),
        };
        let offset = seed & 7;
        let nested: Option<Option<u32>> = if seed % 3 == 0 { None } else { Some(if seed % 3 == 1 { None } else { Some(seed) }) };
        let nested = match nested {
            None => 1,
            Some(None) => 2,
            Some(Some(value)) => 3 + value,
        };
        let triple = (seed, seed as f32, seed > 7);
        [
            area(shape(seed)).to_bits(),
            collatz(seed),
            a * 1000 + b,
            first_even([seed, seed / 2, seed / 3, 4]).unwrap_or(99),
            apply(5, seed, |value| value.wrapping_mul(3) + offset),
            largest(&[seed ^ 5, seed ^ 9, seed ^ 3]),
            largest(&[seed as f32, 3.5, 10.25]).to_bits(),
            digits(seed) ^ signed(seed as i32 - 30) as u32,
            nested,
            if triple.2 { triple.0 + triple.1 as u32 } else { u32::from(shape(seed) == Shape::Point) },
        ]
    }

    #[kernel]
    pub fn run_everything(input: ReadBuffer<u32>, mut out: DisjointBuffer<[u32; 10]>) {
        let index = thread_index();
        if let Some(out) = out.get_mut(&index) {
            *out = everything(input.as_slice()[index.get()]);
        }
    }
}

#[test]
fn control_flow_takes_the_same_paths_on_every_engine() {
    let seeds: Vec<u32> = (0..500).collect();
    check_unary(&seeds, kernels::everything, |device, config, input, out| {
        kernels::run_everything(device, config, input, out).wait().map(drop)
    });
}
