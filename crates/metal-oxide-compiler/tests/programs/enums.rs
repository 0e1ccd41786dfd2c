// Enums in every encoding of their tag, and matching on them.

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Plain { A, B, C, D }

#[derive(Clone, Copy)]
#[repr(i8)]
enum Signed { Low = -100, Middle = 3, High = 100 }

#[derive(Clone, Copy, PartialEq)]
enum Shape { Circle(f32), Square { side: u32 }, Pair(u16, u8), Nothing }

enum Large { Array([u32; 5]), Mixed(u8, u64, bool), Small(u8) }

#[derive(Clone, Copy)]
enum Niche { Empty, Other, More, Flag(bool) }

#[derive(Clone, Copy)]
enum NicheMiddle { One(u8, Plain), Two, Three }

#[derive(Clone, Copy)]
enum Never {}

fn plain(seed: u32) -> Plain {
    match seed % 4 { 0 => Plain::A, 1 => Plain::B, 2 => Plain::C, _ => Plain::D }
}

fn shape(seed: u32) -> Shape {
    match seed % 4 {
        0 => Shape::Circle(seed as f32 + 0.5),
        1 => Shape::Square { side: seed * 3 },
        2 => Shape::Pair(seed as u16, 9),
        _ => Shape::Nothing,
    }
}

fn fallible(seed: u32) -> Result<u32, Shape> {
    if seed % 3 == 0 { Err(shape(seed)) } else { Ok(seed) }
}

fn question(seed: u32) -> Result<u32, Shape> {
    let a = fallible(seed)?;
    let b = fallible(seed + 1)?;
    Ok(a * b)
}

tests! {
    discriminants(seed) { plain(seed) as u32 + 10 * (plain(seed + 1) > Plain::B) as u32 + 100 * plain(seed).max(Plain::C) as u32 }
    signed_discriminants(seed) {
        let value = match seed % 3 { 0 => Signed::Low, 1 => Signed::Middle, _ => Signed::High };
        value as i8 as i32 as u32
    }
    payloads(seed) {
        match shape(seed) {
            Shape::Circle(r) => r.to_bits(),
            Shape::Square { side } if side > 5 => side,
            Shape::Square { .. } => 1,
            Shape::Pair(a, b) => a as u32 * 256 + b as u32,
            Shape::Nothing => 7,
        }
    }
    equality(seed) { (shape(seed) == shape(seed + 4)) as u32 + 2 * (shape(seed) == shape(seed)) as u32 }
    large(seed) {
        let mut value = match seed % 3 { 0 => Large::Array([seed; 5]), 1 => Large::Mixed(1, 1 << 40, true), _ => Large::Small(3) };
        if let Large::Array(values) = &mut value { values[2] += 5; }
        match value { Large::Array(values) => values.iter().sum(), Large::Mixed(a, b, c) => a as u32 + (b >> 38) as u32 + c as u32, Large::Small(a) => a as u32 }
    }
    niches(seed) {
        let value = match seed % 5 { 0 => Niche::Empty, 1 => Niche::Other, 2 => Niche::More, 3 => Niche::Flag(false), _ => Niche::Flag(true) };
        let wrapped = if seed % 2 == 0 { Some(value) } else { None };
        match wrapped { None => 1, Some(Niche::Empty) => 2, Some(Niche::Other) => 3, Some(Niche::More) => 4, Some(Niche::Flag(flag)) => 5 + flag as u32 }
    }
    niches_in_fields(seed) {
        let value = match seed % 3 { 0 => NicheMiddle::One(seed as u8, plain(seed)), 1 => NicheMiddle::Two, _ => NicheMiddle::Three };
        match value { NicheMiddle::One(a, b) => a as u32 * 10 + b as u32, NicheMiddle::Two => 500, NicheMiddle::Three => 600 }
    }
    options_of_references(seed) {
        let values = [seed, seed + 1];
        let chosen = if seed % 2 == 0 { Some(&values[1]) } else { None };
        chosen.copied().unwrap_or(99) + chosen.is_some() as u32
    }
    nested_options(seed) {
        let value: Option<Option<Option<bool>>> = match seed % 5 { 0 => None, 1 => Some(None), 2 => Some(Some(None)), 3 => Some(Some(Some(false))), _ => Some(Some(Some(true))) };
        match value { None => 1, Some(None) => 2, Some(Some(None)) => 3, Some(Some(Some(b))) => 4 + b as u32 }
    }
    results(seed) { match question(seed) { Ok(value) => value, Err(Shape::Circle(r)) => r as u32 + 100, Err(_) => 200 } }
    never(seed) {
        let value: Result<u32, Never> = Ok(seed);
        match value { Ok(value) => value, Err(never) => match never {} }
    }
    options_of_characters(seed) { char::from_u32(seed * 0x4000).map_or(5, |c| c as u32) + core::mem::size_of::<Option<char>>() as u32 }
    take_and_replace(seed) {
        let mut slot = Some(seed);
        let taken = slot.take();
        let inserted = *slot.get_or_insert(5);
        taken.unwrap_or(0) + inserted + slot.replace(3).unwrap() + slot.xor(None).unwrap()
    }
    non_zero(seed) {
        let value = core::num::NonZero::new(seed);
        value.map_or(77, |v| v.get() * 2) + core::mem::size_of_val(&value) as u32 + value.is_none() as u32
    }
}
