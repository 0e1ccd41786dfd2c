//! Programs as people write them: hashes, ciphers, solvers, simulations, parsers and searches.
//! Each is device code whose result every engine must give as the host does.

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

    use core::ops::{Add, Mul, Neg, Sub};

    /// A complex number.
    #[derive(Clone, Copy, PartialEq, Debug, Default)]
    struct Complex {
        re: f32,
        im: f32,
    }

    impl Add for Complex {
        type Output = Complex;
        fn add(self, other: Complex) -> Complex {
            Complex { re: self.re + other.re, im: self.im + other.im }
        }
    }

    impl Sub for Complex {
        type Output = Complex;
        fn sub(self, other: Complex) -> Complex {
            Complex { re: self.re - other.re, im: self.im - other.im }
        }
    }

    impl Mul for Complex {
        type Output = Complex;
        fn mul(self, other: Complex) -> Complex {
            Complex { re: self.re * other.re - self.im * other.im, im: self.re * other.im + self.im * other.re }
        }
    }

    impl Neg for Complex {
        type Output = Complex;
        fn neg(self) -> Complex {
            Complex { re: -self.re, im: -self.im }
        }
    }

    /// A vector in space.
    #[derive(Clone, Copy)]
    struct Vector([f32; 3]);

    impl Vector {
        fn dot(self, other: Vector) -> f32 {
            self.0.iter().zip(&other.0).map(|(a, b)| a * b).sum()
        }

        fn combine(self, other: Vector, f: impl Fn(f32, f32) -> f32) -> Vector {
            Vector(core::array::from_fn(|i| f(self.0[i], other.0[i])))
        }
    }

    /// A generator of pseudo-random numbers.
    struct Random(u64);

    impl Random {
        fn new(seed: u32) -> Self {
            Random(u64::from(seed).wrapping_add(0x853c_49e6_748f_ea9b))
        }

        fn next(&mut self) -> u32 {
            let old = self.0;
            self.0 = old.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let shifted = ((old >> 18 ^ old) >> 27) as u32;
            shifted.rotate_right((old >> 59) as u32)
        }

        fn float(&mut self) -> f32 {
            (self.next() >> 8) as f32 / 16_777_216.0
        }
    }

    impl Iterator for Random {
        type Item = u32;
        fn next(&mut self) -> Option<u32> {
            Some(Random::next(self))
        }
    }

    /// A token of an arithmetic expression.
    #[derive(Clone, Copy, PartialEq)]
    enum Token {
        Number(u32),
        Operator(u8),
        End,
    }

    /// Splits text into tokens.
    struct Lexer<'a> {
        text: &'a [u8],
        place: usize,
    }

    impl Lexer<'_> {
        fn next(&mut self) -> Token {
            while self.text.get(self.place) == Some(&b' ') {
                self.place += 1;
            }
            match self.text.get(self.place) {
                None => Token::End,
                Some(digit) if digit.is_ascii_digit() => {
                    let mut value = 0_u32;
                    while let Some(digit) = self.text.get(self.place).filter(|byte| byte.is_ascii_digit()) {
                        value = value.wrapping_mul(10).wrapping_add(u32::from(digit - b'0'));
                        self.place += 1;
                    }
                    Token::Number(value)
                }
                Some(operator) => {
                    self.place += 1;
                    Token::Operator(*operator)
                }
            }
        }
    }

    /// The table of a cyclic redundancy check, made at compile time.
    const CRC_TABLE: [u32; 256] = {
        let mut table = [0; 256];
        let mut i = 0;
        while i < 256 {
            let mut value = i as u32;
            let mut bit = 0;
            while bit < 8 {
                value = if value & 1 == 1 { value >> 1 ^ 0xedb8_8320 } else { value >> 1 };
                bit += 1;
            }
            table[i] = value;
            i += 1;
        }
        table
    };

    /// The first primes, as a table in constant memory.
    static PRIMES: [u16; 12] = [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37];

    const SHA256_CONSTANTS: [u32; 64] = {
        let mut constants = [0; 64];
        let (mut candidate, mut count) = (2_u64, 0);
        while count < 64 {
            let mut divisor = 2;
            let mut prime = true;
            while divisor * divisor <= candidate {
                if candidate % divisor == 0 {
                    prime = false;
                }
                divisor += 1;
            }
            if prime {
                // The first 32 bits of the fraction of the cube root, by integer search.
                let (mut low, mut high) = (0_u128, 1_u128 << 36);
                while low + 1 < high {
                    let middle = (low + high) / 2;
                    if middle * middle * middle <= (candidate as u128) << 96 {
                        low = middle;
                    } else {
                        high = middle;
                    }
                }
                constants[count] = low as u32;
                count += 1;
            }
            candidate += 1;
        }
        constants
    };

    fn sha256_block(state: &mut [u32; 8], block: &[u32; 16]) {
        let mut schedule = [0_u32; 64];
        schedule[..16].copy_from_slice(block);
        for i in 16..64 {
            let (a, b) = (schedule[i - 15], schedule[i - 2]);
            let s0 = a.rotate_right(7) ^ a.rotate_right(18) ^ a >> 3;
            let s1 = b.rotate_right(17) ^ b.rotate_right(19) ^ b >> 10;
            schedule[i] = schedule[i - 16].wrapping_add(s0).wrapping_add(schedule[i - 7]).wrapping_add(s1);
        }
        let [mut a, mut b, mut c, mut d, mut e, mut f, mut g, mut h] = *state;
        for i in 0..64 {
            let s1 = e.rotate_right(6) ^ e.rotate_right(11) ^ e.rotate_right(25);
            let choice = (e & f) ^ (!e & g);
            let t1 = h.wrapping_add(s1).wrapping_add(choice).wrapping_add(SHA256_CONSTANTS[i]).wrapping_add(schedule[i]);
            let s0 = a.rotate_right(2) ^ a.rotate_right(13) ^ a.rotate_right(22);
            let majority = (a & b) ^ (a & c) ^ (b & c);
            (h, g, f, e, d, c, b, a) = (g, f, e, d.wrapping_add(t1), c, b, a, t1.wrapping_add(s0.wrapping_add(majority)));
        }
        for (state, value) in state.iter_mut().zip([a, b, c, d, e, f, g, h]) {
            *state = state.wrapping_add(value);
        }
    }

    fn quarter_round(state: &mut [u32; 16], a: usize, b: usize, c: usize, d: usize) {
        state[a] = state[a].wrapping_add(state[b]);
        state[d] = (state[d] ^ state[a]).rotate_left(16);
        state[c] = state[c].wrapping_add(state[d]);
        state[b] = (state[b] ^ state[c]).rotate_left(12);
        state[a] = state[a].wrapping_add(state[b]);
        state[d] = (state[d] ^ state[a]).rotate_left(8);
        state[c] = state[c].wrapping_add(state[d]);
        state[b] = (state[b] ^ state[c]).rotate_left(7);
    }

    tests! {
        sha256(seed) {
            let mut state = [0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19];
            sha256_block(&mut state, &core::array::from_fn(|i| seed.wrapping_mul(i as u32 + 1)));
            sha256_block(&mut state, &[seed; 16]);
            state[0] ^ state[7]
        }
        chacha20(seed) {
            let start: [u32; 16] = core::array::from_fn(|i| seed.wrapping_add(i as u32 * 0x0101_0101));
            let mut state = start;
            for _ in 0..10 {
                for i in 0..4 {
                    quarter_round(&mut state, i, i + 4, i + 8, i + 12);
                }
                for i in 0..4 {
                    quarter_round(&mut state, i, (i + 1) % 4 + 4, (i + 2) % 4 + 8, (i + 3) % 4 + 12);
                }
            }
            state.iter().zip(start).fold(0, |sum: u32, (a, b)| sum.rotate_left(3) ^ a.wrapping_add(b))
        }
        crc_with_a_table(seed) {
            !(0..9).flat_map(|i| (seed * 3 + i).to_be_bytes()).fold(!0_u32, |crc, byte| CRC_TABLE[(crc as u8 ^ byte) as usize] ^ crc >> 8)
        }
        fnv_and_murmur(seed) {
            let fnv = seed.to_le_bytes().iter().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3));
            let mut h = fnv as u32 ^ seed;
            h = (h ^ h >> 16).wrapping_mul(0x85eb_ca6b);
            h = (h ^ h >> 13).wrapping_mul(0xc2b2_ae35);
            h ^ h >> 16 ^ (fnv >> 32) as u32
        }
        discrete_fourier_transform(seed) {
            let mut values: [Complex; 8] = core::array::from_fn(|i| Complex { re: (seed % 17) as f32 + i as f32, im: (i * i) as f32 });
            let half = core::f32::consts::FRAC_1_SQRT_2;
            let roots = [Complex { re: 1.0, im: 0.0 }, Complex { re: half, im: -half }, Complex { re: 0.0, im: -1.0 }, Complex { re: -half, im: -half }];
            for i in 0..8_usize {
                let j = (i & 1) << 2 | i & 2 | i >> 2;
                if i < j {
                    values.swap(i, j);
                }
            }
            let mut width = 1;
            while width < 8 {
                for start in (0..8).step_by(2 * width) {
                    for k in 0..width {
                        let (a, b) = (values[start + k], values[start + k + width] * roots[k * 4 / width]);
                        values[start + k] = a + b;
                        values[start + k + width] = a - b;
                    }
                }
                width *= 2;
            }
            values.iter().fold(0, |hash: u32, value| (hash ^ value.re.to_bits()).rotate_left(7) ^ (-*value).im.to_bits())
        }
        julia_set(seed) {
            let c = Complex { re: -0.8, im: 0.156 };
            let mut z = Complex { re: (seed % 20) as f32 * 0.1 - 1.0, im: (seed / 20) as f32 * 0.1 - 0.5 };
            (0..100).take_while(|_| { z = z * z + c; z.re * z.re + z.im * z.im < 4.0 }).count() as u32
        }
        n_body(seed) {
            let mut random = Random::new(seed);
            let mut positions: [Vector; 4] = core::array::from_fn(|_| Vector(core::array::from_fn(|_| random.float())));
            let mut velocities = [Vector([0.0; 3]); 4];
            for _ in 0..5 {
                for i in 0..4 {
                    let mut force = Vector([0.0; 3]);
                    for j in 0..4 {
                        if i != j {
                            let between = positions[j].combine(positions[i], |a, b| a - b);
                            let scale = 1.0 / (between.dot(between) + 0.01);
                            force = force.combine(between, |f, b| f + b * scale);
                        }
                    }
                    velocities[i] = velocities[i].combine(force, |v, f| v + f * 0.01);
                }
                for (position, velocity) in positions.iter_mut().zip(&velocities) {
                    *position = position.combine(*velocity, |p, v| p + v * 0.01);
                }
            }
            positions.iter().flat_map(|position| position.0).fold(0, |hash: u32, x| hash.rotate_left(9) ^ x.to_bits())
        }
        heat_in_a_rod(seed) {
            let mut rod: [f32; 16] = core::array::from_fn(|i| if i == seed as usize % 16 { 100.0 } else { 0.0 });
            for _ in 0..10 {
                let old = rod;
                for (new, window) in rod[1..15].iter_mut().zip(old.windows(3)) {
                    *new = window[1] + 0.25 * (window[0] - 2.0 * window[1] + window[2]);
                }
            }
            rod.iter().fold(0, |hash: u32, x| hash.rotate_left(3) ^ x.to_bits())
        }
        game_of_life(seed) {
            let mut cells = u64::from(seed).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            for _ in 0..4 {
                let mut next = 0;
                for i in 0..64_u32 {
                    let (x, y) = (i % 8, i / 8);
                    let mut neighbours = 0;
                    for dy in [7, 0, 1] {
                        for dx in [7, 0, 1] {
                            if (dx, dy) != (0, 0) {
                                neighbours += cells >> ((x + dx) % 8 + (y + dy) % 8 * 8) & 1;
                            }
                        }
                    }
                    if neighbours == 3 || neighbours == 2 && cells >> i & 1 == 1 {
                        next |= 1_u64 << i;
                    }
                }
                cells = next;
            }
            (cells ^ cells >> 32) as u32
        }
        edit_distance(seed) {
            let a: [u8; 9] = core::array::from_fn(|i| (seed as usize * (i + 3) % 4) as u8);
            let b: [u8; 11] = core::array::from_fn(|i| (seed as usize * (i + 5) % 5) as u8);
            let mut row: [u32; 12] = core::array::from_fn(|i| i as u32);
            for (i, x) in a.iter().enumerate() {
                let mut diagonal = row[0];
                row[0] = i as u32 + 1;
                for (j, y) in b.iter().enumerate() {
                    let substituted = diagonal + u32::from(x != y);
                    diagonal = row[j + 1];
                    row[j + 1] = substituted.min(diagonal + 1).min(row[j] + 1);
                }
            }
            row[11]
        }
        sieve_of_eratosthenes(seed) {
            let limit = 20 + seed as usize % 40;
            let mut composite = [false; 64];
            let mut count = 0;
            for i in 2..limit {
                if !composite[i] {
                    count += 1;
                    for multiple in (i * i..limit).step_by(i) {
                        composite[multiple] = true;
                    }
                }
            }
            count
        }
        factorisation(seed) {
            let mut n = seed * 6 + 4;
            PRIMES.iter().fold(0, |hash: u32, prime| {
                let mut exponent = 0;
                while n % u32::from(*prime) == 0 {
                    n /= u32::from(*prime);
                    exponent += 1;
                }
                hash * 5 ^ exponent
            }) ^ n
        }
        expression_parser(seed) {
            let texts: [&[u8]; 4] = [b"1 + 2 * 3", b"10*10 + 4", b"7", b"2 * 3 * 4 + 5 * 6 + 1"];
            let mut lexer = Lexer { text: texts[seed as usize % 4], place: 0 };
            let (mut sum, mut product) = (0, 1);
            loop {
                match lexer.next() {
                    Token::Number(value) => product *= value + seed / 4,
                    Token::Operator(b'*') => {}
                    Token::Operator(_) => {
                        sum += product;
                        product = 1;
                    }
                    Token::End => break sum + product,
                }
            }
        }
        run_lengths(seed) {
            let bits: [u32; 32] = core::array::from_fn(|i| seed.wrapping_mul(0x2545_f491) >> i & 1);
            let (mut hash, mut start) = (0_u32, 0);
            while start < bits.len() {
                let length = bits[start..].iter().take_while(|bit| **bit == bits[start]).count();
                hash = hash.wrapping_mul(33) ^ (length as u32 * 2 + bits[start]);
                start += length;
            }
            hash
        }
        base64_of_three_bytes(seed) {
            const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
            let [_, a, b, c] = seed.wrapping_mul(0x0001_f35d).to_be_bytes();
            let joined = u32::from(a) << 16 | u32::from(b) << 8 | u32::from(c);
            u32::from_be_bytes(core::array::from_fn(|i| ALPHABET[(joined >> (18 - 6 * i) & 63) as usize]))
        }
        utf8_decoding(seed) {
            let mut buffer = [0; 4];
            let c = char::from_u32(seed * 97 + 1).unwrap_or('x');
            let bytes = c.encode_utf8(&mut buffer).as_bytes();
            let first = u32::from(bytes[0]);
            let start = if first < 128 { first } else { first & (0x7f >> bytes.len()) };
            bytes[1..].iter().fold(start, |code, byte| code << 6 | u32::from(byte & 63))
        }
        determinant(seed) {
            let mut random = Random::new(seed);
            let mut m: [[f32; 4]; 4] = core::array::from_fn(|_| core::array::from_fn(|_| random.float() - 0.5));
            let mut determinant = 1.0;
            for i in 0..4 {
                let pivot = (i..4).max_by(|a, b| m[*a][i].abs().total_cmp(&m[*b][i].abs())).unwrap();
                if pivot != i {
                    m.swap(pivot, i);
                    determinant = -determinant;
                }
                determinant *= m[i][i];
                for row in i + 1..4 {
                    let factor = m[row][i] / m[i][i];
                    for column in i..4 {
                        m[row][column] -= factor * m[i][column];
                    }
                }
            }
            f32::to_bits(determinant)
        }
        newton_square_root(seed) {
            let target = seed as f32 + 0.5;
            let mut x = target;
            while (x * x - target).abs() > target * 1e-5 {
                x = 0.5 * (x + target / x);
            }
            x.to_bits()
        }
        runge_kutta(seed) {
            let f = |_t: f32, y: f32| 0.3 * y - 0.01 * y * y;
            let (mut y, step) = (1.0 + (seed % 30) as f32, 0.125);
            for i in 0..16 {
                let t = i as f32 * step;
                let k1 = f(t, y);
                let k2 = f(t + step / 2.0, y + step / 2.0 * k1);
                let k3 = f(t + step / 2.0, y + step / 2.0 * k2);
                let k4 = f(t + step, y + step * k3);
                y += step / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4);
            }
            y.to_bits()
        }
        tree_walk_with_a_stack(seed) {
            let keys: [u32; 15] = core::array::from_fn(|i| (i as u32 * 37 + seed) % 23);
            let (mut stack, mut depth, mut hash) = ([0_usize; 8], 1, 0_u32);
            while depth > 0 {
                depth -= 1;
                let node = stack[depth];
                hash = hash.rotate_left(5) ^ keys[node];
                if keys[node] % 3 != 0 && 2 * node + 2 < 15 {
                    stack[depth] = 2 * node + 2;
                    stack[depth + 1] = 2 * node + 1;
                    depth += 2;
                }
            }
            hash
        }
        shuffled_deck(seed) {
            let mut random = Random::new(seed);
            let mut deck: [u8; 20] = core::array::from_fn(|i| i as u8);
            for i in (1..deck.len()).rev() {
                deck.swap(i, random.next() as usize % (i + 1));
            }
            deck.iter().fold(0, |hash: u32, card| hash.wrapping_mul(21) ^ u32::from(*card))
        }
        monte_carlo_pi(seed) {
            let mut random = Random::new(seed);
            (0..200).filter(|_| { let (x, y) = (random.float(), random.float()); x * x + y * y < 1.0 }).count() as u32
        }
        random_is_an_iterator(seed) { Random::new(seed).map(|value| value % 6 + 1).skip_while(|value| *value != 6).take(5).sum() }
        value_noise(seed) {
            let corner = |x: i32, y: i32| {
                let hash = (x.wrapping_mul(374_761_393) ^ y.wrapping_mul(668_265_263)) as u32;
                ((hash ^ hash >> 13).wrapping_mul(1_274_126_177) >> 8) as f32 / 16_777_216.0
            };
            let (x, y) = (seed as f32 * 0.37 - 20.0, seed as f32 * 0.11);
            let (cell_x, cell_y) = (x as i32 - i32::from(x < 0.0), y as i32);
            let smooth = |t: f32| t * t * (3.0 - 2.0 * t);
            let (u, v) = (smooth(x - cell_x as f32), smooth(y - cell_y as f32));
            let mix = |a: f32, b: f32, t: f32| a + (b - a) * t;
            let low = mix(corner(cell_x, cell_y), corner(cell_x + 1, cell_y), u);
            mix(low, mix(corner(cell_x, cell_y + 1), corner(cell_x + 1, cell_y + 1), u), v).to_bits()
        }
        fixed_point(seed) {
            let (a, b) = (((seed as i32) << 16) / 7, (-(seed as i32) << 16) / 9 | 1);
            let multiply = |a: i32, b: i32| (i64::from(a) * i64::from(b) >> 16) as i32;
            let divide = |a: i32, b: i32| ((i64::from(a) << 16) / i64::from(b)) as i32;
            (multiply(a, b) ^ divide(a, b)) as u32
        }
        knapsack(seed) {
            let items: [(usize, u32); 6] = core::array::from_fn(|i| (1 + (seed as usize + i * 3) % 7, 1 + (seed + i as u32 * 5) % 11));
            let mut best = [0_u32; 16];
            for (weight, value) in items {
                for room in (weight..16).rev() {
                    best[room] = best[room].max(best[room - weight] + value);
                }
            }
            best[15]
        }
        queens(seed) {
            let n = 4 + seed % 3;
            let (mut columns, mut row, mut count) = ([0_u32; 8], 0_usize, 0);
            'search: loop {
                while columns[row] < n {
                    let column = columns[row];
                    let safe = (0..row).all(|above| columns[above] - 1 != column && (columns[above] - 1).abs_diff(column) != (row - above) as u32);
                    columns[row] += 1;
                    if safe {
                        if row + 1 == n as usize {
                            count += 1;
                        } else {
                            row += 1;
                            columns[row] = 0;
                            continue 'search;
                        }
                    }
                }
                match row.checked_sub(1) {
                    Some(above) => row = above,
                    None => break count,
                }
            }
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
fn programs_give_on_every_engine_what_the_host_gives() {
    check_tests(kernels::NAMES, kernels::run, |device, config, out, count, first| {
        kernels::run_all(device, config, out, count, first).wait().map(drop)
    });
}
