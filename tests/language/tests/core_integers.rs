//! What integers promise: every family of methods, for several widths.
//! Each test is device code whose result every engine must give as the host does.

#![allow(clippy::all, reason = "kernels are written here in as many styles as people have")]

use language_tests::check_tests;
use metal_oxide::Operation;

#[metal_oxide::kernels]
mod kernels {
    use metal_oxide::device::{DisjointBuffer, thread_index};

    /// Makes a function of each test, and one that runs the test of a number.
    macro_rules! tests {
        ($($name:ident($seed:ident) $body:block)*) => {
            $(fn $name($seed: u32) -> u32 $body)*

            /// The names of the tests, by number.
            pub const NAMES: &[&str] = &[$(stringify!($name)),*];

            /// What the test of a number gives for a seed.
            pub fn run(test: usize, seed: u32) -> u32 {
                let mut number = 0;
                $(
                    if test == number {
                        return $name(seed);
                    }
                    number += 1;
                )*
                number as u32
            }
        };
    }

    /// A 64-bit value from a seed, with many patterns of bits.
    fn wide(seed: u32) -> u64 {
        let value = u64::from(seed).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        match seed % 7 {
            0 => 0,
            1 => u64::MAX,
            2 => value >> 32,
            3 => value | 1 << 63,
            _ => value,
        }
    }

    /// A result or a mark.
    fn or<T: Into<i64>>(value: Option<T>) -> u32 {
        value.map_or(0xdead, |value| value.into() as u32)
    }

