//! Prints validated kernel modules as Metal Shading Language.
//!
//! [`emit`] takes a module that is valid at [`Stage::Optimized`](metal_oxide_ir::validate::Stage::Optimized) and cannot fail on it.
//! The text is complete: besides the kernels it holds the structs, tables and support functions that they need, and nothing else.
//!
//! # How
//! 1. `flow` copies each function, makes its graph reducible, decides which values become expressions and which variables, and lets
//!    values share variables where that saves copies.
//! 2. `structure` turns the graph into nested statements.
//! 3. `infer` finds out what pointers point at and which integers had better have a sign.
//! 4. `expression` writes values as C++ expressions that compute exactly the IR's bits, and `print` writes the statements around them.
//!
//! What MSL leaves undefined never depends on the input: see `expression::integer` for overflow, `expression::address` for aliasing,
//! `flow::termination` for loops that do not end.
//!
//! # Failures
//! `fail` becomes a call of `report_failure` and a `return`. A helper that may fail gets a `FailureState` by reference; its callers look at
//! `failed` behind each call and return too. All of that is written by `print`, from `Statement::Fail` and the calls, so a cooperative
//! kernel whose threads must still meet barriers changes nothing but what these two print.

mod abi;
mod expression;
mod flow;
mod frame;
mod infer;
mod lower;
mod names;
mod print;
mod program;
mod scalar;
mod sites;
mod structs;
mod structure;
mod support;
mod tables;

use metal_oxide_artifact::{KernelEntry, MathMode};
use metal_oxide_ir::{Coordinate, FunctionId, Module, Type, ValueId};

pub use abi::{MAX_BUFFER_SLOTS, buffer_slots};

use frame::{Frame, Shared};
use infer::{Unit, infer};
use lower::Lowered;
use names::Names;
use program::Program;
use sites::Sites;
use support::Supports;

/// How a module is printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EmitOptions {
    /// Whether floating point follows Rust exactly.
    pub math: MathMode,
}

/// A module's text and what the host must know of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Emitted {
    /// The Metal Shading Language.
    pub msl: String,
    /// The kernels, in the module's order. Their `requires`, and whether they are linear or cooperative, are for the caller to fill in.
    pub kernels: Vec<KernelEntry>,
}

/// Prints a module that is ready for a back end.
pub fn emit(module: &Module, options: &EmitOptions) -> Emitted {
    // Statements nest as deeply as the user's do, and some are made by programs. Memory that is not used is not taken either.
    const STACK: usize = 256 << 20;
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, || print_module(module, options));
        match thread.map(std::thread::ScopedJoinHandle::join) {
            Ok(Ok(emitted)) => emitted,
            Ok(Err(panic)) => std::panic::resume_unwind(panic),
            // Without a thread of its own it nearly always works too.
            Err(_) => print_module(module, options),
        }
    })
}

fn print_module(module: &Module, options: &EmitOptions) -> Emitted {
    let mut names = Names::new();
    support::names().into_iter().for_each(|name| names.reserve(name));
    let mut program = Program::new(module, &mut names);
    let mut units: Vec<Unit<'_>> = Vec::new();
    for id in program.order.clone() {
        let lowered = Lowered::new(module, &program, id);
        let frame = Frame::new(module, &program, &names, id, &lowered);
        units.push(Unit { id, lowered, frame, names: &names });
    }
    infer(module, &mut program, &mut units, options.math);

    let supports = Supports::default();
    let shared = Shared { module, program: &program, supports: &supports, math: options.math };
    let sites = Sites::new(module, &program);
    let mut functions = String::new();
    let mut kernels: Vec<(FunctionId, KernelEntry)> = Vec::new();
    // Helpers come first: they stand before what calls them.
    units.sort_by_key(|unit| (unit.frame.kernel.is_some(), if unit.frame.kernel.is_some() { unit.id.index() } else { 0 }));
    for unit in &mut units {
        if let Some((layout, abi)) = &unit.frame.kernel {
            let signature = program.signature(unit.id);
            functions.push_str(&print::argument_block(shared, &signature.args_name, layout));
            kernels.push((
                unit.id,
                KernelEntry {
                    name: module.function(unit.id).name.clone(),
                    entry: signature.name.clone(),
                    abi: abi.clone(),
                    requires: Vec::new(),
                    sites: sites.of_kernel(module, &program, unit.id),
                    features: features(module, &program, unit),
                },
            ));
        }
        functions.push_str(&print::function(shared, unit, &sites.numbers(module, &program, unit.id)));
    }

    let mut tables = String::new();
    for id in program.needed_globals(module) {
        tables.push_str(&tables::table(module, &program, id));
    }
    let mut msl = String::from("#include <metal_stdlib>\nusing namespace metal;\n\n");
    if options.math == MathMode::Precise {
        msl.push_str("#pragma METAL fp contract(off)\n\n");
    }
    msl.push_str(&supports.text(options.math));
    msl.push_str(&program.structs.text(module));
    msl.push_str(&tables);
    msl.push_str(functions.trim_end());
    msl.push('\n');
    Emitted { msl, kernels: kernels.into_iter().map(|(_, entry)| entry).collect() }
}

/// The device features that a kernel needs beyond what every device has.
fn features(module: &Module, program: &Program, unit: &Unit<'_>) -> Vec<String> {
    let mut features = Vec::new();
    let lanes = [Coordinate::LaneInSimdGroup, Coordinate::SimdGroupInBlock];
    if program.signature(unit.id).coordinates.iter().any(|coordinate| lanes.contains(coordinate)) {
        features.push("simd_groups".to_owned());
    }
    let mut functions = vec![unit.id];
    let mut seen: Vec<FunctionId> = Vec::new();
    let mut bfloat = false;
    while let Some(id) = functions.pop() {
        if seen.contains(&id) {
            continue;
        }
        seen.push(id);
        let function = module.function(id);
        bfloat |= (0..function.value_count()).any(|index| function.ty(ValueId::new(index)) == Type::BF16);
        functions.extend(program.callees(module, id));
    }
    if bfloat {
        features.push("bfloat16".to_owned());
    }
    features
}
