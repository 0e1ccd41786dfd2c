//! Runs kernels of other people's crates on every engine of the machine and compares the results with the host's.
//! The tests stand in `tests/`, a file for each crate; its kernels are the package of the same name in `kernels/`.

pub use language_tests::{Config, engines};

/// So many floats: those at which something changes, then bit patterns that are spread over all exponents, and numbers of everyday size.
pub fn floats(count: usize) -> Vec<f32> {
    let edges = [
        0.0,
        0.5,
        1.0,
        1.5,
        2.0,
        3.0,
        10.0,
        88.5,
        89.0,
        127.0,
        128.0,
        16777216.0,
        core::f32::consts::PI,
        core::f32::consts::FRAC_PI_2,
        core::f32::consts::FRAC_PI_4,
        f32::MAX,
        f32::MIN_POSITIVE,
        f32::from_bits(1),
        f32::from_bits(0x007f_ffff),
        f32::EPSILON,
        f32::INFINITY,
        f32::NAN,
    ];
    let spread = (0..).map(|number: u32| f32::from_bits(number.wrapping_mul(0x9e37_79b9)));
    let everyday = (0..).map(|number: u32| number.wrapping_mul(0x9e37_79b9) as i32 as f32 / 1e8);
    let mixed = spread.zip(everyday).flat_map(|(spread, everyday)| [spread, everyday]);
    edges.into_iter().chain(edges.map(|edge: f32| -edge)).chain(mixed).take(count).collect()
}

/// So many pairs of floats: all pairs of the first ones, then pairs from all over.
pub fn float_pairs(count: usize) -> Vec<(f32, f32)> {
    let (few, many) = (floats(44), floats(2 * count));
    let crossed = few.iter().flat_map(|&left| few.iter().map(move |&right| (left, right)));
    crossed.chain(many.iter().copied().zip(many.iter().rev().copied())).take(count).collect()
}

/// So many pairs of integers whose low bits have edges at every width: all pairs of the first ones, then pairs from all over.
pub fn integer_pairs(count: usize) -> Vec<(u64, u64)> {
    let mut few = vec![0, 1, 2, 3, 5, 10];
    for bits in [8, 16, 32, 64] {
        let all = u64::MAX >> (64 - bits);
        few.extend([all, all - 1, all >> 1, (all >> 1) + 1, all / 3]);
    }
    let crossed: Vec<_> = few.iter().flat_map(|&left| few.iter().map(move |&right| (left, right))).collect();
    let spread =
        (1_u64..).map(|number| (number.wrapping_mul(0x9e37_79b9_7f4a_7c15), number.wrapping_mul(0xd1b5_4a32_d192_ed03).rotate_left(23)));
    crossed.into_iter().chain(spread).take(count).collect()
}