    tests! {
        checked_u8(seed) {
            let (a, b) = (seed as u8, wide(seed) as u8);
            or(a.checked_add(b)) ^ or(a.checked_sub(b)) << 8 ^ or(a.checked_mul(b)) << 16 ^ or(a.checked_div(b)).rotate_left(24)
        }
        checked_i16(seed) {
            let (a, b) = (wide(seed) as i16, (wide(seed) >> 16) as i16);
            or(a.checked_add(b)) ^ or(a.checked_sub(b)) ^ or(a.checked_mul(b)) ^ or(a.checked_rem(b)) ^ or(a.checked_neg()) ^ or(a.checked_abs())
        }
        checked_i32(seed) {
            let (a, b) = (wide(seed) as i32, (wide(seed) >> 32) as i32);
            or(a.checked_add(b)) ^ or(a.checked_sub(b)) ^ or(a.checked_mul(b % 9)) ^ or(a.checked_div(b)) ^ or(a.checked_shl(seed % 40)).rotate_left(3)
        }
        checked_u64(seed) {
            let (a, b) = (wide(seed), wide(seed + 1));
            let fold = |value: Option<u64>| value.map_or(1, |value| (value ^ value >> 32) as u32);
            fold(a.checked_add(b)) ^ fold(a.checked_sub(b)) ^ fold(a.checked_mul(b >> 40)) ^ fold(a.checked_rem(b)) ^ fold(a.checked_pow(2))
        }
        saturating_signed(seed) {
            let (a, b) = (wide(seed) as i8, (wide(seed) >> 9) as i8);
            (a.saturating_add(b) as u8 as u32) ^ (a.saturating_sub(b) as u8 as u32) << 8 ^ (a.saturating_mul(b) as u8 as u32) << 16 ^ (a.saturating_neg() as u8 as u32) << 24
        }
        saturating_unsigned(seed) {
            let (a, b) = (wide(seed) as u16, (wide(seed) >> 20) as u16);
            u32::from(a.saturating_add(b)) ^ u32::from(a.saturating_sub(b)) << 8 ^ u32::from(a.saturating_mul(b)) << 16
        }
        overflowing_32(seed) {
            let (a, b) = (wide(seed) as u32, (wide(seed) >> 32) as u32);
            let (sum, carry) = a.overflowing_add(b);
            let (difference, borrow) = a.overflowing_sub(b);
            let (product, overflow) = a.overflowing_mul(b);
            sum ^ difference ^ product ^ u32::from(carry) ^ u32::from(borrow) << 1 ^ u32::from(overflow) << 2
        }
        overflowing_signed_64(seed) {
            let (a, b) = (wide(seed) as i64, wide(seed + 2) as i64);
            let (sum, carry) = a.overflowing_add(b);
            let (difference, borrow) = a.overflowing_sub(b);
            let (product, overflow) = a.overflowing_mul(b);
            (sum ^ difference ^ product) as u32 ^ u32::from(carry) ^ u32::from(borrow) << 1 ^ u32::from(overflow) << 2
        }
        carrying_chains(seed) {
            let (low, carry) = (wide(seed) as u32).overflowing_add(wide(seed + 1) as u32);
            let high = ((wide(seed) >> 32) as u32).wrapping_add((wide(seed + 1) >> 32) as u32).wrapping_add(u32::from(carry));
            low ^ high
        }
        shifts_wrap_their_count(seed) {
            let a = wide(seed);
            (a.wrapping_shl(seed) ^ a.wrapping_shr(seed)) as u32 ^ (a as i32).wrapping_shr(seed) as u32 ^ u32::from((a as u8).wrapping_shl(seed))
        }
        shifts_checked_and_overflowing(seed) {
            let a = wide(seed) as u32;
            let (shifted, over) = a.overflowing_shr(seed % 64);
            or(a.checked_shl(seed % 64).map(i64::from)) ^ shifted ^ u32::from(over)
        }
        rotations(seed) {
            let a = wide(seed);
            (a.rotate_left(seed % 64) ^ a.rotate_right(seed % 64)) as u32 ^ u32::from((a as u16).rotate_left(seed % 16)) ^ u32::from((a as u8).rotate_right(seed % 8))
        }
        leading_and_trailing(seed) {
            let a = wide(seed);
            a.leading_zeros() + 64 * a.trailing_zeros() + 4096 * (a as u16).leading_zeros() + 65536 * (a as u8).trailing_ones() + (a as i32).leading_ones()
        }
        counting_ones(seed) { wide(seed).count_ones() * 100 + (wide(seed) as u8).count_zeros() + (wide(seed) as i16).count_ones() * 10 }
        swapping_and_reversing(seed) {
            let a = wide(seed);
            (a.swap_bytes() ^ a.reverse_bits()) as u32 ^ u32::from((a as u16).swap_bytes()) ^ u32::from((a as u8).reverse_bits())
        }
        bytes_round_trip(seed) {
            let a = wide(seed);
            let little = a.to_le_bytes();
            let big = (a as u32).to_be_bytes();
            u32::from_be_bytes(big) ^ u64::from_le_bytes(little) as u32 ^ u32::from(little[5]) << 3 ^ u32::from(u16::from_ne_bytes([big[0], little[1]]))
        }
        powers(seed) { (seed % 13).pow(seed % 8) ^ (wide(seed) as u32).wrapping_pow(seed % 20) ^ (-3_i32).pow(seed % 5) as u32 }
        integer_square_roots(seed) { wide(seed).isqrt() as u32 ^ (wide(seed) as u32).isqrt() << 3 ^ u32::from((seed as u8).isqrt()) }
        logarithms(seed) { (wide(seed) | 1).ilog2() + 100 * (wide(seed) | 1).ilog10() + 10_000 * (seed | 1).ilog(7) + or((wide(seed) as u32).checked_ilog2().map(i64::from)) }
        euclidean_division(seed) {
            let (a, b) = (wide(seed) as i32, (wide(seed) >> 33) as i32 % 100 | 1);
            let b = if seed % 2 == 0 { b } else { -b - 2 };
            (a.wrapping_div_euclid(b) as u32) ^ (a.wrapping_rem_euclid(b) as u32) << 5 ^ (a as i8).rem_euclid(7) as u32
        }
        division_and_remainder(seed) {
            let (a, b) = (wide(seed), wide(seed + 3) | 1);
            (a / b ^ a % b) as u32 ^ ((a as i64).wrapping_div(b as i64) ^ (a as i64).wrapping_rem(b as i64)) as u32
        }
        div_ceil_and_next_multiple(seed) { (seed % 1000).div_ceil(seed % 9 + 1) * 1000 + (seed % 500).next_multiple_of(seed % 7 + 1) }
        powers_of_two(seed) { (seed % 1000).next_power_of_two() + u32::from((seed % 64).is_power_of_two()) }
        abs_diff_and_signum(seed) {
            let (a, b) = (wide(seed) as i32, wide(seed + 1) as i32);
            a.abs_diff(b) ^ a.signum() as u32 ^ a.unsigned_abs() ^ a.wrapping_abs() as u32 ^ u32::from(a.is_negative())
        }
        midpoint_does_not_overflow(seed) { (wide(seed) as u32).midpoint(wide(seed + 1) as u32) ^ u32::from((wide(seed) as u8).midpoint(seed as u8)) }
        conversions_checked(seed) {
            let a = wide(seed);
            or(u8::try_from(a).ok().map(i64::from)) ^ or(i32::try_from(a).ok()) ^ or(i16::try_from(a as i64).ok()) ^ u32::from(u16::try_from(seed).unwrap_or(9))
        }
        casts_between_widths(seed) {
            let a = wide(seed);
            (a as i8 as i32 as u32) ^ (a as i16 as i64 >> 3) as u32 ^ (a as u32 as i64 as u64 >> 7) as u32 ^ (a as i64 as i8 as u16 as u32)
        }
        minimum_and_maximum(seed) {
            let (a, b) = (wide(seed) as i16, wide(seed + 1) as i16);
            (a.min(b) as u16 as u32) << 16 | a.max(b).clamp(-500, 500) as u16 as u32
        }
        usize_arithmetic_is_64_bit(seed) {
            let a = seed as usize * 0x1_0000_0001;
            (a >> 32) as u32 ^ (a as isize as i64 >> 7) as u32 ^ usize::BITS
        }
        wide_multiplication(seed) {
            let product = u64::from(seed) * 0xdead_beef + u64::from(seed.wrapping_mul(77));
            (product >> 32) as u32 ^ product as u32
        }
        sums_that_wrap_are_seen(seed) {
            let x = i32::MAX - (seed % 3) as i32;
            u32::from(x.wrapping_add(1) < x) + 2 * u32::from(x.checked_add(2).is_none())
        }
        bit_tricks(seed) {
            let a = wide(seed) as u32;
            (a & a.wrapping_neg()) ^ (a & a.wrapping_sub(1)) ^ (a ^ a >> 1) ^ !(a | a << 1)
        }
        xorshift_generator(seed) {
            let mut state = seed | 1;
            for _ in 0..seed % 40 {
                state ^= state << 13;
                state ^= state >> 17;
                state ^= state << 5;
            }
            state
        }
        greatest_common_divisor(seed) {
            let (mut a, mut b) = (seed.wrapping_mul(36), seed.wrapping_mul(24) | 12);
            while b != 0 {
                (a, b) = (b, a % b);
            }
            a
        }
        modular_power(seed) {
            let (mut base, mut exponent, mut result) = (u64::from(seed), 65_537_u32, 1_u64);
            while exponent > 0 {
                if exponent & 1 == 1 {
                    result = result * base % 1_000_000_007;
                }
                base = base * base % 1_000_000_007;
                exponent >>= 1;
            }
            result as u32
        }
        crc_of_bytes(seed) {
            let mut crc = !0_u32;
            for byte in seed.to_le_bytes() {
                crc ^= u32::from(byte);
                for _ in 0..8 {
                    crc = if crc & 1 == 1 { crc >> 1 ^ 0xedb8_8320 } else { crc >> 1 };
                }
            }
            !crc
        }
    }

    /// Runs each test with several seeds: element `i` is test `i % count` with seed `first + i / count`.
    #[kernel]
    pub fn run_all(mut out: DisjointBuffer<u32>, count: u32, first: u32) {
        let index = thread_index();
        if let Some(out) = out.get_mut(&index) {
            let i = index.get() as u32;
            *out = run((i % count) as usize, first + i / count);
        }
    }
}

#[test]
fn integers_give_what_core_promises() {
    check_tests(kernels::NAMES, kernels::run, |device, config, out, count, first| {
        kernels::run_all(device, config, out, count, first).wait().map(drop)
    });
}
