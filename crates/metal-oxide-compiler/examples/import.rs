//! Prints the module that a unit is imported as, before any pass: `import LIBRARY < request.json`; with `--optimize` after them.
//! For work on the importer.
#![feature(rustc_private)]

extern crate rustc_driver as _;

use std::path::PathBuf;

use metal_oxide_artifact::UnitRequest;
use metal_oxide_compiler::unit;
use metal_oxide_ir::validate::{Stage, validate};

fn main() {
    let library = PathBuf::from(std::env::args().nth(1).expect("the first argument is the device library's folder"));
    let request: UnitRequest = serde_json::from_reader(std::io::stdin()).expect("the standard input is a request");
    match unit::import_unit(&request, &library) {
        Ok(imported) if std::env::args().any(|argument| argument == "--optimize") => {
            match metal_oxide_compiler::compile::finish(imported) {
                Ok(module) => println!("{}", metal_oxide_ir::text::print(&module)),
                Err(failure) => eprintln!("FAILED {failure:#?}"),
            }
        }
        Ok(imported) => {
            println!("{}", metal_oxide_ir::text::print(&imported.module));
            if let Err(problems) = validate(&imported.module, Stage::Imported) {
                eprintln!("INVALID {problems:#?}");
            }
        }
        Err(failure) => eprintln!("FAILED {failure:#?}"),
    }
}
