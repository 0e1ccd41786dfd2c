//! Integers of 128 bits, which the device computes as two halves.

use language_tests::check_binary;
use metal_oxide::Operation;

#[metal_oxide::kernels]
mod kernels {
    use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

    /// The bits of several numbers, mixed so that each counts.
    fn mixed(numbers: &[u128]) -> [u64; 2] {
        let mix = |sum: u128, &number: &u128| sum.rotate_left(29).wrapping_mul(0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835) ^ number;
        let sum = numbers.iter().fold(1, mix);
        [sum as u64, (sum >> 64) as u64]
    }

    /// Spreads a word over 128 bits, with small numbers among the results.
    fn spread(word: u64) -> u128 {
        u128::from(word) << (word % 65)
    }

    pub fn arithmetic(a: u64, b: u64) -> [u64; 2] {
        let (a, b) = (spread(a), spread(b).wrapping_neg() >> (a % 128));
        let divisor = if b == 0 { 3 } else { b };
        let count = (b % 128) as u32;
        mixed(&[
            a.wrapping_add(b),
            a.wrapping_sub(b),
            a.wrapping_mul(b),
            a / divisor,
            a % divisor,
            a & b | a ^ !b,
            a << count,
            a >> count,
            a.rotate_left(count),
            a.swap_bytes() ^ b.reverse_bits(),
            (a.count_ones() + a.leading_zeros() * 200 + b.trailing_zeros() * 50_000).into(),
            a.checked_mul(b).unwrap_or(5),
            a.checked_add(b).unwrap_or(6),
            a.saturating_sub(b),
            a.min(b) ^ (a < b) as u128,
            a.isqrt(),
            a.abs_diff(b),
            a.pow(2 & (b as u32)),
        ])
    }

    #[kernel]
    pub fn run_arithmetic(a: ReadBuffer<u64>, b: ReadBuffer<u64>, mut out: DisjointBuffer<[u64; 2]>) {
        let index = thread_index();
        if let Some(out) = out.get_mut(&index) {
            *out = arithmetic(a.as_slice()[index.get()], b.as_slice()[index.get()]);
        }
    }

    pub fn signed(a: u64, b: u64) -> [u64; 2] {
        let (a, b) = (spread(a) as i128, spread(b).wrapping_neg() as i128);
        let divisor = if b == 0 || b == -1 { 3 } else { b };
        let numbers = [
            a.wrapping_mul(b),
            a / divisor,
            a % divisor,
            a.rem_euclid(divisor),
            a >> (b as u32 % 128),
            a.checked_mul(b).unwrap_or(5),
            a.checked_sub(b).unwrap_or(6),
            a.saturating_add(b),
            a.max(b) ^ a.cmp(&b) as i128,
            a.signum() ^ b.wrapping_abs(),
            i128::from(a as i8) ^ i128::from(b as i64),
            (a as f32).to_bits().into(),
            (b as f32 / 3.0) as i128,
            (b as f32) as u128 as i128,
            match a {
                0 => 1,
                i128::MIN => 2,
                0x1_0000_0000_0000_0000 => 3,
                _ => 4,
            },
        ];
        mixed(&numbers.map(|number| number as u128))
    }

    #[kernel]
    pub fn run_signed(a: ReadBuffer<u64>, b: ReadBuffer<u64>, mut out: DisjointBuffer<[u64; 2]>) {
        let index = thread_index();
        if let Some(out) = out.get_mut(&index) {
            *out = signed(a.as_slice()[index.get()], b.as_slice()[index.get()]);
        }
    }
}

fn words() -> Vec<u64> {
    let edges = [0, 1, 2, 3, 63, 64, 65, u64::MAX, u64::MAX >> 1, 1 << 63, u64::from(u32::MAX), 1 << 32];
    edges.into_iter().chain((1..40).map(|number: u64| number.wrapping_mul(0x9e37_79b9_7f4a_7c15))).collect()
}

#[test]
fn unsigned_arithmetic_agrees() {
    check_binary(&words(), &words(), kernels::arithmetic, |device, config, a, b, out| {
        kernels::run_arithmetic(device, config, a, b, out).wait().map(drop)
    });
}

#[test]
fn signed_arithmetic_agrees() {
    check_binary(&words(), &words(), kernels::signed, |device, config, a, b, out| {
        kernels::run_signed(device, config, a, b, out).wait().map(drop)
    });
}
