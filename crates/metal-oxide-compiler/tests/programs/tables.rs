// Constants and statics, with addresses inside.

const PRIMES: [u32; 8] = [2, 3, 5, 7, 11, 13, 17, 19];
static SQUARES: [u16; 16] = {
    let mut table = [0; 16];
    let mut i = 0;
    while i < 16 { table[i] = (i * i) as u16; i += 1; }
    table
};
static WORDS: [&str; 3] = ["alpha", "beta", "gamma"];
static NESTED: [&[u8]; 4] = [b"", b"one", &[1, 2, 3, 4], b"!"];

#[derive(Clone, Copy)]
struct Entry { code: u8, weight: f32, next: Option<&'static Entry> }

static LAST: Entry = Entry { code: 1, weight: 0.5, next: None };
static FIRST: Entry = Entry { code: 2, weight: 1.5, next: Some(&LAST) };
const ENTRIES: &[Entry] = &[FIRST, LAST, Entry { code: 9, weight: 2.0, next: Some(&FIRST) }];

enum Operation { Add(u32), Multiply { factor: u32 }, Nothing }
const PROGRAM: [Operation; 4] = [Operation::Add(3), Operation::Multiply { factor: 5 }, Operation::Nothing, Operation::Add(1)];

struct Layout<const N: usize>;
impl<const N: usize> Layout<N> {
    const DOUBLE: usize = N * 2;
    const TABLE: [u32; N] = [N as u32; N];
}

tests! {
    constants(seed) { PRIMES[(seed % 8) as usize] + PRIMES.iter().sum::<u32>() }
    statics(seed) { SQUARES[(seed % 16) as usize] as u32 + SQUARES.len() as u32 }
    strings(seed) { let name = WORDS[(seed % 3) as usize]; name.len() as u32 * 100 + name.as_bytes()[0] as u32 }
    slices_of_slices(seed) { let bytes = NESTED[(seed % 4) as usize]; bytes.iter().fold(bytes.len() as u32, |h, &b| h * 7 + b as u32) }
    linked(seed) {
        let mut entry = &ENTRIES[(seed % 3) as usize];
        let mut sum = entry.code as u32 + entry.weight as u32;
        while let Some(next) = entry.next {
            sum = sum * 10 + next.code as u32;
            entry = next;
        }
        sum
    }
    program(seed) {
        PROGRAM.iter().fold(seed, |value, operation| match operation {
            Operation::Add(amount) => value + amount,
            Operation::Multiply { factor } => value * factor,
            Operation::Nothing => value,
        })
    }
    generic_constants(seed) { (Layout::<3>::DOUBLE + Layout::<4>::TABLE.len()) as u32 + Layout::<5>::TABLE[(seed % 5) as usize] }
    inline_constants(seed) { (const { 3 + PRIMES[2] }) + seed + f32::MAX.to_bits() % 7 + u32::MAX / 1000 }
    text(seed) { "日本語".chars().nth((seed % 3) as usize).unwrap() as u32 }
    type_identity(seed) { (core::any::TypeId::of::<u32>() == core::any::TypeId::of::<u32>()) as u32 + seed }
}
