//! Functions before and after, with a library whose functions are easy to recognise.

use super::*;
use crate::text::{parse, print};
use crate::validate::{Stage, validate};

const LIBRARY: &str = "
function keep @f64_add -> i64 {
block0(%0: i64, %1: i64):
    %2 = call i64 @shared(%0)
    %3 = xor i64 %2, %1
    return %3
}

function keep @f64_sub -> i64 {
block0(%0: i64, %1: i64):
    %2 = call i64 @shared(%1)
    %3 = xor i64 %0, %2
    return %3
}

function keep @shared -> i64 {
block0(%0: i64):
    %1 = rotl i64 %0, 1
    return %1
}

function keep @f64_less -> bool {
block0(%0: i64, %1: i64):
    %2 = slt i64 %0, %1
    return %2
}

function keep @f64_equal -> bool {
block0(%0: i64, %1: i64):
    %2 = eq i64 %0, %1
    return %2
}

function keep @f64_from_f32 -> i64 {
block0(%0: i32):
    %1 = zext i32 %0 to i64
    return %1
}

function keep @f64_to_f32 -> i32 {
block0(%0: i64):
    %1 = trunc i64 %0 to i32
    return %1
}

function keep @f64_to_i64 -> i64 {
block0(%0: i64):
    return %0
}

function keep @f64_from_u64 -> i64 {
block0(%0: i64):
    return %0
}
";

/// The first function of a module after the pass, and the names of those that it then has.
fn softened(text: &str) -> (String, Vec<String>) {
    let mut module = parse(text).unwrap();
    validate(&module, Stage::Imported).unwrap();
    soften(&mut module, &parse(LIBRARY).unwrap());
    let printed = print(&module);
    validate(&module, Stage::Optimized).unwrap_or_else(|problems| panic!("{}\n{printed}", problems[0]));
    let first = printed.split_inclusive("}\n").next().unwrap_or_default();
    (first.to_owned(), module.functions.iter().map(|function| function.name.clone()).collect())
}

#[test]
fn operations_become_calls_and_values_bits() {
    let (function, names) = softened(
        "function @f -> f32 {
block0(%0: f32, %1: i32):
    %2 = ftof f32 %0 to f64
    %3 = fadd f64 %2, 0x3ff0000000000000
    %4 = flt f64 %2, %3
    cond_br %4, block1(%3), block1(0x4000000000000000:f64)
block1(%5: f64):
    %6 = fneg f64 %5
    %7 = fne f64 %6, %5
    %8 = utof i32 %1 to f64
    %9 = select f64 %7, %6, %8
    %10 = ftof f64 %9 to f32
    return %10
}
",
    );
    assert_eq!(
        function,
        "function @f -> f32 {
block0(%0: f32, %1: i32):
    %2 = bitcast f32 %0 to i32
    %3 = call i64 @f64_from_f32(%2)
    %4 = call i64 @f64_add(%3, 4607182418800017408:i64)
    %5 = call bool @f64_less(%3, %4)
    cond_br %5, block1(%4), block1(4611686018427387904:i64)
block1(%6: i64):
    %7 = xor i64 %6, -9223372036854775808
    %8 = call bool @f64_equal(%7, %6)
    %9 = not bool %8
    %10 = zext i32 %1 to i64
    %11 = call i64 @f64_from_u64(%10)
    %12 = select i64 %9, %7, %11
    %13 = call i32 @f64_to_f32(%12)
    %14 = bitcast i32 %13 to f32
    return %14
}
"
    );
    assert_eq!(names, ["f", "f64_from_f32", "f64_add", "shared", "f64_less", "f64_equal", "f64_from_u64", "f64_to_f32"]);
}

#[test]
fn narrow_integers_saturate() {
    let (function, _) = softened(
        "function @f -> i8 {
block0(%0: f64):
    %1 = ftos f64 %0 to i8
    return %1
}
",
    );
    assert_eq!(
        function,
        "function @f -> i8 {
block0(%0: i64):
    %1 = call i64 @f64_to_i64(%0)
    %2 = smin i64 %1, 127
    %3 = smax i64 %2, -128
    %4 = trunc i64 %3 to i8
    return %4
}
"
    );
}

#[test]
fn bits_need_no_conversion_and_names_stay_apart() {
    let (function, names) = softened(
        "function @f -> f64 {
block0(%0: i64):
    %1 = bitcast i64 %0 to f64
    %2 = fsub f64 %1, %1
    %3 = call f64 @f64_sub(%2)
    return %3
}

function @f64_sub -> f64 {
block0(%0: f64):
    %1 = bitcast f64 %0 to i64
    %2 = add i64 %1, 1
    %3 = bitcast i64 %2 to f64
    return %3
}
",
    );
    assert_eq!(
        function,
        "function @f -> i64 {
block0(%0: i64):
    %1 = call i64 @f64_sub_2(%0, %0)
    %2 = call i64 @f64_sub(%1)
    return %2
}
"
    );
    assert_eq!(names, ["f", "f64_sub", "f64_sub_2", "shared"]);
}

#[test]
fn half_widths_and_functions_of_the_standard_library_are_not_replaced() {
    let module = parse(
        "function @f {
block0(%0: f64, %1: f16):
    %2 = fma f64 %0, %0, %0
    %3 = ftof f16 %1 to f64
    return
}
",
    )
    .unwrap();
    let function = &module.functions[0];
    for &id in &function.blocks[0].instructions {
        let instruction = function.instruction(id);
        assert!(!can_soften(function, &instruction.operation, instruction.result.map(|value| function.ty(value))));
    }
}
