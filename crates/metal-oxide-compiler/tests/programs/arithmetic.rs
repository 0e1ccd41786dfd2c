// Integer and float arithmetic at its edges.

fn spread(seed: u32) -> [i32; 8] {
    [0, 1, -1, i32::MAX, i32::MIN, seed as i32, -(seed as i32) * 77, (seed * 0x9e37_79b9) as i32]
}

fn fold(values: impl Iterator<Item = u32>) -> u32 {
    let mut hash = 0x811c_9dc5u32;
    for value in values {
        hash = (hash ^ value).wrapping_mul(0x0100_0193);
    }
    hash
}

fn pairs(seed: u32) -> impl Iterator<Item = (i32, i32)> {
    let values = spread(seed);
    (0..64).map(move |i| (values[i / 8], values[i % 8]))
}

tests! {
    wrapping_operations(seed) {
        fold(pairs(seed).map(|(a, b)| a.wrapping_add(b) as u32 ^ a.wrapping_sub(b) as u32 ^ a.wrapping_mul(b) as u32))
    }
    checked_operations(seed) {
        fold(pairs(seed).map(|(a, b)| {
            a.checked_add(b).map_or(1, |v| v as u32) ^ a.checked_sub(b).map_or(2, |v| v as u32)
                ^ a.checked_mul(b).map_or(3, |v| v as u32) ^ a.checked_div(b).map_or(4, |v| v as u32) ^ a.checked_rem(b).map_or(5, |v| v as u32)
        }))
    }
    checked_narrow(seed) {
        fold(pairs(seed).map(|(a, b)| {
            let (a, b) = (a as i8, b as i8);
            a.checked_add(b).map_or(1, |v| v as u32) ^ a.checked_mul(b).map_or(3, |v| v as u32) ^ (a as u8).checked_sub(b as u8).map_or(9, u32::from)
        }))
    }
    checked_wide(seed) {
        fold(pairs(seed).map(|(a, b)| {
            let (a, b) = ((a as i64) << 31, (b as i64) << 32);
            a.checked_mul(b).map_or(1, |v| v as u32) ^ a.checked_add(b).map_or(3, |v| (v >> 32) as u32)
                ^ (a as u64).checked_mul(b as u64).map_or(9, |v| (v >> 32) as u32)
        }))
    }
    saturating_operations(seed) {
        fold(pairs(seed).map(|(a, b)| {
            a.saturating_add(b) as u32 ^ a.saturating_sub(b) as u32 ^ a.saturating_mul(b) as u32 ^ (a as u16).saturating_sub(b as u16) as u32
        }))
    }
    overflowing_operations(seed) {
        fold(pairs(seed).map(|(a, b)| {
            let (sum, carry) = a.overflowing_add(b);
            let (shifted, too_far) = a.overflowing_shl(b as u32);
            sum as u32 + carry as u32 + shifted as u32 * too_far as u32
        }))
    }
    shifts(seed) {
        fold(pairs(seed).map(|(a, b)| {
            let count = b as u32 % 40;
            a.wrapping_shl(count) as u32 ^ a.wrapping_shr(count) as u32 ^ (a as u32).wrapping_shr(count)
                ^ (a as i8).wrapping_shr(count) as u32 ^ ((a as u64) << (count % 64)) as u32 ^ a.checked_shl(count).map_or(7, |v| v as u32)
        }))
    }
    division(seed) {
        fold(pairs(seed).map(|(a, b)| {
            if b == 0 || (a == i32::MIN && b == -1) { return 0; }
            (a / b) as u32 ^ (a % b) as u32 ^ a.div_euclid(b) as u32 ^ a.rem_euclid(b) as u32 ^ (a as u32 / b as u32)
        }))
    }
    bits(seed) {
        fold(spread(seed).into_iter().map(|a| {
            a.count_ones() ^ a.leading_zeros() << 8 ^ a.trailing_zeros() << 16 ^ a.swap_bytes() as u32 ^ a.reverse_bits() as u32
                ^ (a as u16).leading_zeros() ^ (a as u8).reverse_bits() as u32 ^ (a as u64).trailing_zeros() ^ a.rotate_left(seed % 33) as u32
                ^ (a as u16).rotate_right(seed % 19) as u32
        }))
    }
    roots_and_logarithms(seed) {
        fold(spread(seed).into_iter().map(|a| {
            let a = a as u32;
            a.isqrt() ^ a.checked_ilog2().unwrap_or(99) ^ a.checked_ilog10().unwrap_or(77) ^ a.wrapping_pow(3) ^ a.checked_next_power_of_two().unwrap_or(1)
        }))
    }
    wide_multiplication(seed) {
        let a = 0xdead_beef_1234_5678u64.rotate_left(seed);
        let b = 0x0123_4567_89ab_cdefu64.rotate_right(seed);
        let (low, carry) = a.carrying_mul_fallback(b);
        fold([low as u32, (low >> 32) as u32, carry as u32, (carry >> 32) as u32].into_iter())
    }
    floats(seed) {
        let x = seed as f32 * 1.7 - 3.0;
        fold([x + 0.1, x * x, x / 3.0, -x, x % 1.5, x.abs(), x.min(1.0), x.max(f32::NAN), x.clamp(-1.0, 1.0), x.signum(), x.copysign(-0.0)]
            .into_iter().map(f32::to_bits))
    }
    float_comparison(seed) {
        let values = [0.0f32, -0.0, f32::NAN, f32::INFINITY, f32::NEG_INFINITY, seed as f32];
        fold((0..36).map(|i| {
            let (a, b) = (values[i / 6], values[i % 6]);
            (a < b) as u32 | ((a <= b) as u32) << 1 | ((a == b) as u32) << 2 | ((a != b) as u32) << 3 | ((a.total_cmp(&b) as i32 + 1) as u32) << 4
                | (a.partial_cmp(&b).map_or(3, |order| (order as i32 + 1) as u32)) << 6
        }))
    }
    float_rounding(seed) {
        let x = seed as f32 * 0.75 - 2.5;
        fold([x.floor(), x.ceil(), x.round(), x.trunc(), x.round_ties_even(), x.fract(), x.sqrt(), x.rem_euclid(2.0), x.powi(3), x.mul_add(2.0, 1.0)]
            .into_iter().filter(|x| !x.is_nan()).map(f32::to_bits))
    }
    comparisons(seed) {
        fold(pairs(seed).map(|(a, b)| {
            (a.cmp(&b) as i32 + 1) as u32 | (a.max(b) as u32) << 2 | ((a as u32) < b as u32) as u32
        }))
    }
    booleans(seed) {
        let (a, b) = (seed & 1 == 1, seed & 2 == 2);
        (a & b) as u32 | ((a | b) as u32) << 1 | ((a ^ b) as u32) << 2 | ((!a) as u32) << 3 | ((a < b) as u32) << 4 | ((a >= b) as u32) << 5
            | (a.then_some(3).unwrap_or(5)) << 6
    }
}

trait Wide {
    fn carrying_mul_fallback(self, other: Self) -> (Self, Self) where Self: Sized;
}

impl Wide for u64 {
    fn carrying_mul_fallback(self, other: u64) -> (u64, u64) {
        let (a, b, c, d) = (self >> 32, self & 0xffff_ffff, other >> 32, other & 0xffff_ffff);
        let (high, middle, other_middle, low) = (a * c, a * d, b * c, b * d);
        let sum = (low >> 32) + (middle & 0xffff_ffff) + (other_middle & 0xffff_ffff);
        (self.wrapping_mul(other), high + (middle >> 32) + (other_middle >> 32) + (sum >> 32))
    }
}
