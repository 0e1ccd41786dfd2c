//! Imports a unit and runs its first kernel over one output buffer of `u32`, before any pass:
//! `interpret LIBRARY ELEMENTS VALUE... < request.json`; with `--optimize` after the passes. Prints the buffer, one number a line. For work
//! on the importer.
#![feature(rustc_private)]

extern crate rustc_driver as _;

use std::path::PathBuf;

use metal_oxide_artifact::UnitRequest;
use metal_oxide_compiler::unit;
use metal_oxide_ir::interpret::{Launch, Limits, run};

fn main() {
    let (options, arguments): (Vec<String>, Vec<String>) = std::env::args().skip(1).partition(|argument| argument.starts_with("--"));
    let elements: usize = arguments[1].parse().expect("the number of elements is a number");
    let values: Vec<Vec<u8>> =
        arguments[2..].iter().map(|value| value.parse::<u32>().expect("values are numbers").to_le_bytes().to_vec()).collect();
    let request: UnitRequest = serde_json::from_reader(std::io::stdin()).expect("the standard input is a request");
    let imported = match unit::import_unit(&request, &PathBuf::from(&arguments[0])) {
        Ok(imported) => imported,
        Err(failure) => panic!("{failure:#?}"),
    };
    let module = match options.is_empty() {
        true => imported.module,
        false => match metal_oxide_compiler::compile::finish(imported) {
            Ok(module) => module,
            Err(failure) => panic!("{failure:#?}"),
        },
    };
    let mut buffers = vec![vec![0; elements * 4]];
    let launch = Launch::linear(u32::try_from(elements).expect("a small number"), 1);
    let limits = Limits { steps: 500_000_000, depth: 512 };
    match run(&module, &request.kernels[0].name, &mut buffers, &values, launch, limits) {
        Ok(outcome) => eprintln!("{} steps, {} failures", outcome.steps, outcome.failures.len()),
        Err(violation) => eprintln!("VIOLATION {violation:?}"),
    }
    for element in buffers[0].chunks_exact(4) {
        println!("{}", u32::from_le_bytes([element[0], element[1], element[2], element[3]]));
    }
}
