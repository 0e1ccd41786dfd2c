//! Compares what the IR interpreter computes with what the emitted text computes, on random modules.
//! Programs are compiled in batches, each in a namespace of its own: starting the C++ compiler is what takes time.

#[path = "../../metal-oxide-ir/tests/generator/mod.rs"]
mod generator;

use std::env;
use std::fmt::Write as _;

use generator::{Program, program};
use metal_oxide_artifact::{Argument, KernelEntry, MathMode};
use metal_oxide_exec::{Binding, Compiler, Library, Options};
use metal_oxide_ir::interpret::Outcome;
use metal_oxide_ir::passes::infer_spaces::infer_spaces;
use metal_oxide_ir::passes::{OptimizeOptions, optimize};
use metal_oxide_ir::validate::{Stage, validate};
use metal_oxide_ir::{Module, text};
use metal_oxide_msl::{EmitOptions, emit};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;

const BATCH: usize = 25;

/// A program that is ready to be compared.
struct Case {
    program: Program,
    module: Module,
    expected: Outcome,
    buffers: Vec<Vec<u8>>,
    msl: String,
    kernel: KernelEntry,
}

#[test]
fn the_text_computes_what_the_module_says() {
    compare(|module| infer_spaces(module).is_ok());
}

#[test]
fn the_text_of_optimised_modules_computes_what_they_say() {
    compare(|module| {
        optimize(module, &OptimizeOptions::default());
        infer_spaces(module).is_ok()
    });
}

/// Compares random programs behind a transformation, which may refuse some: a pointer with two spaces has no form in MSL. `PROPTEST_CASES` says how many.
fn compare(transform: impl Fn(&mut Module) -> bool) {
    let Ok(compiler) = Compiler::find(|name| env::var_os(name)) else {
        eprintln!("there is no C++ compiler to run the texts with");
        return;
    };
    let cases: usize = env::var("PROPTEST_CASES").ok().and_then(|text| text.parse().ok()).unwrap_or(100);
    let mut runner = match env::var("SEED").ok().and_then(|text| text.parse::<u8>().ok()) {
        Some(seed) => TestRunner::new_with_rng(
            ProptestConfig::default(),
            proptest::test_runner::TestRng::from_seed(proptest::test_runner::RngAlgorithm::ChaCha, &[seed; 32]),
        ),
        None => TestRunner::deterministic(),
    };
    let numbers = prop::collection::vec(prop_oneof![0u32..64, any::<u32>()], 0..250);
    let mut done = 0;
    while done < cases {
        let mut batch = Vec::new();
        while batch.len() < BATCH.min(cases - done) {
            let numbers = numbers.new_tree(&mut runner).expect("vectors of numbers can always be made").current();
            batch.extend(case(&numbers, &transform));
        }
        done += batch.len();
        run(&compiler, &batch);
    }
}

/// The program of some numbers, unless it does something undefined.
fn case(numbers: &[u32], transform: &dyn Fn(&mut Module) -> bool) -> Option<Case> {
    let program = program(numbers);
    let (expected, buffers) = program.run(&program.module, 20_000).ok()?;
    let mut module = program.module.clone();
    if !transform(&mut module) {
        return None;
    }
    validate(&module, Stage::Optimized).unwrap_or_else(|problems| panic!("{}\n{}", problems[0], text::print(&module)));
    let emitted = emit(&module, &EmitOptions { math: MathMode::Precise });
    let kernel = emitted.kernels.into_iter().next().expect("there is one kernel");
    Some(Case { program, module, expected, buffers, msl: emitted.msl, kernel })
}

fn run(compiler: &Compiler, batch: &[Case]) {
    let mut text = String::from("#include <metal_stdlib>\nusing namespace metal;\n\n#pragma METAL fp contract(off)\n\n");
    let mut kernels = Vec::new();
    for (index, case) in batch.iter().enumerate() {
        let body: Vec<&str> = case.msl.lines().filter(|line| !line.starts_with('#') && *line != "using namespace metal;").collect();
        let _ = writeln!(text, "namespace case_{index} {{\n{}\n}}\n", body.join("\n"));
        let entry = format!("case_{index}::{}", case.kernel.entry);
        kernels.push(KernelEntry { name: entry.clone(), entry, ..case.kernel.clone() });
    }
    let cache = tempfile::tempdir().expect("a folder can be made");
    let options = Options { math: MathMode::Precise, find_undefined: true };
    let library = Library::compile(compiler, cache.path(), &text, &kernels, &options).unwrap_or_else(|error| panic!("{error}\n{text}"));
    // Threads of a random program may write the same places, so their order counts.
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a thread can be started");
    pool.install(|| batch.iter().zip(&kernels).for_each(|(case, kernel)| run_case(&library, case, kernel)));
}

fn run_case(library: &Library, case: &Case, kernel: &KernelEntry) {
    let fail = |message: &str| -> ! { panic!("{message}\n{}\n{}\n{:?}", text::print(&case.module), case.msl, case.program) };
    let mut buffers = case.program.buffers.clone();
    let (mut slots, mut block, mut values) =
        (Vec::new(), vec![0u128; kernel.abi.args_size.div_ceil(16) as usize], case.program.values.iter());
    // SAFETY: any bytes are a `u8`, and the block is that long.
    let args = unsafe { std::slice::from_raw_parts_mut(block.as_mut_ptr().cast::<u8>(), kernel.abi.args_size as usize) };
    let mut arrays = buffers.iter_mut();
    for parameter in &kernel.abi.parameters {
        match &parameter.argument {
            Argument::Buffer { element, length_offset, .. } => {
                let buffer = arrays.next().expect("there is a buffer for each parameter");
                if let Some(offset) = length_offset {
                    args[*offset as usize..][..8].copy_from_slice(&(buffer.len() as u64 / u64::from(element.size)).to_le_bytes());
                }
                slots.push(buffer.as_mut_ptr());
            }
            Argument::Value { offset, .. } => {
                let value = values.next().expect("there is a value for each parameter");
                if let Some(offset) = offset {
                    args[*offset as usize..][..value.len()].copy_from_slice(value);
                }
            }
        }
    }
    let mut record = [0u32; 8];
    let failure = if kernel.abi.failure_slot.is_some() { record.as_mut_ptr().cast() } else { std::ptr::null_mut() };
    let binding = Binding { buffers: &slots, args, failure };
    let function = library.kernel(&kernel.entry).unwrap_or_else(|error| fail(&error.to_string()));
    let launch = case.program.launch;
    // SAFETY: the buffers are as long as the arguments say, and the kernel checks its accesses.
    let result = unsafe { function.run(&binding, launch.grid, launch.block) };
    if let Err(error) = result {
        fail(&error.to_string());
    }
    let site = |number: u32| &kernel.sites[number as usize];
    let failed = (record[0] != 0).then(|| (site(record[1]).line, [record[2], record[3], record[4]], [record[5], record[6], record[7]]));
    let known: Vec<_> = case
        .expected
        .failures
        .iter()
        .map(|failure| (case.module.sites[failure.site.index()].location.line, failure.thread, failure.block))
        .collect();
    if failed != known.first().copied() {
        fail(&format!("the failures should be {known:?}, not {failed:?}"));
    }
    for (index, (found, expected)) in buffers.iter().zip(&case.buffers).enumerate() {
        for offset in 0..expected.len() {
            let undefined = case.expected.undefined[index].binary_search(&offset).is_ok();
            if !undefined && found[offset] != expected[offset] {
                fail(&format!("buffer {index} differs at byte {offset}: {found:?} instead of {expected:?}"));
            }
        }
    }
}
