//! Integer arithmetic of every width: wrapping, checked, saturating and overflowing operations, shifts, division and casts.
//! Covers the rows A1, A2, A3 and A5 of the list of traps: undefined division, shifts and signed overflow.

#![allow(clippy::all, reason = "kernels are written here in as many styles as people have")]

use language_tests::{check_binary, check_unary};
use metal_oxide::Operation;

#[metal_oxide::kernels]
mod kernels {
    use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

    pub fn arithmetic_i32(a: i32, b: i32) -> [i32; 12] {
        [
            a.wrapping_add(b),
            a.wrapping_sub(b),
            a.wrapping_mul(b),
            a.wrapping_neg(),
            a.wrapping_abs(),
            if b == 0 { -7 } else { a.wrapping_div(b) },
            if b == 0 { -7 } else { a.wrapping_rem(b) },
            a & b | (a ^ !b),
            a.wrapping_shl(b as u32),
            a.wrapping_shr(b as u32),
            (a.wrapping_add(1) < a) as i32,
            a.max(b).min(100).clamp(-50, 60),
        ]
    }

    #[kernel]
    pub fn run_arithmetic_i32(a: ReadBuffer<i32>, b: ReadBuffer<i32>, mut out: DisjointBuffer<[i32; 12]>) {
        let index = thread_index();
        if let Some(out) = out.get_mut(&index) {
            *out = arithmetic_i32(a.as_slice()[index.get()], b.as_slice()[index.get()]);
        }
    }

    pub fn arithmetic_u32(a: u32, b: u32) -> [u32; 12] {
        [
            a.wrapping_add(b),
            a.wrapping_sub(b),
            a.wrapping_mul(b),
            a.checked_div(b).unwrap_or(7),
            a.checked_rem(b).unwrap_or(7),
            a << (b & 31),
            a >> (b & 31),
            a.rotate_left(b & 31),
            a.leading_zeros() + 100 * b.trailing_zeros(),
            a.count_ones() | b.swap_bytes(),
            a.reverse_bits(),
            a.abs_diff(b),
        ]
    }

    #[kernel]
    pub fn run_arithmetic_u32(a: ReadBuffer<u32>, b: ReadBuffer<u32>, mut out: DisjointBuffer<[u32; 12]>) {
        let index = thread_index();
        if let Some(out) = out.get_mut(&index) {
            *out = arithmetic_u32(a.as_slice()[index.get()], b.as_slice()[index.get()]);
        }
    }

    pub fn arithmetic_i8(a: i8, b: i8) -> [i8; 8] {
        [
            a.wrapping_add(b),
            a.wrapping_sub(b),
            a.wrapping_mul(b),
            if b == 0 { 5 } else { a.wrapping_div(b) },
            if b == 0 { 5 } else { a.wrapping_rem(b) },
            a.wrapping_shl(b as u32),
            a.wrapping_shr(b as u32),
            ((a as u8) >> 1) as i8,
        ]
    }

    #[kernel]
    pub fn run_arithmetic_i8(a: ReadBuffer<i8>, b: ReadBuffer<i8>, mut out: DisjointBuffer<[i8; 8]>) {
        let index = thread_index();
        if let Some(out) = out.get_mut(&index) {
            *out = arithmetic_i8(a.as_slice()[index.get()], b.as_slice()[index.get()]);
        }
    }

    pub fn arithmetic_u16(a: u16, b: u16) -> [u16; 8] {
        [
            a.wrapping_add(b),
            a.wrapping_sub(b),
            a.wrapping_mul(b),
            a.checked_div(b).unwrap_or(9),
            a << (b & 15),
            !a >> (b & 15),
            a.rotate_right(b as u32 & 15),
            a.saturating_sub(b).saturating_add(60000),
        ]
    }

    #[kernel]
    pub fn run_arithmetic_u16(a: ReadBuffer<u16>, b: ReadBuffer<u16>, mut out: DisjointBuffer<[u16; 8]>) {
        let index = thread_index();
        if let Some(out) = out.get_mut(&index) {
            *out = arithmetic_u16(a.as_slice()[index.get()], b.as_slice()[index.get()]);
        }
    }

