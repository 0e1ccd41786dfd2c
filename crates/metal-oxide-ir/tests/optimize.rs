//! Optimises random programs and compares what they compute before and after, whole and pass by pass.

mod generator;

use std::cell::RefCell;

use generator::{Program, program};
use metal_oxide_ir::analysis::call_graph;
use metal_oxide_ir::passes::infer_spaces::infer_spaces;
use metal_oxide_ir::passes::{self, OptimizeOptions, optimize, refine};
use metal_oxide_ir::validate::Stage;
use metal_oxide_ir::{Module, text};
use proptest::prelude::*;

/// The numbers that a program is made of.
fn numbers() -> impl Strategy<Value = Vec<u32>> {
    prop::collection::vec(prop_oneof![0u32..64, any::<u32>()], 0..250)
}

/// How many programs each transformation is tried on, unless `PROPTEST_CASES` says otherwise.
fn config() -> ProptestConfig {
    let cases = std::env::var("PROPTEST_CASES").ok().and_then(|text| text.parse().ok()).unwrap_or(150);
    ProptestConfig { cases, failure_persistence: None, max_shrink_iters: 4000, ..ProptestConfig::default() }
}

const PASSES: &[&str] = &[
    "inline",
    "sroa",
    "mem2reg",
    "simplify",
    "simplify_cfg",
    "jump_threading",
    "parameters",
    "gvn",
    "pointer_induction",
    "induction",
    "preheaders",
    "unrotate",
    "join_computations",
    "speculate_loads",
    "licm",
    "if_convert",
    "drop_assumes",
    "forward_copies",
    "merge_slots",
    "dce",
    "compact",
];

/// Runs a pass on every function.
fn run(module: &mut Module, name: &str) {
    for function in call_graph::bottom_up(module) {
        let pass = passes::find(name, module).expect("the pass exists");
        passes::run_on(module, function, pass.as_ref());
    }
}

/// The first pass of the pipeline that changes what a program does.
fn blame(program: &Program) -> String {
    let broken = RefCell::new(None);
    let before = RefCell::new(program.module.clone());
    let check = |name: &'static str, module: &Module| {
        if broken.borrow().is_none()
            && let Err(problem) = program.check(Stage::Imported, |copy| *copy = module.clone())
        {
            let summary = problem.lines().next().unwrap_or_default().to_owned();
            let texts = format!("before {name}:\n{}\nafter:\n{}", text::print(&before.borrow()), text::print(module));
            *broken.borrow_mut() = Some(format!("{name}: {summary}\n{texts}"));
        }
        *before.borrow_mut() = module.clone();
    };
    let options = OptimizeOptions { after_pass: Some(&check), ..OptimizeOptions::default() };
    optimize(&mut program.module.clone(), &options);
    broken.into_inner().unwrap_or_else(|| "no single pass is to blame".into())
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn optimizing_keeps_programs(numbers in numbers()) {
        let program = program(&numbers);
        let check = program.check(Stage::Imported, |module| optimize(module, &OptimizeOptions::default()));
        prop_assert!(check.is_ok(), "{}", blame(&program));
    }

    #[test]
    fn refining_keeps_programs(numbers in numbers()) {
        let program = program(&numbers);
        let check = program.check(Stage::Optimized, |module| {
            optimize(module, &OptimizeOptions::default());
            infer_spaces(module).unwrap();
            refine(module, &OptimizeOptions::default());
        });
        prop_assert!(check.is_ok(), "{}", check.unwrap_err());
    }

    #[test]
    fn passes_in_any_order_keep_programs(numbers in numbers(), order in prop::collection::vec(0..PASSES.len(), 1..8)) {
        let mut program = program(&numbers);
        for index in order {
            let check = program.check(Stage::Imported, |module| run(module, PASSES[index]));
            prop_assert!(check.is_ok(), "{}: {}", PASSES[index], check.unwrap_err());
            run(&mut program.module, PASSES[index]);
        }
    }
}
