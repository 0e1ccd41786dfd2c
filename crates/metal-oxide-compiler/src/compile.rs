//! From an imported unit to what the host needs: optimise, settle address spaces, refuse what is left that the device cannot express.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;

use metal_oxide_artifact::{Diagnostic, Inputs, MANIFEST_SCHEMA, Manifest, UnitRequest, UnitResponse, UnitResult};
use metal_oxide_ir::passes::infer_spaces::infer_spaces;
use metal_oxide_ir::passes::soften::{soften, uses_doubles};
use metal_oxide_ir::passes::split_wide::{split_wide, uses_wide_integers};
use metal_oxide_ir::passes::{AfterPass, OptimizeOptions, calls_itself, expand_recursion, optimize, refine};
use metal_oxide_ir::validate::{Stage, validate};
use metal_oxide_ir::{FailureKind, FunctionId, Location, Module, Site};

use metal_oxide_msl::{EmitOptions, Emitted};

use crate::driver::{self, Failure};
use crate::import::{Imported, Origins};
use crate::survivors::{self, Software};
use crate::unit;

/// Compiles a unit.
///
/// # Errors
/// What is wrong with this compiler or its installation; what is wrong with the unit is an answer.
pub fn compile(request: &UnitRequest, library: &Path) -> Result<UnitResponse, String> {
    respond(request, unit::import_unit(request, library))
}

/// Makes the answer to a request out of its imported unit.
///
/// # Errors
/// What is wrong with this compiler or its installation.
pub fn respond(request: &UnitRequest, imported: Result<Imported, Failure>) -> Result<UnitResponse, String> {
    let result = imported.and_then(|imported| {
        let linear = imported.linear.clone();
        let printed = || finish(imported).map(|module| result(request, &module, &linear));
        driver::capture_panic(printed).unwrap_or_else(|message| Err(Failure::Internal(message)))
    });
    match result {
        Ok(result) => Ok(UnitResponse::Compiled(Box::new(result))),
        Err(Failure::Rejected(problems)) => Ok(UnitResponse::Rejected(problems)),
        Err(Failure::Internal(message)) => Err(message),
    }
}

/// Prints an optimised module, with what the host must know of its kernels.
fn result(request: &UnitRequest, module: &Module, linear: &[String]) -> UnitResult {
    let Emitted { msl, mut kernels } = metal_oxide_msl::emit(module, &EmitOptions { math: request.math });
    for kernel in &mut kernels {
        kernel.abi.linear = linear.contains(&kernel.name);
        if let Some(asked) = request.kernels.iter().find(|asked| asked.name == kernel.name) {
            kernel.requires.clone_from(&asked.requires);
        }
    }
    let manifest = Manifest {
        schema: MANIFEST_SCHEMA,
        file: request.file.clone(),
        item: request.item.clone(),
        math: request.math,
        inputs: Inputs::default(),
        files: BTreeMap::new(),
        kernels,
    };
    UnitResult { manifest, msl, ir: metal_oxide_ir::text::print(module) }
}

/// Optimises an imported module until it is ready to be printed.
///
/// # Errors
/// What the device cannot express, or a module that breaks the rules of the intermediate representation.
pub fn finish(imported: Imported) -> Result<Module, Failure> {
    let Imported { mut module, origins, doubles, wide_integers, .. } = imported;
    check(&module, Stage::Imported, "the imported module")?;
    let names: HashMap<String, FunctionId> =
        module.functions.iter().enumerate().map(|(index, function)| (function.name.clone(), FunctionId::new(index))).collect();
    let options = OptimizeOptions { after_pass: validator(), ..OptimizeOptions::default() };
    bound_recursion(&mut module, &origins);
    optimize(&mut module, &options);
    let software = Software { doubles: doubles.is_some(), wide_integers: wide_integers.is_some() };
    reject(survivors::find(&module, &origins, &names, software))?;
    if let Some(mut library) = wide_integers
        && module.functions.iter().any(uses_wide_integers)
    {
        optimize(&mut library, &options);
        split_wide(&mut library, &Module::default());
        split_wide(&mut module, &library);
    }
    if let Err(conflicts) = infer_spaces(&mut module) {
        reject(survivors::describe_conflicts(&conflicts, &origins))?;
    }
    if let Some(mut library) = doubles
        && module.functions.iter().any(uses_doubles)
    {
        optimize(&mut library, &options);
        soften(&mut module, &library);
    }
    refine(&mut module, &options);
    check(&module, Stage::Optimized, "the optimised module")?;
    Ok(module)
}

/// How deep a function of other people's crates may call itself. `libm` has one that normalises its argument so, which takes a single call.
const DEEPEST: usize = 8;

/// Gives recursive functions of other people's crates a depth. The user's own are rejected later on: there a loop can take their place.
fn bound_recursion(module: &mut Module, origins: &Origins) {
    for id in (0..module.functions.len()).map(FunctionId::new) {
        if origins.is_own_function(id) || !calls_itself(module, id) {
            continue;
        }
        let message = format!("{} calls itself more than {DEEPEST} times, and the GPU has no stack", origins.name(id));
        // The user can do something about the call that leads there.
        let call = origins.path_of_function(id).into_iter().filter(|frame| frame.own).find_map(|frame| frame.position);
        let location = match call {
            Some(place) => Location { file: place.file.display().to_string(), line: place.line, column: place.column },
            None => Location { file: String::new(), line: 0, column: 0 },
        };
        let site = module.add_site(Site { location, kind: FailureKind::Panic, message });
        expand_recursion(module, id, DEEPEST, site);
    }
}

fn reject(problems: Vec<Diagnostic>) -> Result<(), Failure> {
    if problems.is_empty() { Ok(()) } else { Err(Failure::Rejected(problems)) }
}

fn check(module: &Module, stage: Stage, what: &str) -> Result<(), Failure> {
    validate(module, stage).map_err(|problems| {
        let lines: Vec<String> = problems.iter().take(10).map(ToString::to_string).collect();
        Failure::Internal(format!("{what} is not valid:\n{}", lines.join("\n")))
    })
}

/// Validates after each pass where that is asked for: in builds with debug assertions.
fn validator() -> Option<AfterPass<'static>> {
    if !cfg!(debug_assertions) {
        return None;
    }
    Some(&|pass, module| {
        if let Err(problems) = validate(module, Stage::Imported) {
            panic!("the pass `{pass}` broke the module: {}", problems[0]);
        }
    })
}
