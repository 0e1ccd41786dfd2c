// Records, tuples, arrays and their layouts; zero-sized and packed types; drop glue.

use core::cell::Cell;
use core::mem::{ManuallyDrop, MaybeUninit, align_of, offset_of, size_of};

#[derive(Clone, Copy, Default, PartialEq, Debug)]
struct Point { x: f32, y: f32 }

#[derive(Clone, Copy)]
#[repr(C)]
struct Mixed { a: u8, b: u32, c: u16, d: u64 }

#[derive(Clone, Copy)]
#[repr(C, packed)]
struct Packed { a: u8, b: u32, c: u16 }

#[repr(align(16))]
struct Aligned([u8; 3]);

struct Empty;

struct Generic<T, const N: usize> { values: [T; N], marker: core::marker::PhantomData<T> }

union Bits { integer: u32, float: f32, bytes: [u8; 4] }

struct Counts<'a>(&'a Cell<u32>, u32);

impl Drop for Counts<'_> {
    fn drop(&mut self) {
        self.0.set(self.0.get() * 10 + self.1);
    }
}

fn by_value(mut mixed: Mixed) -> Mixed {
    mixed.b += 1;
    mixed
}

tests! {
    sizes(_seed) {
        (size_of::<Mixed>() + align_of::<Aligned>() * 100 + offset_of!(Mixed, d) * 10_000 + size_of::<Packed>() * 1_000_000 + size_of::<Empty>()) as u32
    }
    copies_are_copies(seed) {
        let first = Mixed { a: 1, b: seed, c: 3, d: 1 << 33 };
        let second = by_value(first);
        first.b * 1000 + second.b + (second.d >> 32) as u32 + second.a as u32 + second.c as u32
    }
    packed_fields(seed) {
        let mut packed = Packed { a: 1, b: seed * 0x0101_0101, c: 7 };
        packed.b = packed.b.wrapping_add(3);
        let (b, c) = (packed.b, packed.c);
        b ^ c as u32 ^ packed.a as u32
    }
    packed_arrays(seed) {
        let values = [Packed { a: 1, b: seed, c: 2 }, Packed { a: 3, b: seed + 1, c: 4 }];
        values.iter().map(|v| { let b = v.b; b * v.a as u32 }).sum()
    }
    unions(seed) {
        let mut bits = Bits { float: seed as f32 };
        // SAFETY: any bytes are a value of each field.
        unsafe {
            bits.bytes[3] ^= 0x80;
            (bits.integer >> 16) ^ bits.float.to_bits()
        }
    }
    nested(seed) {
        let mut grid = [[Point::default(); 3]; 2];
        grid[1][2].y = seed as f32;
        grid[(seed % 2) as usize][0] = Point { x: 2.0, y: 3.0 };
        let [first, second] = &grid;
        (first.iter().chain(second).map(|p| p.x + p.y).sum::<f32>()) as u32
    }
    generic(seed) {
        let g = Generic::<u16, 5> { values: [seed as u16; 5], marker: core::marker::PhantomData };
        g.values.iter().map(|&v| v as u32).sum::<u32>() + size_of::<Generic<u64, 3>>() as u32
    }
    uninitialised(seed) {
        let mut values: [MaybeUninit<u32>; 4] = [MaybeUninit::uninit(); 4];
        for (i, value) in values.iter_mut().enumerate() { value.write(seed + i as u32); }
        // SAFETY: all of them have been written.
        let values: [u32; 4] = unsafe { core::mem::transmute(values) };
        values.iter().sum()
    }
    zeroed(seed) {
        // SAFETY: zeros are a value of numbers.
        let mut mixed: Mixed = unsafe { core::mem::zeroed() };
        mixed.c = seed as u16;
        // SAFETY: zeros are a value of numbers.
        let points: [Point; 9] = unsafe { core::mem::zeroed() };
        mixed.b + mixed.c as u32 + mixed.d as u32 + points[8].x as u32
    }
    drops(seed) {
        let log = Cell::new(0);
        {
            let _first = Counts(&log, 1);
            let second = Counts(&log, 2);
            if seed % 2 == 0 { drop(second); }
            let _third = ManuallyDrop::new(Counts(&log, 3));
            let _array = [Counts(&log, 4), Counts(&log, 5)];
            let moved = Some(Counts(&log, 6));
            if seed % 3 == 0 { core::mem::forget(moved); }
        }
        log.get()
    }
    swaps(seed) {
        let (mut a, mut b) = ([seed; 6], [seed + 1; 6]);
        core::mem::swap(&mut a, &mut b);
        let old = core::mem::replace(&mut a[2], 9);
        let taken = core::mem::take(&mut b[1]);
        a.iter().sum::<u32>() * 100 + b.iter().sum::<u32>() + old + taken
    }
    tuples(seed) {
        let t = (seed as u8, seed, (1u16, 2.5f32), ());
        let (a, b, (c, d), ()) = t;
        a as u32 + b + c as u32 + d as u32 + size_of_val(&t) as u32
    }
    closures(seed) {
        let mut total = 0;
        let factor = seed + 2;
        let mut add = |v: u32| { total += v * factor; total };
        add(1);
        add(2);
        let boxed = move |v: u32| v + factor;
        fn apply(f: &impl Fn(u32) -> u32, v: u32) -> u32 { f(v) }
        total + apply(&boxed, 3)
    }
}
