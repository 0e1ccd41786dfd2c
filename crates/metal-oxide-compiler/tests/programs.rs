//! Programs that run twice: as host code, and imported and interpreted, before the passes and after them.
//! Each file in `programs/` has a list of tests; all of them must give what the host gives.
#![feature(rustc_private)]

// See `main.rs`.
extern crate rustc_driver as _;

mod support;

use std::path::Path;

use metal_oxide_compiler::{compile, unit};
use metal_oxide_ir::Module;
use metal_oxide_ir::interpret::{Launch, Limits, run};

/// How many seeds each test is run with.
const SEEDS: u32 = 6;

/// What turns a file into a unit: element `i` of the output is test `i % count` with seed `i / count`.
const KERNEL: &str = "
use metal_oxide::device::{DisjointBuffer, thread_index};
pub fn run_all(mut out: DisjointBuffer<u32>, count: u32) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let i = index.get() as u32;
        *out = run(i % count, i / count);
    }
}
";

/// Declares tests as functions from a seed to a number; the files in `programs/` consist of one use of this macro, and of items.
macro_rules! tests {
    ($($name:ident($seed:ident) $body:block)*) => {
        $(fn $name($seed: u32) -> u32 $body)*

        pub const NAMES: &[&str] = &[$(stringify!($name)),*];

        pub fn run(test: u32, seed: u32) -> u32 {
            let mut number = 0;
            $(
                if test == number {
                    return $name(seed);
                }
                number += 1;
            )*
            number
        }
    };
}

/// The macro's text, which the unit needs too.
const MACRO: &str = "
macro_rules! tests {
    ($($name:ident($seed:ident) $body:block)*) => {
        $(fn $name($seed: u32) -> u32 $body)*
        pub fn run(test: u32, seed: u32) -> u32 {
            let mut number = 0;
            $(
                if test == number {
                    return $name(seed);
                }
                number += 1;
            )*
            number
        }
    };
}
";

macro_rules! programs {
    ($($name:ident)*) => {$(
        mod $name {
            #![allow(dead_code, unnecessary_transmutes, clippy::all)]
            include!(concat!("programs/", stringify!($name), ".rs"));

            #[test]
            fn agree_with_the_host() {
                super::check(stringify!($name), NAMES, run);
            }
        }
    )*};
}

programs! { arithmetic casts enums layout memory panics_avoided tables }

fn check(name: &str, names: &[&str], expected: fn(u32, u32) -> u32) {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/programs/{name}.rs"));
    let text = std::fs::read_to_string(&file).expect("the program is there");
    let request = support::request(&format!("{name}.rs"), &format!("{text}{MACRO_END}{KERNEL}"), &["run_all"]);
    let request = metal_oxide_artifact::UnitRequest { text: format!("{MACRO}{}", request.text), ..request };
    let import = || unit::import_unit(&request, support::device_library()).unwrap_or_else(|failure| panic!("{failure:#?}"));
    compare("imported", &import().module, names, expected);
    let optimised = compile::finish(import()).unwrap_or_else(|failure| panic!("{failure:#?}"));
    compare("optimised", &optimised, names, expected);
}

/// Keeps the last line of a program apart from what follows it.
const MACRO_END: &str = "\n";

fn compare(stage: &str, module: &Module, names: &[&str], expected: fn(u32, u32) -> u32) {
    let count = u32::try_from(names.len()).expect("a small number");
    let mut buffers = vec![vec![0; (count * SEEDS * 4) as usize]];
    let limits = Limits { steps: 100_000_000, depth: 256 };
    let outcome = run(module, "run_all", &mut buffers, &[count.to_le_bytes().to_vec()], Launch::linear(count * SEEDS, 1), limits);
    let outcome = outcome.unwrap_or_else(|violation| panic!("{stage}: {violation:?}"));
    assert!(outcome.failures.is_empty(), "{stage}: {:?}", module.sites[outcome.failures[0].site.index()]);
    for (index, element) in buffers[0].chunks_exact(4).enumerate() {
        let actual = u32::from_le_bytes(element.try_into().expect("four bytes"));
        let (test, seed) = (index as u32 % count, index as u32 / count);
        assert_eq!(actual, expected(test, seed), "{stage}: `{}` with seed {seed}", names[test as usize]);
    }
}
