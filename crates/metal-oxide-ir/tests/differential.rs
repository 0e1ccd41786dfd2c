//! Runs random programs before and after transformations and compares what they compute.

mod generator;

use generator::program;
use metal_oxide_ir::passes::infer_spaces::infer_spaces;
use metal_oxide_ir::text;
use metal_oxide_ir::validate::{Stage, validate};
use proptest::prelude::*;
use proptest::strategy::ValueTree;

/// The numbers that a program is made of.
fn numbers() -> impl Strategy<Value = Vec<u32>> {
    prop::collection::vec(prop_oneof![0u32..64, any::<u32>()], 0..250)
}

/// How many programs each transformation is tried on, unless `PROPTEST_CASES` says otherwise.
fn config() -> ProptestConfig {
    let cases = std::env::var("PROPTEST_CASES").ok().and_then(|text| text.parse().ok()).unwrap_or(150);
    ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() }
}

#[test]
fn most_random_programs_are_valid_and_defined() {
    let mut runner = proptest::test_runner::TestRunner::new(config());
    let (mut defined, mut total) = (0, 0);
    runner
        .run(&numbers(), |numbers| {
            let program = program(&numbers);
            if let Err(problems) = validate(&program.module, Stage::Imported) {
                let problems: Vec<_> = problems.iter().map(ToString::to_string).collect();
                return Err(TestCaseError::fail(format!("{}\n{}", problems.join("\n"), text::print(&program.module))));
            }
            Ok(())
        })
        .unwrap();
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    for _ in 0..300 {
        let numbers = numbers().new_tree(&mut runner).unwrap().current();
        let program = program(&numbers);
        total += 1;
        match program.run(&program.module, 20_000) {
            Ok(_) => defined += 1,
            Err(error) => eprintln!("{error}"),
        }
    }
    assert!(defined * 10 >= total * 9, "only {defined} of {total} programs do nothing undefined");
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn printing_and_parsing_keeps_programs(numbers in numbers()) {
        let program = program(&numbers);
        let check = program.check(Stage::Imported, |module| *module = text::parse(&text::print(module)).unwrap());
        prop_assert!(check.is_ok(), "{}", check.unwrap_err());
    }

    #[test]
    fn inferring_spaces_keeps_programs(numbers in numbers()) {
        let program = program(&numbers);
        let check = program.check(Stage::Optimized, |module| infer_spaces(module).unwrap());
        prop_assert!(check.is_ok(), "{}", check.unwrap_err());
    }
}
