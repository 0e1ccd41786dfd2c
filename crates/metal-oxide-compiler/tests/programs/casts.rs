// Conversions between numbers, and of bytes.

fn fold(values: impl Iterator<Item = u32>) -> u32 {
    values.fold(17, |hash, value| (hash ^ value).wrapping_mul(0x0100_0193).rotate_left(3))
}

fn floats(seed: u32) -> [f32; 14] {
    [0.0, -0.0, 0.5, -1.5, 127.9, 128.0, 255.5, -129.0, 3e9, -3e9, 2e19, f32::NAN, f32::INFINITY, seed as f32 * -1e3]
}

tests! {
    float_to_integer(seed) {
        fold(floats(seed).into_iter().map(|x| {
            x as u8 as u32 ^ (x as i8 as u32) << 1 ^ (x as u16 as u32) << 2 ^ (x as i16 as u32) << 3 ^ x as u32 ^ x as i32 as u32
                ^ (x as u64 >> 32) as u32 ^ (x as i64 >> 30) as u32 ^ x as usize as u32
        }))
    }
    integer_to_float(seed) {
        let values = [seed as i64, -1, i64::MAX, i64::MIN, 16_777_217, -16_777_219, 1 << 40 | seed as i64];
        fold(values.into_iter().map(|v| (v as f32).to_bits() ^ (v as u64 as f32).to_bits() ^ (v as i8 as f32).to_bits() ^ (v as u16 as f32).to_bits()))
    }
    integers(seed) {
        let v = (seed * 0x1234_5677) as i32;
        fold([v as i8 as u32, v as u8 as u32, v as i16 as i64 as u32, (v as i64 >> 32) as u32, (v as u32 as u64 >> 16) as u32, v as u8 as char as u32].into_iter())
    }
    characters(seed) {
        let c = char::from_u32(seed * 30_000).unwrap_or('?');
        c as u32 ^ c.is_alphabetic() as u32 ^ (char::from_digit(seed % 10, 10).unwrap() as u32) << 8 ^ c.len_utf8() as u32
    }
    booleans(seed) { (seed > 2) as u32 + (seed % 2 == 0) as u8 as u32 * 16 + u32::from(seed == 3) * 256 }
    bytes(seed) {
        let bytes = (seed * 0x0102_0304 + 5).to_le_bytes();
        let big = u32::from_be_bytes(bytes);
        let float = f32::from_bits(seed.to_be()).to_bits();
        let halves = u16::from_ne_bytes([bytes[1], bytes[2]]);
        let wide = u64::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3], 1, 2, 3, bytes[0]]);
        fold([big, float, halves as u32, wide as u32, (wide >> 32) as u32].into_iter())
    }
    try_from(seed) {
        let v = seed as i32 * 100 - 150;
        fold([u8::try_from(v).map_or(999, u32::from), i8::try_from(v).map_or(888, |v| v as u32), u16::try_from(v).map_or(777, u32::from)].into_iter())
    }
    transmutes(seed) {
        // SAFETY: both types have the size of the other, and any bytes are a value of theirs.
        let pair: [u16; 2] = unsafe { core::mem::transmute(seed * 0x1001_0203) };
        // SAFETY: as above.
        let float: f32 = unsafe { core::mem::transmute(0x3f80_0000 + seed) };
        // SAFETY: as above.
        let array: [[u8; 2]; 2] = unsafe { core::mem::transmute(pair) };
        let tuple: (u32, u32) = (seed, !seed);
        // SAFETY: as above.
        let wide: u64 = unsafe { core::mem::transmute([tuple.0, tuple.1]) };
        fold([pair[0] as u32, pair[1] as u32, float.to_bits(), array[1][0] as u32, (wide >> 20) as u32].into_iter())
    }
    pointers_are_numbers(seed) {
        let values = [seed; 5];
        let (first, last) = (&values[0] as *const u32, &values[4] as *const u32);
        // SAFETY: both point into the same array.
        let distance = unsafe { last.offset_from(first) };
        (last as usize - first as usize) as u32 + distance as u32 * 100 + (first < last) as u32
    }
}
