//! What slices promise: splitting, windows, chunks, searching, sorting, copying and comparing.
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

    /// Mixes a value into a running result, so that order matters.
    fn mix(result: u32, value: u32) -> u32 {
        (result ^ value).wrapping_mul(0x0100_0193).rotate_left(5)
    }

    /// The mixture of all elements.
    fn hash(values: &[u32]) -> u32 {
        values.iter().fold(values.len() as u32, |result, value| mix(result, *value))
    }

    /// Twelve values that depend on a seed.
    fn values(seed: u32) -> [u32; 12] {
        let mut state = seed.wrapping_mul(747_796_405).wrapping_add(2_891_336_453);
        core::array::from_fn(|_| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            state >> 20
        })
    }

    tests! {
        first_and_last(seed) {
            let values = values(seed);
            mix(*values.first().unwrap(), *values.last().unwrap())
        }
        get_in_and_out_of_range(seed) { values(seed).get(seed as usize % 20).copied().unwrap_or(77) }
        get_of_a_range(seed) { values(seed).get(2..seed as usize % 16).map_or(5, hash) }
        indexing_by_ranges(seed) {
            let values = values(seed);
            let middle = seed as usize % 12;
            hash(&values[..middle]) ^ hash(&values[middle..]) ^ hash(&values[middle / 2..=middle])
        }
        split_at_gives_both(seed) {
            let values = values(seed);
            let (left, right) = values.split_at(seed as usize % 13);
            mix(hash(left), hash(right))
        }
        split_at_mut_allows_both(seed) {
            let mut values = values(seed);
            let (left, right) = values.split_at_mut(5);
            left.swap_with_slice(&mut right[..5]);
            hash(&values)
        }
        split_first_and_last(seed) {
            let values = values(seed);
            let (first, rest) = values.split_first().unwrap();
            let (last, middle) = rest.split_last().unwrap();
            mix(mix(*first, *last), hash(middle))
        }
        slice_patterns(seed) {
            match &values(seed)[..seed as usize % 5] {
                [] => 1,
                [a] => a + 2,
                [a, b] => a * b,
                [a, .., b] => mix(*a, *b),
            }
        }
        windows_overlap(seed) { values(seed).windows(3).fold(0, |result, w| mix(result, w[0] + w[1] * w[2])) }
        chunks_keep_the_rest(seed) { values(seed).chunks(1 + seed as usize % 6).fold(0, |result, chunk| mix(result, hash(chunk))) }
        chunks_exact_leave_a_remainder(seed) {
            let values = values(seed);
            let chunks = values.chunks_exact(5);
            let rest = hash(chunks.remainder());
            chunks.fold(rest, |result, chunk| mix(result, hash(chunk)))
        }
        chunks_mut_change(seed) {
            let mut values = values(seed);
            for (i, chunk) in values.chunks_mut(4).enumerate() {
                chunk[i] = 7;
            }
            hash(&values)
        }
        rchunks_start_at_the_end(seed) { values(seed).rchunks(5).fold(0, |result, chunk| mix(result, hash(chunk))) }
        split_on_a_condition(seed) { values(seed).split(|value| value % 4 == 0).fold(0, |result, part| mix(result, hash(part))) }
        swap_and_reverse(seed) {
            let mut values = values(seed);
            values.swap(0, seed as usize % 12);
            values.reverse();
            hash(&values)
        }
        rotate_left_and_right(seed) {
            let mut values = values(seed);
            values.rotate_left(seed as usize % 12);
            values[..7].rotate_right(2);
            hash(&values)
        }
        fill_sets_all(seed) {
            let mut values = values(seed);
            values[3..9].fill(seed);
            values[..2].fill_with(|| seed + 1);
            hash(&values)
        }
        copy_from_slice_copies(seed) {
            let mut values = values(seed);
            let other = self::values(seed + 3);
            values[2..6].copy_from_slice(&other[4..8]);
            hash(&values)
        }
        copy_within_overlaps(seed) {
            let mut values = values(seed);
            values.copy_within(1..9, seed as usize % 4);
            hash(&values)
        }
        contains_and_starts_with(seed) {
            let values = values(seed);
            let other = self::values(seed % 3);
            u32::from(values.contains(&other[0])) + 2 * u32::from(values.starts_with(&other[..1])) + 4 * u32::from(values.ends_with(&values[10..]))
        }
        binary_search_finds_or_places(seed) {
            let sorted = [3, 9, 27, 81, 243, 729];
            match sorted.binary_search(&(seed % 100)) {
                Ok(place) => place as u32,
                Err(place) => 100 + place as u32,
            }
        }
        partition_point_splits(seed) { [1, 4, 6, 8, 90, 400, 2000].partition_point(|value| *value < seed % 500) as u32 }
        sort_unstable_sorts(seed) {
            let mut values = values(seed);
            values.sort_unstable();
            hash(&values)
        }
        sort_unstable_by_key_sorts(seed) {
            let mut values = values(seed);
            values.sort_unstable_by_key(|value| core::cmp::Reverse(*value));
            hash(&values)
        }
        sort_floats_by_total_order(seed) {
            let mut floats = values(seed).map(|value| (value as f32 - 2000.0) * 0.25);
            floats.sort_unstable_by(f32::total_cmp);
            floats.iter().fold(0, |result, value| mix(result, value.to_bits()))
        }
        comparison_is_lexicographic(seed) {
            let (a, b) = (values(seed), values(seed ^ 1));
            u32::from(a < b) + 2 * u32::from(a[..3] == a[..3]) + 4 * u32::from(a[..4] >= b[..5])
        }
        concatenated_arrays(seed) {
            let mut all = [0; 24];
            all[..12].copy_from_slice(&values(seed));
            all[12..].copy_from_slice(&values(seed + 1));
            hash(&all)
        }
        as_chunks_of_arrays(seed) {
            let values = values(seed);
            let (chunks, rest) = values.as_chunks::<5>();
            chunks.iter().fold(hash(rest), |result, chunk| mix(result, chunk[1] + chunk[4]))
        }
        try_into_an_array(seed) {
            let values = values(seed);
            let array: [u32; 3] = values[seed as usize % 9..][..3].try_into().unwrap();
            let none: Result<&[u32; 4], _> = values[..3].try_into();
            hash(&array) + u32::from(none.is_err())
        }
        nested_arrays(seed) {
            let mut grid = [[0_u32; 4]; 3];
            for (i, value) in values(seed).into_iter().enumerate() {
                grid[i / 4][i % 4] = value;
            }
            let mut result = 0;
            for column in 0..4 {
                for row in &grid {
                    result = mix(result, row[column]);
                }
            }
            result
        }
        array_map_and_each_ref(seed) { hash(&values(seed).map(|value| value / 3)) + values(seed).each_ref().len() as u32 }
        equal_arrays_of_bytes(seed) { u32::from(seed.to_le_bytes() == (seed % 100).to_le_bytes()) }
        iter_mut_zip_adds(seed) {
            let mut a = values(seed);
            for (a, b) in a.iter_mut().zip(values(seed + 9)) {
                *a += b;
            }
            hash(&a)
        }
        select_nth_puts_the_median(seed) {
            let mut values = values(seed);
            *values.select_nth_unstable(6).1
        }
        dedup_by_hand(seed) {
            let mut values = values(seed).map(|value| value % 4);
            values.sort_unstable();
            let mut length = 1;
            for i in 1..12 {
                if values[i] != values[length - 1] {
                    values[length] = values[i];
                    length += 1;
                }
            }
            hash(&values[..length])
        }
        matrix_product(seed) {
            let (a, b) = (values(seed), values(seed + 5));
            let mut product = [[0_u32; 3]; 3];
            for i in 0..3 {
                for j in 0..3 {
                    product[i][j] = (0..4).map(|k| a[i * 4 + k] * b[k * 3 + j]).sum();
                }
            }
            hash(product.as_flattened())
        }
        insertion_sort(seed) {
            let mut values = values(seed);
            for i in 1..values.len() {
                let mut j = i;
                while j > 0 && values[j - 1] > values[j] {
                    values.swap(j - 1, j);
                    j -= 1;
                }
            }
            hash(&values)
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
fn slices_give_what_core_promises() {
    check_tests(kernels::NAMES, kernels::run, |device, config, out, count, first| {
        kernels::run_all(device, config, out, count, first).wait().map(drop)
    });
}
