//! Runs every operation before and after it is split, on operands at all edges.

use super::*;
use crate::interpret::{Launch, Limits, run};
use crate::text::{parse, print};
use crate::validate::{Stage, validate};
use crate::{BinaryOperator, CompareOperator, UnaryOperator};

const TYPES: &str = "type type0 = \"u128\" size 16 align 16 scalar i128
";

const LIBRARY: &str = "
function keep @u128_div {
block0(%0: i64, %1: i64, %2: i64, %3: i64, %4: ptr):
    %5 = add i64 %0, %2
    store i64 %5, %4
    %6 = offset ptr %4, 8
    store i64 %3, %6
    return
}

function keep @i128_from_f32 {
block0(%0: i32, %1: ptr):
    %2 = zext i32 %0 to i64
    store i64 %2, %1
    return
}

function keep @u128_to_f32 -> i32 {
block0(%0: i64, %1: i64):
    %2 = trunc i64 %1 to i32
    return %2
}
";

fn edges() -> Vec<u128> {
    let mut edges = vec![0, 1, 2, 7, 63, 64, 65, 127];
    for shift in [31, 63, 64, 65, 127] {
        edges.extend([1 << shift, (1 << shift) - 1, u128::MAX << shift, 0x0123_4567_89ab_cdef_0fed_cba9_8765_4321 >> (127 - shift)]);
    }
    edges
}

/// The kernel with these instructions, which compute `%13` of the integers `%9` and `%11`.
fn kernel(body: &str, helpers: &str) -> Module {
    let text = format!(
        "{TYPES}
kernel @k(a: buffer type0, b: buffer type0, out: buffer mut type0) {{
block0(%0: ptr<device>, %1: i64, %2: ptr<device>, %3: i64, %4: ptr<device>, %5: i64):
    %6 = coordinate thread_in_grid.x
    %7 = zext i32 %6 to i64
    %8 = element ptr<device> type0, %0, %7
    %9 = load i128 %8
    %10 = element ptr<device> type0, %2, %7
    %11 = load i128 %10
    %12 = element ptr<device> type0, %4, %7
{body}    store i128 %13, %12
    return
}}
{helpers}"
    );
    parse(&text).unwrap_or_else(|error| panic!("{error:?}\n{text}"))
}

fn outputs(module: &Module, pairs: &[(u128, u128)]) -> Vec<u128> {
    let bytes = |numbers: Vec<u128>| numbers.iter().flat_map(|number| number.to_le_bytes()).collect::<Vec<u8>>();
    let (left, right) = pairs.iter().copied().unzip();
    let mut buffers = vec![bytes(left), bytes(right), vec![0; 16 * pairs.len()]];
    let limits = Limits { steps: 10_000_000, depth: 10 };
    let threads = u32::try_from(pairs.len()).unwrap();
    let outcome = run(module, "k", &mut buffers, &[], Launch::linear(threads, 1), limits);
    assert!(outcome.unwrap_or_else(|violation| panic!("{violation:?}\n{}", print(module))).failures.is_empty());
    buffers[2].chunks_exact(16).map(|bytes| u128::from_le_bytes(bytes.try_into().unwrap())).collect()
}

#[track_caller]
fn check(name: &str, body: &str, pairs: &[(u128, u128)]) {
    let mut module = kernel(body, "");
    validate(&module, Stage::Imported).unwrap();
    let before = outputs(&module, pairs);
    split_wide(&mut module, &Module::default());
    validate(&module, Stage::Optimized).unwrap_or_else(|problems| panic!("{name}: {}\n{}", problems[0], print(&module)));
    for ((pair, before), after) in pairs.iter().zip(before).zip(outputs(&module, pairs)) {
        assert_eq!(after, before, "{name} of {:#x} and {:#x}", pair.0, pair.1);
    }
}

fn pairs() -> Vec<(u128, u128)> {
    let edges = edges();
    edges.iter().flat_map(|&a| edges.iter().map(move |&b| (a, b))).collect()
}

