//! What `Option`, `Result`, `ControlFlow`, `mem`, `cmp`, `NonZero` and `Wrapping` promise.
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

    use core::cmp::{Ordering, Reverse};
    use core::mem;
    use core::num::{NonZeroU32, Wrapping};
    use core::ops::ControlFlow;

    /// A value for odd seeds only.
    fn odd(seed: u32) -> Option<u32> {
        (seed % 2 == 1).then_some(seed)
    }

    /// A value, or an error for every third seed.
    fn third(seed: u32) -> Result<u32, u8> {
        if seed % 3 == 0 { Err(seed as u8) } else { Ok(seed * 2) }
    }

    /// Counts how often it is dropped.
    struct Guard<'a>(&'a mut u32);

    impl Drop for Guard<'_> {
        fn drop(&mut self) {
            *self.0 += 1;
        }
    }

    tests! {
        map_and_unwrap_or(seed) { odd(seed).map(|value| value * 3).unwrap_or(4) }
        map_or_else_computes(seed) { odd(seed).map_or_else(|| seed + 100, |value| value + 1) }
        and_then_chains(seed) { odd(seed).and_then(|value| odd(value / 2)).unwrap_or(6) }
        or_and_xor(seed) { odd(seed).or(Some(8)).unwrap() + odd(seed).xor(odd(seed + 1)).unwrap() }
        filter_and_is_some(seed) { u32::from(odd(seed).filter(|value| *value > 10).is_some()) + 2 * u32::from(odd(seed).is_none()) }
        take_and_replace(seed) {
            let mut option = odd(seed);
            let taken = option.take();
            let old = option.replace(5);
            taken.unwrap_or(1) * 10 + option.unwrap() + old.map_or(0, |_| 1000)
        }
        get_or_insert_fills(seed) {
            let mut option = odd(seed);
            *option.get_or_insert(40) += 2;
            option.unwrap()
        }
        if_let_and_let_else(seed) {
            let Some(value) = odd(seed) else { return seed + 7 };
            if let Some(half) = odd(value / 2) { half } else { value }
        }
        zip_and_as_ref(seed) { odd(seed).as_ref().zip(Some(&3)).map_or(0, |(a, b)| a * b) }
        question_mark_on_options(seed) {
            fn inner(seed: u32) -> Option<u32> {
                Some(odd(seed)? + odd(seed / 2)? * 100)
            }
            inner(seed).unwrap_or(11)
        }
        question_mark_converts_errors(seed) {
            struct Wide(u32);
            impl From<u8> for Wide {
                fn from(value: u8) -> Self {
                    Wide(u32::from(value) + 500)
                }
            }
            fn inner(seed: u32) -> Result<u32, Wide> {
                Ok(third(seed)? + third(seed + 1)?)
            }
            inner(seed).unwrap_or_else(|error| error.0)
        }
        results_map_both_sides(seed) { third(seed).map(|value| value + 1).map_err(|error| error + 1).unwrap_or_else(u32::from) }
        ok_err_and_transpose(seed) {
            let nested: Option<Result<u32, u8>> = odd(seed).map(third);
            match nested.transpose() {
                Ok(None) => 1,
                Ok(Some(value)) => value,
                Err(error) => u32::from(error) + 300,
            }
        }
        nested_options_keep_their_levels(seed) {
            let nested = if seed % 5 == 0 { None } else { Some(odd(seed)) };
            match nested {
                None => 1,
                Some(None) => 2,
                Some(Some(value)) => value + 3,
            }
        }
        options_of_bool_and_ordering(seed) {
            let flags = [None, Some(false), Some(true)];
            let order = [None, Some(Ordering::Less), Some(Ordering::Equal), Some(Ordering::Greater)];
            match (flags[seed as usize % 3], order[seed as usize % 4]) {
                (None, None) => 1,
                (Some(true), Some(order)) => 10 + (order as i8 + 1) as u32,
                (flag, _) => 20 + u32::from(flag == Some(false)),
            }
        }
        options_of_references_are_compared(seed) {
            let values = [1, 2, 3];
            let found = values.iter().find(|value| **value == seed % 5);
            found.map_or(9, |value| *value) + u32::from(found.is_none())
        }
        control_flow_breaks(seed) {
            let flow = (0..10).try_for_each(|i| if i * i > seed % 50 { ControlFlow::Break(i) } else { ControlFlow::Continue(()) });
            match flow {
                ControlFlow::Break(i) => i,
                ControlFlow::Continue(()) => 77,
            }
        }
        swap_replace_take(seed) {
            let (mut a, mut b) = (seed, seed + 1);
            mem::swap(&mut a, &mut b);
            let old = mem::replace(&mut a, 5);
            let taken = mem::take(&mut b);
            old * 1000 + taken * 10 + a + b
        }
        sizes_are_known(seed) { (mem::size_of::<Option<NonZeroU32>>() * 10 + mem::align_of::<u64>() + mem::size_of::<[u16; 5]>()) as u32 + seed }
        discriminants_are_compared(seed) { u32::from(mem::discriminant(&odd(seed)) == mem::discriminant(&Some(1))) }
        transmute_keeps_bits(seed) {
            // SAFETY: both types have four bytes, and every pattern is valid for both.
            let halves: [u16; 2] = unsafe { mem::transmute(seed.to_ne_bytes()) };
            u32::from(halves[0]) + u32::from(halves[1]) * 7
        }
        maybe_uninit_is_written_first(seed) {
            let mut values = [const { mem::MaybeUninit::<u32>::uninit() }; 4];
            for (i, value) in values.iter_mut().enumerate() {
                value.write(seed + i as u32);
            }
            // SAFETY: the loop wrote every element.
            values.iter().map(|value| unsafe { value.assume_init() }).sum()
        }
        orderings_chain(seed) {
            let key = |value: u32| (value % 3, Reverse(value % 7));
            let order = key(seed).cmp(&key(seed / 2)).then(seed.cmp(&10)).then_with(|| Ordering::Less).reverse();
            (order as i8 + 1) as u32
        }
        tuples_compare_by_position(seed) { u32::from((seed % 3, seed) < (1, seed + 1)) + 2 * u32::from((1.5_f32, seed % 2) <= (1.5, 0)) }
        clamp_min_max(seed) { seed.clamp(10, 20) + seed.min(5) * 100 + core::cmp::max(seed, 30) * 1000 }
        partial_order_of_floats(seed) {
            let value = if seed % 4 == 0 { f32::NAN } else { seed as f32 };
            match value.partial_cmp(&8.0) {
                None => 0,
                Some(order) => 2 + order as i8 as i32 as u32,
            }
        }
        nonzero_has_a_niche(seed) {
            let nonzero = NonZeroU32::new(seed % 4);
            nonzero.map_or(50, |value| value.get() + value.leading_zeros())
        }
        wrapping_wraps(seed) {
            let mut value = Wrapping(seed) * Wrapping(0x9e37_79b9);
            value += Wrapping(u32::MAX);
            (value >> 3).0
        }
        drop_runs_once_in_reverse(seed) {
            let mut count = 0;
            {
                let _first = Guard(&mut count);
                if seed % 2 == 0 {
                    return 3;
                }
            }
            count
        }
        manually_drop_does_not(seed) {
            let mut count = seed;
            let guard = mem::ManuallyDrop::new(Guard(&mut count));
            let _ = &guard;
            count
        }
        dropping_an_option_of_a_guard(seed) {
            let mut count = 0;
            let mut guard = Some(Guard(&mut count));
            if seed % 3 == 0 {
                drop(guard.take());
            }
            mem::drop(guard);
            count + seed
        }
        unions_share_bytes(seed) {
            union Bits {
                float: f32,
                integer: u32,
            }
            let bits = Bits { integer: seed };
            // SAFETY: every pattern is a float.
            unsafe { (bits.float * 1.0).is_nan() as u32 + bits.integer }
        }
        matches_with_ranges_and_guards(seed) {
            match seed % 100 {
                0 => 1,
                1..=9 => 2,
                10 | 20 | 30 => 3,
                value @ 40..60 if value % 2 == 0 => value,
                value if matches!(value, 61 | 63) => 5,
                _ => 6,
            }
        }
        characters_have_classes(seed) {
            let c = char::from_u32(seed % 128).unwrap();
            u32::from(c.is_ascii_digit()) + 2 * u32::from(c.is_ascii_uppercase()) + 4 * c.to_digit(16).unwrap_or(17)
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
fn options_and_results_give_what_core_promises() {
    check_tests(kernels::NAMES, kernels::run, |device, config, out, count, first| {
        kernels::run_all(device, config, out, count, first).wait().map(drop)
    });
}
