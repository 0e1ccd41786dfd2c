// Slices, copies, fills and comparisons of memory, raw pointers.

fn values(seed: u32) -> [u32; 16] {
    core::array::from_fn(|i| (seed + 1).wrapping_mul(2_654_435_761).rotate_left(i as u32 * 3) >> 7)
}

fn fold<'a>(values: impl IntoIterator<Item = &'a u32>) -> u32 {
    values.into_iter().fold(1, |hash, value| (hash ^ value).wrapping_mul(0x0100_0193).rotate_left(7))
}

#[derive(Clone, Copy)]
struct Record { key: u32, value: [u8; 3] }

tests! {
    copying(seed) {
        let mut a = values(seed);
        let b = values(seed + 9);
        let n = (seed % 5) as usize;
        a[n..n + 4].copy_from_slice(&b[2..6]);
        a[8..].clone_from_slice(&b[..8]);
        a.copy_within(n..n + 6, 3);
        a.copy_within(0..7, n + 2);
        fold(&a)
    }
    filling(seed) {
        let mut a = values(seed);
        a[(seed % 4) as usize..9].fill(seed);
        let mut bytes = [1u8; 11];
        bytes[..(seed % 11) as usize].fill(0);
        fold(&a) ^ bytes.iter().map(|&b| b as u32).sum::<u32>()
    }
    comparing(seed) {
        let (a, b) = (values(seed), values(seed ^ 1));
        (a == b) as u32 + 2 * (a == a) as u32 + 4 * (a[..3] < b[..3]) as u32 + 8 * (b"abc" == &[97, 98, 99 + seed as u8]) as u32
            + 16 * (b"abd"[..] > b"abc"[..]) as u32
    }
    swapping(seed) {
        let mut a = values(seed);
        a.swap((seed % 16) as usize, 3);
        a.reverse();
        a.rotate_left((seed % 7) as usize);
        let (left, right) = a.split_at_mut(8);
        left.swap_with_slice(right);
        fold(&a)
    }
    sorting(seed) {
        let mut a = values(seed);
        a.sort_unstable();
        let mut records: [Record; 6] = core::array::from_fn(|i| Record { key: a[i] ^ seed * 77, value: [i as u8; 3] });
        records.sort_unstable_by_key(|record| record.key % 97);
        let found = a.binary_search(&a[5]).unwrap_or(99);
        fold(&a) ^ found as u32 ^ records.iter().fold(0, |h, r| h * 31 + r.key + r.value[2] as u32)
    }
    sorting_more_than_a_few(seed) {
        let mut a: [u32; 100] = core::array::from_fn(|i| (i as u32 + seed).wrapping_mul(2_654_435_761) >> 5);
        a.sort_unstable();
        let n = 40 + (seed as usize * 7) % 60;
        a[..n].sort_unstable_by(|x, y| y.cmp(x));
        fold(&a)
    }
    searching(seed) {
        let a = values(seed);
        a.iter().position(|&v| v % 3 == 0).unwrap_or(50) as u32 + a.contains(&a[7]) as u32 * 100 + *a.iter().max().unwrap() % 10
            + a.partition_point(|&v| v > 5) as u32
    }
    raw_pointers(seed) {
        let mut a = values(seed);
        let p = a.as_mut_ptr();
        // SAFETY: all places are inside the array, and ranges that overlap are copied as such.
        unsafe {
            *p.add(3) = 5;
            p.add(4).write(*p.add(1));
            let wide = p.cast::<u64>().add(1).read_unaligned();
            let byte = p.cast::<u8>().add(9).read();
            core::ptr::swap(p, p.add(15));
            core::ptr::copy(p, p.add(1), 3);
            a[0] ^ wide as u32 ^ (wide >> 32) as u32 ^ byte as u32 ^ a[15] ^ a[3]
        }
    }
    unaligned(seed) {
        let bytes: [u8; 12] = core::array::from_fn(|i| (i as u8 + 1).wrapping_mul(seed as u8 + 3));
        // SAFETY: the bytes are inside the array.
        let word = unsafe { bytes.as_ptr().add(3).cast::<u32>().read_unaligned() };
        // SAFETY: the bytes are inside the array.
        let wide = unsafe { bytes.as_ptr().add(1).cast::<u64>().read_unaligned() };
        word ^ (wide >> 17) as u32
    }
    chunks(seed) {
        let a = values(seed);
        let sums = a.chunks_exact(4).map(|c| c.iter().sum::<u32>()).fold(0, |h: u32, s| h.wrapping_mul(31) ^ s);
        let windows = a.windows(3).filter(|w| w[0] < w[1] && w[1] < w[2]).count() as u32;
        let (head, tail) = a.as_chunks::<5>();
        sums ^ windows ^ head.len() as u32 ^ tail.len() as u32 ^ a.rchunks(3).map(|c| c[0]).fold(0, |a, b| a ^ b)
    }
    mutation_through_iterators(seed) {
        let mut a = values(seed);
        let b = values(seed + 2);
        for (x, y) in a.iter_mut().zip(b.iter()).rev().step_by(2) { *x = x.wrapping_add(*y); }
        for chunk in a.chunks_mut(3) { chunk[0] ^= 1; }
        let [first, .., last] = &mut a;
        core::mem::swap(first, last);
        fold(&a)
    }
    two_dimensions(seed) {
        let mut grid = [[0u32; 7]; 5];
        for (y, row) in grid.iter_mut().enumerate() {
            for (x, cell) in row.iter_mut().enumerate() { *cell = (x * y) as u32 + seed; }
        }
        (0..5).map(|y| grid[y][(y + seed as usize) % 7]).sum::<u32>() + grid.as_flattened().len() as u32
    }
    strings(seed) {
        let text = if seed % 2 == 0 { "hello" } else { "world!" };
        text.len() as u32 + text.as_bytes()[1] as u32 * 10 + (text == "hello") as u32 * 5000 + text.bytes().map(u32::from).sum::<u32>()
            + text.starts_with("he") as u32
    }
}