#[test]
fn binary_operators() {
    let is_shift =
        |operator| matches!(operator, BinaryOperator::ShiftLeft | BinaryOperator::ShiftRightUnsigned | BinaryOperator::ShiftRightSigned);
    for &operator in BinaryOperator::ALL {
        if !operator.accepts(Type::I128) || function::library_function(operator).is_some() {
            continue;
        }
        let pairs: Vec<_> = pairs().into_iter().filter(|&(_, b)| b < 128 || !is_shift(operator)).collect();
        check(operator.keyword(), &format!("    %13 = {} i128 %9, %11\n", operator.keyword()), &pairs);
    }
}

#[test]
fn unary_operators() {
    for &operator in UnaryOperator::ALL {
        if operator.accepts(Type::I128) {
            check(operator.keyword(), &format!("    %13 = {} i128 %9\n", operator.keyword()), &pairs());
        }
    }
}

#[test]
fn comparisons_and_selections() {
    for &operator in CompareOperator::ALL {
        if !operator.is_float() {
            let body = format!(
                "    %14 = {} i128 %9, %11\n    %13 = select i128 %14, %9, 0x123456789abcdef0123456789abcdef\n",
                operator.keyword()
            );
            check(operator.keyword(), &body, &pairs());
        }
    }
}

#[test]
fn conversions() {
    for (there, back) in [("zext", "trunc"), ("sext", "trunc")] {
        for ty in ["i8", "i16", "i32", "i64", "bool"] {
            if ty != "bool" || there == "zext" {
                let body = format!("    %14 = {back} i128 %9 to {ty}\n    %13 = {there} {ty} %14 to i128\n");
                check(there, &body, &pairs());
            }
        }
    }
}

#[test]
fn loops_switches_and_calls() {
    let body = "    br block1(0:i128, %9)
block1(%20: i128, %21: i128):
    %22 = add i128 %20, 1
    %23 = call i128 @half(%21)
    %24 = eq i128 %23, 0
    cond_br %24, block2, block1(%22, %23)
block2:
    switch i128 %20, 0: block3(%11), 1: block3(%20), 0x10000000000000000: block3(%9), default: block3(%21)
block3(%13: i128):
";
    let helper = "
function @half -> i128 {
block0(%0: i128):
    %1 = lshr i128 %0, 1
    return %1
}
";
    let mut module = kernel(body, helper);
    validate(&module, Stage::Imported).unwrap();
    let before = outputs(&module, &pairs());
    split_wide(&mut module, &Module::default());
    crate::passes::infer_spaces::infer_spaces(&mut module).unwrap();
    validate(&module, Stage::Optimized).unwrap_or_else(|problems| panic!("{}\n{}", problems[0], print(&module)));
    assert_eq!(outputs(&module, &pairs()), before);
}

#[test]
fn long_operations_are_calls() {
    let mut module = parse(
        "function @f -> f32 {
block0(%0: f32, %1: i128):
    %2 = ftos f32 %0 to i128
    %3 = udiv i128 %2, %1
    %4 = utof i128 %3 to f32
    return %4
}
",
    )
    .unwrap();
    split_wide(&mut module, &parse(LIBRARY).unwrap());
    validate(&module, Stage::Imported).unwrap();
    let printed = print(&module);
    let first = printed[printed.find("function @f").unwrap()..].split_inclusive("}\n").next().unwrap_or_default();
    assert_eq!(
        first,
        "function @f -> f32 {
block0(%0: f32, %1: i64, %2: i64):
    %3 = slot ptr type1
    %4 = slot ptr type1
    %5 = bitcast f32 %0 to i32
    call @i128_from_f32(%5, %3)
    %6 = load i64 %3
    %7 = offset ptr %3, 8
    %8 = load i64 %7
    call @u128_div(%6, %8, %1, %2, %4)
    %9 = load i64 %4
    %10 = offset ptr %4, 8
    %11 = load i64 %10
    %12 = call i32 @u128_to_f32(%9, %11)
    %13 = bitcast i32 %12 to f32
    return %13
}
"
    );
}
