// Code that could fail and does not, with everything that a failure would need.

fn checked(value: u32, limit: u32) -> u32 {
    assert!(value <= limit, "{value} is more than {limit}");
    assert_eq!(value & !limit & 0x8000_0000, 0, "the top bit of {:?}", Some(value));
    debug_assert!(value < 3);
    value
}

tests! {
    assertions(seed) { checked(seed, 10) }
    unwraps(seed) { Some(seed).unwrap() + Ok::<u32, &str>(seed).expect("it is there") + [1, 2, 3].first().copied().unwrap() }
    matches(seed) { match seed % 3 { 0 => 5, 1 => 6, 2 => 7, _ => unreachable!("a remainder of {}", seed % 3) } }
    slices(seed) {
        let a = [seed, 2, 3, 4];
        let n = (seed % 3) as usize;
        a[n..].len() as u32 + a[..=n][0] + a[n..n + 1].iter().sum::<u32>() + a.get(n..9).map_or(4, |s| s.len() as u32)
    }
    divisions(seed) { 100 / (seed + 1) + 100 % (seed + 3) + (-100i32 / (seed as i32 + 1)) as u32 }
    cells(seed) {
        let cell = core::cell::RefCell::new(seed);
        *cell.borrow_mut() += 2;
        let value = *cell.borrow();
        value
    }
    numbers(seed) { u8::try_from(seed).unwrap() as u32 + char::from_digit(seed % 10, 10).unwrap() as u32 + seed.ilog2_or(1) }
    conditional_panic(seed) { if seed > 1000 { panic!("too large: {seed:?} {:5.2}", 1.5f32) } else { seed } }
}

trait Logarithm {
    fn ilog2_or(self, other: u32) -> u32;
}

impl Logarithm for u32 {
    fn ilog2_or(self, other: u32) -> u32 {
        if self == 0 { other } else { self.ilog2() }
    }
}
