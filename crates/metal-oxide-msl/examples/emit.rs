//! Prints the MSL of a module that comes as text on standard input: `emit [--optimize] [--fast] < module.ir`.
//! For work on passes and on the printer: the module may come from a test, or from `cargo metal inspect --emit ir`.

use std::io::Read as _;
use std::process::ExitCode;
use std::{env, io};

use metal_oxide_artifact::MathMode;
use metal_oxide_ir::passes::infer_spaces::infer_spaces;
use metal_oxide_ir::passes::{OptimizeOptions, optimize, refine};
use metal_oxide_ir::text;
use metal_oxide_ir::validate::{Stage, validate};
use metal_oxide_msl::{EmitOptions, emit};

fn main() -> ExitCode {
    match run(&env::args().skip(1).collect::<Vec<_>>()) {
        Ok(msl) => {
            print!("{msl}");
            ExitCode::SUCCESS
        }
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}

fn run(options: &[String]) -> Result<String, String> {
    let has = |name: &str| options.iter().any(|option| option == name);
    let mut ir = String::new();
    io::stdin().read_to_string(&mut ir).map_err(|error| error.to_string())?;
    let mut module = text::parse(&ir).map_err(|error| error.to_string())?;
    if has("--optimize") {
        let options = OptimizeOptions::default();
        optimize(&mut module, &options);
        infer_spaces(&mut module).map_err(|conflicts| conflicts.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))?;
        refine(&mut module, &options);
    }
    validate(&module, Stage::Optimized).map_err(|problems| problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))?;
    let math = if has("--fast") { MathMode::Fast } else { MathMode::Precise };
    Ok(emit(&module, &EmitOptions { math }).msl)
}
