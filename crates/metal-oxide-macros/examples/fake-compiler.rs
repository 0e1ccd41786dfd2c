//! Stands in for the kernel compiler in the tests of the macros: answers as the test tells it to, and counts its starts.
//!
//! The environment variable `FAKE_COMPILER` names a folder. Each start adds a line to its file `starts` and saves the request as
//! `request.json`. The file `answer` holds what to do: `compile`, `crash`, `fail` and `babble`, or the JSON to print.

use std::fs::{self, OpenOptions};
use std::io::{Read, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use metal_oxide_artifact::{Inputs, KernelAbi, KernelEntry, MANIFEST_SCHEMA, Manifest, UnitRequest, UnitResponse, UnitResult};

fn main() -> ExitCode {
    let folder = PathBuf::from(std::env::var_os("FAKE_COMPILER").expect("FAKE_COMPILER names a folder"));
    let mut starts = OpenOptions::new().create(true).append(true).open(folder.join("starts")).expect("counts");
    writeln!(starts, "{:?}", std::env::args().skip(1).collect::<Vec<_>>()).expect("counts");
    let mut request = String::new();
    std::io::stdin().read_to_string(&mut request).expect("reads the request");
    fs::write(folder.join("request.json"), &request).expect("keeps the request");
    let answer = fs::read_to_string(folder.join("answer")).unwrap_or_else(|_| "compile".into());
    match answer.trim() {
        "compile" => println!("{}", compiled(&request)),
        "crash" => std::process::abort(),
        "fail" => {
            eprintln!("thread 'main' panicked at src/import.rs:1:1:\nno such type");
            return ExitCode::from(101);
        }
        "babble" => println!("hello"),
        json => println!("{json}"),
    }
    ExitCode::SUCCESS
}

/// An answer of the right form. What it says of the kernels is made up.
fn compiled(request: &str) -> String {
    let request: UnitRequest = serde_json::from_str(request).expect("the request is well-formed");
    let kernels = request.kernels.iter().map(|kernel| KernelEntry {
        name: kernel.name.clone(),
        entry: kernel.name.clone(),
        abi: KernelAbi::default(),
        requires: kernel.requires.clone(),
        sites: Vec::new(),
        features: Vec::new(),
    });
    let manifest = Manifest {
        schema: MANIFEST_SCHEMA,
        file: request.file,
        item: request.item,
        math: request.math,
        inputs: Inputs::default(),
        files: Default::default(),
        kernels: kernels.collect(),
    };
    let result = UnitResult { manifest, msl: "kernel void k() {}\n".into(), ir: "module\n".into() };
    serde_json::to_string(&UnitResponse::Compiled(Box::new(result))).expect("serialises")
}
