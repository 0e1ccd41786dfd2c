//! What `core::iter` promises: adapters, consumers, ranges and double-ended iteration.
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

    /// Twelve values that depend on a seed.
    fn values(seed: u32) -> [u32; 12] {
        let mut state = seed.wrapping_mul(747_796_405).wrapping_add(2_891_336_453);
        core::array::from_fn(|_| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            state >> 20
        })
    }

    tests! {
        sum_of_a_range(seed) { (0..seed % 50).sum() }
        product_of_an_inclusive_range(seed) { (1..=seed % 9).product() }
        for_over_a_slice(seed) {
            let mut result = 0;
            for value in &values(seed) {
                result = mix(result, *value);
            }
            result
        }
        for_over_an_array_by_value(seed) {
            let mut result = 0;
            for value in values(seed) {
                result = mix(result, value);
            }
            result
        }
        iter_mut_changes_elements(seed) {
            let mut values = values(seed);
            for value in values.iter_mut() {
                *value += 3;
            }
            values.iter().fold(0, |result, value| mix(result, *value))
        }
        map_and_sum(seed) { values(seed).iter().map(|value| value * 2 + 1).sum() }
        filter_and_count(seed) { values(seed).iter().filter(|value| **value % 3 == 0).count() as u32 }
        filter_map_folds(seed) {
            values(seed).iter().filter_map(|value| (value % 2 == 0).then_some(value / 2)).fold(1, mix)
        }
        enumerate_numbers(seed) { values(seed).iter().enumerate().fold(0, |result, (i, value)| mix(result, i as u32 * value)) }
        zip_stops_at_the_shorter(seed) {
            values(seed).iter().zip(3..10_u32).fold(0, |result, (a, b)| mix(result, a * b))
        }
        chain_goes_on(seed) { (0..seed % 5).chain(10..12).chain(values(seed)).fold(0, mix) }
        rev_turns_round(seed) { values(seed).iter().rev().fold(0, |result, value| mix(result, *value)) }
        skip_and_take(seed) { values(seed).iter().skip(seed as usize % 5).take(4).fold(0, |result, value| mix(result, *value)) }
        skip_while_and_take_while(seed) {
            values(seed).iter().skip_while(|value| **value > 1000).take_while(|value| **value > 500).fold(7, |result, value| mix(result, *value))
        }
        step_by_on_a_range(seed) { (seed % 7..100).step_by(9).fold(0, mix) }
        step_by_on_a_slice(seed) { values(seed).iter().step_by(1 + seed as usize % 4).fold(0, |result, value| mix(result, *value)) }
        min_and_max(seed) {
            let values = values(seed);
            values.iter().min().unwrap() * 4096 + values.iter().max().unwrap()
        }
        min_by_key_takes_the_first(seed) { *values(seed).iter().min_by_key(|value| **value % 8).unwrap() }
        max_by_key_takes_the_last(seed) { *values(seed).iter().max_by_key(|value| **value % 8).unwrap() }
        max_by_compares_floats(seed) {
            values(seed).iter().map(|value| *value as f32 * 0.5).max_by(|a, b| a.total_cmp(b)).unwrap().to_bits()
        }
        position_finds(seed) { values(seed).iter().position(|value| value % 5 == 0).map_or(99, |place| place as u32) }
        rposition_finds_from_the_end(seed) { values(seed).iter().rposition(|value| value % 5 == 0).map_or(99, |place| place as u32) }
        find_returns_the_element(seed) { values(seed).iter().find(|value| **value > 3000).copied().unwrap_or(1) }
        find_map_stops(seed) { values(seed).iter().find_map(|value| value.checked_sub(2000)).unwrap_or(2) }
        any_and_all(seed) {
            let values = values(seed);
            u32::from(values.iter().any(|value| *value < 200)) + 2 * u32::from(values.iter().all(|value| *value > 50))
        }
        last_and_nth(seed) { values(seed).iter().last().unwrap() ^ values(seed).iter().nth(3).unwrap() }
        peekable_looks_ahead(seed) {
            let values = values(seed);
            let mut iterator = values.iter().peekable();
            let mut runs = 0;
            while let Some(value) = iterator.next() {
                if iterator.peek().is_some_and(|next| *next > value) {
                    runs += 1;
                }
            }
            runs
        }
        scan_carries_state(seed) {
            values(seed).iter().scan(0_u32, |total, value| { *total += value; (*total < 20_000).then_some(*total) }).fold(0, mix)
        }
        flat_map_nests(seed) { (0..4 + seed % 3).flat_map(|i| (0..i).map(move |j| i * 10 + j)).fold(0, mix) }
        flatten_options(seed) { [Some(seed), None, Some(3)].into_iter().flatten().fold(0, mix) }
        inspect_sees_all(seed) {
            let mut seen = 0;
            let sum: u32 = values(seed).iter().inspect(|_| seen += 1).sum();
            sum * 16 + seen
        }
        try_fold_breaks(seed) { values(seed).iter().try_fold(0_u16, |sum, value| sum.checked_add(*value as u16 * 3)).map_or(5, u32::from) }
        reduce_of_one_or_more(seed) { values(seed).into_iter().reduce(|a, b| a.wrapping_mul(3) ^ b).unwrap() }
        unzip_free_partition(seed) {
            let (mut even, mut odd) = (0, 0);
            values(seed).iter().for_each(|value| if value % 2 == 0 { even += value } else { odd += value });
            mix(even, odd)
        }
        cycle_repeats(seed) { [1, 2, 3].iter().cycle().take(seed as usize % 20).sum() }
        successors_until_none(seed) { core::iter::successors(Some(seed % 100 + 1), |n| (*n < 5000).then_some(n * 3)).fold(0, mix) }
        repeat_and_once(seed) { core::iter::repeat(seed).take(3).chain(core::iter::once(9)).fold(0, mix) }
        from_fn_counts(seed) {
            let mut left = seed % 11;
            core::iter::from_fn(|| { left = left.checked_sub(1)?; Some(left) }).fold(1, mix)
        }
        eq_and_cmp(seed) {
            let (a, b) = (values(seed), values(seed + 1));
            u32::from(a.iter().eq(a.iter())) + 2 * u32::from(a.iter().lt(b.iter())) + 4 * (a.iter().cmp(b.iter()) as i32 as u32 & 3)
        }
        is_sorted_sees_order(seed) { u32::from([seed % 3, seed % 5, seed % 7].is_sorted()) + 2 * u32::from((0..seed % 9).is_sorted()) }
        double_ended_meets(seed) {
            let values = values(seed);
            let mut iterator = values.iter();
            let mut result = 0;
            while let (Some(a), Some(b)) = (iterator.next(), iterator.next_back()) {
                result = mix(result, a * 3 + b);
            }
            result
        }
        size_hints_are_exact(seed) { values(seed).iter().skip(3).size_hint().0 as u32 + (2..9 + seed % 5).len() as u32 }
        inclusive_ranges_to_the_maximum(seed) { (250 - seed as u8 % 8..=u8::MAX).map(u32::from).fold(0, mix) }
        signed_ranges_go_below_zero(seed) { (-(seed as i32 % 6)..=3).rev().fold(0, |result, value| mix(result, value as u32)) }
        copied_and_cloned(seed) { values(seed).iter().copied().chain(values(seed + 2).iter().cloned()).fold(0, mix) }
        sum_of_floats_in_order(seed) { values(seed).iter().map(|value| *value as f32 * 0.1).sum::<f32>().to_bits() }
        map_while_stops(seed) { values(seed).iter().map_while(|value| (value % 7 != 0).then_some(value + 1)).fold(0, mix) }
        array_chunks_of_an_iterator(seed) { values(seed).chunks_exact(5).map(|chunk| chunk[0] * chunk[4]).fold(0, mix) }
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
fn iterators_give_what_core_promises() {
    check_tests(kernels::NAMES, kernels::run, |device, config, out, count, first| {
        kernels::run_all(device, config, out, count, first).wait().map(drop)
    });
}
