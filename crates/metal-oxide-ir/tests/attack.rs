//! Attacks the proofs: random kernels full of index arithmetic, guards, assumptions and loops, on inputs at the edges.
//! A check that was removed must never have fired, whatever path led to it.

mod generator;

use generator::arithmetic::arithmetic_program;
use metal_oxide_ir::passes::infer_spaces::infer_spaces;
use metal_oxide_ir::passes::{Narrow, OptimizeOptions, Pass, Prove, optimize, refine, remaining_checks, run_on};
use metal_oxide_ir::validate::Stage;
use metal_oxide_ir::{FunctionId, Module};
use proptest::prelude::*;
use proptest::strategy::ValueTree;

fn numbers() -> impl Strategy<Value = Vec<u32>> {
    prop::collection::vec(prop_oneof![0u32..64, any::<u32>()], 0..160)
}

fn config() -> ProptestConfig {
    let cases = std::env::var("PROPTEST_CASES").ok().and_then(|text| text.parse().ok()).unwrap_or(100);
    ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() }
}

fn run(module: &mut Module, pass: &dyn Pass) {
    for index in 0..module.functions.len() {
        run_on(module, FunctionId::new(index), pass);
    }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn removed_checks_never_fire(numbers in numbers()) {
        let programs = arithmetic_program(&numbers);
        for program in programs {
            let check = program.check(Stage::Imported, |module| run(module, &Prove::default()));
            prop_assert!(check.is_ok(), "{}", check.unwrap_err());
        }
    }

    #[test]
    fn the_whole_pipeline_keeps_what_fires(numbers in numbers()) {
        let programs = arithmetic_program(&numbers);
        for program in programs {
            let check = program.check(Stage::Optimized, |module| {
                optimize(module, &OptimizeOptions::default());
                infer_spaces(module).unwrap();
                refine(module, &OptimizeOptions::default());
            });
            prop_assert!(check.is_ok(), "{}", check.unwrap_err());
        }
    }

    #[test]
    fn narrowed_values_fit(numbers in numbers()) {
        let programs = arithmetic_program(&numbers);
        for program in programs {
            let check = program.check(Stage::Imported, |module| run(module, &Narrow::default()));
            prop_assert!(check.is_ok(), "{}", check.unwrap_err());
        }
    }
}

#[test]
fn many_checks_are_removed_and_many_fire() {
    // An attack that proves nothing, or never fails, would not be one.
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let (mut before, mut after, mut fired, mut undefined, mut runs) = (0, 0, 0, 0, 0);
    for _ in 0..150 {
        let numbers = numbers().new_tree(&mut runner).unwrap().current();
        let programs = arithmetic_program(&numbers);
        let mut module = programs[0].module.clone();
        before += remaining_checks(&module).len();
        run(&mut module, &Prove::default());
        after += remaining_checks(&module).len();
        for program in &programs {
            runs += 1;
            match program.run(&program.module, 20_000) {
                Ok((outcome, _)) => fired += usize::from(!outcome.failures.is_empty()),
                Err(_) => undefined += 1,
            }
        }
    }
    let removed = before - after;
    eprintln!("{removed} of {before} checks removed; of {runs} runs {fired} failed a check and {undefined} were undefined");
    assert!(removed * 10 > before && fired * 10 > runs && undefined * 2 < runs);
}