    pub fn arithmetic_i64(a: i64, b: i64) -> [i64; 10] {
        let (sum, overflow) = a.overflowing_add(b);
        let (product, product_overflow) = a.overflowing_mul(b);
        [
            sum,
            overflow as i64,
            product,
            product_overflow as i64,
            a.checked_sub(b).unwrap_or(i64::MIN),
            a.checked_div(b).unwrap_or(-3),
            a.saturating_add(b),
            a.saturating_sub(b),
            a.wrapping_shl(b as u32) ^ a.wrapping_shr(b as u32),
            a.rem_euclid(if b == 0 || b == -1 { 3 } else { b }),
        ]
    }

    #[kernel]
    pub fn run_arithmetic_i64(a: ReadBuffer<i64>, b: ReadBuffer<i64>, mut out: DisjointBuffer<[i64; 10]>) {
        let index = thread_index();
        if let Some(out) = out.get_mut(&index) {
            *out = arithmetic_i64(a.as_slice()[index.get()], b.as_slice()[index.get()]);
        }
    }

    pub fn casts(value: i64) -> [i64; 10] {
        [
            value as i8 as i64,
            value as u8 as i64,
            value as i16 as i64,
            value as u16 as i64,
            value as i32 as i64,
            value as u32 as i64,
            value as usize as i64,
            (value as u8 as char) as u32 as i64,
            (value != 0) as i64,
            (value as i32 as f32).to_bits() as i64,
        ]
    }

    #[kernel]
    pub fn run_casts(input: ReadBuffer<i64>, mut out: DisjointBuffer<[i64; 10]>) {
        let index = thread_index();
        if let Some(out) = out.get_mut(&index) {
            *out = casts(input.as_slice()[index.get()]);
        }
    }
}

const I32: [i32; 14] = [0, 1, -1, 2, -2, 7, 31, 32, 33, 100, -1000, i32::MAX, i32::MIN, i32::MIN + 1];
const I64: [i64; 15] = [0, 1, -1, 2, 3, -7, 31, 63, 64, 65, 1 << 31, 1 << 32, i64::MAX, i64::MIN, i64::MIN + 1];

#[test]
fn a1_a2_a5_signed_32_bit_arithmetic_is_exact() {
    check_binary(&I32, &I32, kernels::arithmetic_i32, |device, config, a, b, out| {
        kernels::run_arithmetic_i32(device, config, a, b, out).wait().map(drop)
    });
}

#[test]
fn a3_unsigned_32_bit_arithmetic_is_exact() {
    let values = I32.map(|value| value as u32);
    check_binary(&values, &values, kernels::arithmetic_u32, |device, config, a, b, out| {
        kernels::run_arithmetic_u32(device, config, a, b, out).wait().map(drop)
    });
}

#[test]
fn a2_every_pair_of_8_bit_values_is_exact() {
    let values: Vec<i8> = (i8::MIN..=i8::MAX).collect();
    check_binary(&values, &values, kernels::arithmetic_i8, |device, config, a, b, out| {
        kernels::run_arithmetic_i8(device, config, a, b, out).wait().map(drop)
    });
}

#[test]
fn a2_16_bit_arithmetic_is_exact() {
    let values = [0_u16, 1, 2, 15, 16, 17, 255, 256, 257, 32767, 32768, 65534, 65535];
    check_binary(&values, &values, kernels::arithmetic_u16, |device, config, a, b, out| {
        kernels::run_arithmetic_u16(device, config, a, b, out).wait().map(drop)
    });
}

#[test]
fn a1_a3_a5_64_bit_arithmetic_is_exact() {
    check_binary(&I64, &I64, kernels::arithmetic_i64, |device, config, a, b, out| {
        kernels::run_arithmetic_i64(device, config, a, b, out).wait().map(drop)
    });
}

#[test]
fn integer_casts_truncate_and_extend() {
    check_unary(&I64, kernels::casts, |device, config, input, out| kernels::run_casts(device, config, input, out).wait().map(drop));
}
