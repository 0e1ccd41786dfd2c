//! Checks that must go, and checks that must stay.

use crate::FunctionId;
use crate::passes::{Prove, remaining_checks, run_on};
use crate::text::{parse, print};
use crate::validate::{Stage, validate};

const TABLES: &str = r#"
site site0 = bounds "a.rs" 1 1 ""
site site1 = bounds "a.rs" 2 1 ""
site site2 = bounds "a.rs" 3 1 ""
site site3 = bounds "a.rs" 4 1 ""
type type0 = "f32" size 4 align 4 scalar f32
type type1 = "u32" size 4 align 4 scalar i32
type type2 = "usize" size 8 align 8 scalar i64
"#;

/// The sites of checks that remain in the last function of a module after proving.
fn remaining(text: &str) -> Vec<usize> {
    let mut module = parse(&format!("{TABLES}{text}")).unwrap();
    validate(&module, Stage::Imported).unwrap_or_else(|problems| panic!("{}", problems[0]));
    let last = FunctionId::new(module.functions.len() - 1);
    run_on(&mut module, last, &Prove::default());
    validate(&module, Stage::Imported).unwrap_or_else(|problems| panic!("{}\n{}", problems[0], print(&module)));
    let mut sites: Vec<_> = remaining_checks(&module).iter().map(|check| check.site.index()).collect();
    sites.sort_unstable();
    sites
}

/// The body of a kernel `(a: &[f32], out: &mut [f32], w: u32, h: u32)` as `%0: ptr, %1: len, %2: ptr, %3: len, %4: w, %5: h`.
fn kernel(body: &str) -> String {
    format!(
        "kernel @k(a: buffer type0, out: buffer mut type0, w: scalar type1, h: scalar type1) {{
         block0(%0: ptr<device>, %1: i64, %2: ptr<device>, %3: i64, %4: i32, %5: i32):
         {body}
         block90:\n fail site0\n block91:\n fail site1\n block92:\n fail site2\n block93:\n fail site3\n}}"
    )
}

#[track_caller]
fn check(body: &str, sites: &[usize]) {
    assert_eq!(remaining(&kernel(body)), sites);
}

const INDEX: &str = "%10 = coordinate thread_in_grid.x\n %11 = zext i32 %10 to i64\n";
const SAME_LENGTHS: &str = "%12 = eq i64 %1, %3\n assume %12\n";
/// `%13 = w as usize, %14 = h as usize`, and `out.len() == w * h`.
const AREA: &str = "%13 = zext i32 %4 to i64\n %14 = zext i32 %5 to i64\n %15 = mul i64 %13, %14\n %16 = eq i64 %15, %3\n assume %16\n";

#[test]
fn equal_lengths() {
    let body = |assume: &str, operator: &str| {
        format!(
            "{INDEX}{assume} %20 = ult i64 %11, %3\n cond_br %20, block1, block2
             block1:\n %21 = {operator} i64 %11, %1\n cond_br %21, block3, block90
             block3:\n return
             block2:\n return"
        )
    };
    check(&body(SAME_LENGTHS, "ult"), &[]);
    check(&body("", "ult"), &[0]);
    check(&body("%12 = uge i64 %1, %3\n assume %12\n", "ult"), &[]);
    check(&body("%12 = ule i64 %1, %3\n assume %12\n", "ult"), &[0]);
}

#[test]
fn counting_loops() {
    // for i in start..len, with the accesses i - 1, i and i + 1.
    let body = |start: &str, end: &str| {
        format!(
            "%20 = sub i64 %3, 1\n %21 = ugt i64 %3, 1\n cond_br %21, block1, block9
             block1:\n br block2({start}:i64)
             block2(%22: i64):\n %23 = ult i64 %22, {end}\n cond_br %23, block3, block9
             block3:\n %24 = ult i64 %22, %3\n cond_br %24, block4, block90
             block4:\n %25 = sub i64 %22, 1\n %26 = ult i64 %25, %3\n cond_br %26, block5, block91
             block5:\n %27 = add i64 %22, 1\n %28 = ult i64 %27, %3\n cond_br %28, block6, block92
             block6:\n %29 = add i64 %22, 1\n br block2(%29)
             block9:\n return"
        )
    };
    check(&body("1", "%20"), &[]);
    check(&body("0", "%20"), &[1]);
    check(&body("1", "%3"), &[2]);
}

#[test]
fn loops_that_test_for_inequality_or_count_down() {
    check(
        "br block1(0:i64)
         block1(%20: i64):\n %21 = eq i64 %20, %3\n cond_br %21, block9, block2
         block2:\n %22 = ult i64 %20, %3\n cond_br %22, block3, block90
         block3:\n %23 = add i64 %20, 1\n br block1(%23)
         block9:\n return",
        &[],
    );
    // Steps of two may jump over an odd length.
    check(
        "br block1(0:i64)
         block1(%20: i64):\n %21 = eq i64 %20, %3\n cond_br %21, block9, block2
         block2:\n %22 = ult i64 %20, %3\n cond_br %22, block3, block90
         block3:\n %23 = add i64 %20, 2\n br block1(%23)
         block9:\n return",
        &[0],
    );
    check(
        "br block1(%3)
         block1(%20: i64):\n %21 = eq i64 %20, 0\n cond_br %21, block9, block2
         block2:\n %22 = sub i64 %20, 1\n %23 = ult i64 %22, %3\n cond_br %23, block3, block90
         block3:\n br block1(%22)
         block9:\n return",
        &[],
    );
    // Tested at the end, so that the first round is not guarded.
    let bottom = |guard: &str| {
        format!(
            "%19 = {guard} i64 %3, 0\n cond_br %19, block9, block5
             block5:\n br block1(0:i64)
             block1(%20: i64):\n %22 = ult i64 %20, %3\n cond_br %22, block3, block90
             block3:\n %23 = add i64 %20, 1\n %24 = ult i64 %23, %3\n cond_br %24, block1(%23), block9
             block9:\n return"
        )
    };
    check(&bottom("eq"), &[]);
    check(&bottom("ult"), &[0]);
}

#[test]
fn signed_counters() {
    // for i in 0..n as i32, and `i as usize` below the length that was compared with n.
    let body = |start: i32| {
        format!(
            "%19 = zext i32 %4 to i64\n %20 = ule i64 %19, %3\n cond_br %20, block1, block9
             block1:\n br block2({start}:i32)
             block2(%21: i32):\n %22 = slt i32 %21, %4\n cond_br %22, block3, block9
             block3:\n %23 = sext i32 %21 to i64\n %24 = ult i64 %23, %3\n cond_br %24, block4, block90
             block4:\n %25 = add i32 %21, 1\n br block2(%25)
             block9:\n return"
        )
    };
    check(&body(0), &[]);
    check(&body(-1), &[0]);
}

#[test]
fn clamped_neighbours() {
    // (x as isize + dx).clamp(0, w - 1) as usize, with dx in -1..=1.
    let body = |low: i32, high: i32| {
        format!(
            "{INDEX} %20 = ult i64 %11, %3\n cond_br %20, block1, block9
             block1:\n br block2(-1:i64)
             block2(%21: i64):\n %22 = sle i64 %21, 1\n cond_br %22, block3, block9
             block3:\n %23 = add i64 %11, %21\n %24 = smax i64 %23, {low}\n %25 = sub i64 %3, {high}\n %26 = smin i64 %24, %25
                 %27 = ult i64 %26, %3\n cond_br %27, block4, block90
             block4:\n %28 = add i64 %21, 1\n br block2(%28)
             block9:\n return"
        )
    };
    check(&body(0, 1), &[]);
    check(&body(0, 0), &[0]);
    check(&body(-1, 1), &[0]);
}

#[test]
fn rows_and_columns_of_a_flat_index() {
    // column = index % w, row = index / w: both checks of the division, then the accesses of the blur along rows and along columns.
    let rows = |last: &str| {
        format!(
            "{INDEX}{AREA} %20 = ult i64 %11, %3\n cond_br %20, block1, block9
             block1:\n %21 = eq i64 %13, 0\n cond_br %21, block90, block2
             block2:\n %22 = urem i64 %11, %13\n %23 = sub i64 %11, %22\n br block3(0:i64)
             block3(%24: i64):\n %25 = ult i64 %24, %1\n cond_br %25, block4, block9
             block4:\n %26 = add i64 %22, %24\n %27 = lshr i64 %1, 1\n %28 = usubsat i64 %26, %27\n %29 = sub i64 %13, {last}
                 %30 = umin i64 %28, %29\n %31 = add i64 %23, %30\n %32 = ult i64 %31, %3\n cond_br %32, block5, block91
             block5:\n %33 = add i64 %24, 1\n br block3(%33)
             block9:\n return"
        )
    };
    check(&rows("1"), &[]);
    check(&rows("0"), &[1]);
    check(
        &format!(
            "{INDEX}{AREA} %20 = ult i64 %11, %3\n cond_br %20, block1, block9
             block1:\n %21 = eq i64 %13, 0\n cond_br %21, block90, block2
             block2:\n %22 = urem i64 %11, %13\n %23 = udiv i64 %11, %13\n br block3(0:i64)
             block3(%24: i64):\n %25 = ult i64 %24, %1\n cond_br %25, block4, block9
             block4:\n %26 = add i64 %23, %24\n %28 = usubsat i64 %26, 5\n %29 = sub i64 %14, 1
                 %30 = umin i64 %28, %29\n %31 = mul i64 %30, %13\n %32 = add i64 %31, %22\n %34 = ult i64 %32, %3\n cond_br %34, block5, block91
             block5:\n %33 = add i64 %24, 1\n br block3(%33)
             block9:\n return"
        ),
        &[],
    );
}

#[test]
fn transposed_index() {
    // out[column * h + row] for index = row * w + column.
    let body = |factor: &str| {
        format!(
            "{INDEX}{AREA} %20 = ult i64 %11, %3\n cond_br %20, block1, block9
             block1:\n %21 = eq i64 %13, 0\n cond_br %21, block90, block2
             block2:\n %22 = urem i64 %11, %13\n %23 = udiv i64 %11, %13\n %24 = mul i64 %22, {factor}\n %25 = add i64 %24, %23
                 %26 = ult i64 %25, %3\n cond_br %26, block3, block91
             block3:\n return
             block9:\n return"
        )
    };
    check(&body("%14"), &[]);
    check(&body("%13"), &[1]);
}

#[test]
fn two_dimensional_guards() {
    // if x < w && y < h { out[y * w + x] }, in 64 bits and in 32 bits, which may wrap but never past the length.
    let body = |multiply: &str| {
        format!(
            "{AREA} %20 = coordinate thread_in_grid.x\n %21 = coordinate thread_in_grid.y\n %22 = ult i32 %20, %4\n cond_br %22, block1, block9
             block1:\n %23 = ult i32 %21, %5\n cond_br %23, block2, block9
             block2:\n {multiply}\n %32 = ult i64 %31, %3\n cond_br %32, block3, block90
             block3:\n return
             block9:\n return"
        )
    };
    let wide = "%25 = zext i32 %20 to i64\n %26 = zext i32 %21 to i64\n %27 = mul i64 %26, %13\n %31 = add i64 %27, %25";
    check(&body(wide), &[]);
    check(&body("%25 = mul i32 %21, %4\n %26 = add i32 %25, %20\n %31 = zext i32 %26 to i64"), &[]);
    let exchanged = "%25 = zext i32 %20 to i64\n %26 = zext i32 %21 to i64\n %27 = mul i64 %25, %13\n %31 = add i64 %27, %26";
    check(&body(exchanged), &[0]);
}

#[test]
fn matrix_product() {
    // c[row * n + column] += a[row * k + i] * b[i * n + column], square matrices of w * w.
    let body = "%13 = zext i32 %4 to i64\n %15 = mul i64 %13, %13\n %16 = eq i64 %15, %3\n assume %16\n %17 = eq i64 %15, %1\n assume %17
         %20 = coordinate thread_in_grid.x\n %21 = coordinate thread_in_grid.y\n %22 = zext i32 %20 to i64\n %23 = zext i32 %21 to i64
             %24 = ult i64 %22, %13\n %25 = ult i64 %23, %13\n %26 = and bool %24, %25\n cond_br %26, block1, block9
         block1:\n br block2(0:i64)
         block2(%27: i64):\n %28 = ult i64 %27, %13\n cond_br %28, block3, block6
         block3:\n %29 = mul i64 %23, %13\n %30 = add i64 %29, %27\n %31 = ult i64 %30, %1\n cond_br %31, block4, block90
         block4:\n %32 = mul i64 %27, %13\n %33 = add i64 %32, %22\n %34 = ult i64 %33, %3\n cond_br %34, block5, block91
         block5:\n %35 = add i64 %27, 1\n br block2(%35)
         block6:\n %36 = mul i64 %23, %13\n %37 = add i64 %36, %22\n %38 = ult i64 %37, %3\n cond_br %38, block7, block92
         block7:\n return
         block9:\n return";
    check(body, &[]);
}

#[test]
fn products_of_wide_parameters_need_a_promise_that_they_do_not_wrap() {
    let body = |promise: &str| {
        format!(
            "kernel @k(out: buffer mut type0, w: scalar type2, h: scalar type2) {{
             block0(%0: ptr<device>, %1: i64, %2: i64, %3: i64):
                 {promise} %4 = mul i64 %2, %3\n %5 = eq i64 %4, %1\n assume %5
                 %6 = coordinate thread_in_grid.x\n %7 = zext i32 %6 to i64\n %8 = coordinate thread_in_grid.y\n %9 = zext i32 %8 to i64
                 %10 = ult i64 %7, %2\n cond_br %10, block1, block9
             block1:\n %11 = ult i64 %9, %3\n cond_br %11, block2, block9
             block2:\n %12 = mul i64 %9, %2\n %13 = add i64 %12, %7\n %14 = ult i64 %13, %1\n cond_br %14, block3, block8
             block3:\n return
             block8:\n fail site0
             block9:\n return\n}}"
        )
    };
    assert_eq!(remaining(&body("%20 = umulh i64 %2, %3\n %21 = eq i64 %20, 0\n assume %21\n")), [0; 0]);
    assert_eq!(remaining(&body("")), [0]);
}

#[test]
fn masks_remainders_and_shifts() {
    let body = |index: &str, length: u32| {
        format!(
            "%19 = uge i64 %3, {length}\n cond_br %19, block1, block9
             block1:\n {INDEX} {index}\n %21 = ult i64 %20, %3\n cond_br %21, block2, block90
             block2:\n return
             block9:\n return"
        )
    };
    check(&body("%20 = and i64 %11, 255", 256), &[]);
    check(&body("%20 = and i64 %11, 255", 255), &[0]);
    check(&body("%20 = urem i64 %11, 48", 48), &[]);
    check(&body("%20 = lshr i64 %11, 24", 256), &[]);
    check(&body("%20 = umin i64 %11, 99", 100), &[]);
    check(&body("%18 = and i64 %11, 15\n %17 = shl i64 %18, 4\n %16 = lshr i64 %11, 28\n %20 = or i64 %17, %16", 256), &[]);
    check(&body("%18 = and i64 %11, 31\n %17 = shl i64 %18, 4\n %16 = lshr i64 %11, 28\n %20 = or i64 %17, %16", 256), &[0]);
    check(&body("%18 = lshr i64 %11, 3\n %17 = shl i64 %18, 3\n %16 = sub i64 %11, %17\n %20 = add i64 %16, 1", 9), &[]);
    check(&body("%18 = ctlz i32 %10\n %20 = zext i32 %18 to i64", 33), &[]);
    check(&body("%18 = ctlz i32 %10\n %20 = zext i32 %18 to i64", 32), &[0]);
    // The remainder by the length itself, whose division the check guards.
    check(&body("%20 = urem i64 %11, %3", 1), &[]);
}

#[test]
fn wrapping_is_not_looked_through() {
    // x + y < len says nothing of x if the sum may wrap.
    check(
        "%20 = zext i32 %4 to i64\n %21 = shl i64 %20, 32\n %22 = zext i32 %5 to i64\n %23 = shl i64 %22, 32\n %24 = add i64 %21, %23
             %25 = ult i64 %24, %3\n cond_br %25, block1, block9
         block1:\n %26 = ult i64 %21, %3\n cond_br %26, block2, block90
         block2:\n return
         block9:\n return",
        &[0],
    );
    // In 32 bits `w - 1` of zero is the largest number.
    check(
        "%20 = sub i32 %4, 1\n %21 = ult i32 %20, %5\n cond_br %21, block1, block9
         block1:\n %22 = ult i32 %4, %5\n cond_br %22, block2, block90
         block2:\n return
         block9:\n return",
        &[0],
    );
    check(
        "%19 = eq i32 %4, 0\n cond_br %19, block9, block3
         block3:\n %20 = sub i32 %4, 1\n %21 = ult i32 %20, %5\n cond_br %21, block1, block9
         block1:\n %22 = ule i32 %4, %5\n cond_br %22, block2, block90
         block2:\n return
         block9:\n return",
        &[],
    );
    // A signed comparison says nothing of negative numbers as indices.
    check(
        "%20 = sext i32 %4 to i64\n %21 = slt i64 %20, %3\n cond_br %21, block1, block9
         block1:\n %22 = ult i64 %20, %3\n cond_br %22, block2, block90
         block2:\n return
         block9:\n return",
        &[0],
    );
    check(
        "%20 = sext i32 %4 to i64\n %21 = slt i64 %20, %3\n %23 = sge i32 %4, 0\n %24 = and bool %21, %23\n cond_br %24, block1, block9
         block1:\n %22 = ult i64 %20, %3\n cond_br %22, block2, block90
         block2:\n return
         block9:\n return",
        &[],
    );
}

#[test]
fn strided_and_paired_counters() {
    // step_by: the value grows by 4 while the count falls by 1, from len / 4.
    check(
        "%20 = lshr i64 %3, 2\n br block1(0:i64, %20)
         block1(%21: i64, %22: i64):\n %23 = eq i64 %22, 0\n cond_br %23, block9, block2
         block2:\n %24 = add i64 %21, 3\n %25 = ult i64 %24, %3\n cond_br %25, block3, block90
         block3:\n %26 = add i64 %21, 4\n %27 = sub i64 %22, 1\n br block1(%26, %27)
         block9:\n return",
        &[],
    );
    // An address walks over a slice while a counter indexes another one of the same length.
    let walk = |assume: &str| {
        format!(
            "{assume} %20 = element ptr<device> type0, %0, %1\n br block1(%0, 0:i64)
             block1(%21: ptr<device>, %22: i64):\n %23 = eq ptr<device> %21, %20\n cond_br %23, block9, block2
             block2:\n %24 = ult i64 %22, %3\n cond_br %24, block3, block90
             block3:\n %25 = element ptr<device> type0, %21, 1\n %26 = add i64 %22, 1\n br block1(%25, %26)
             block9:\n return"
        )
    };
    check(&walk(SAME_LENGTHS), &[]);
    check(&walk(""), &[0]);
    // A row's start moves by the width.
    check(
        &format!(
            "{AREA} br block1(0:i64, 0:i64)
             block1(%20: i64, %21: i64):\n %22 = ult i64 %20, %14\n cond_br %22, block2, block9
             block2:\n br block3(0:i64)
             block3(%23: i64):\n %24 = ult i64 %23, %13\n cond_br %24, block4, block6
             block4:\n %25 = add i64 %21, %23\n %26 = ult i64 %25, %3\n cond_br %26, block5, block90
             block5:\n %27 = add i64 %23, 1\n br block3(%27)
             block6:\n %28 = add i64 %20, 1\n %29 = add i64 %21, %13\n br block1(%28, %29)
             block9:\n return"
        ),
        &[],
    );
}

#[test]
fn binary_search() {
    check(
        "br block1(0:i64, %3)
         block1(%20: i64, %21: i64):\n %22 = ult i64 %20, %21\n cond_br %22, block2, block9
         block2:\n %23 = add i64 %20, %21\n %24 = lshr i64 %23, 1\n %25 = ult i64 %24, %3\n cond_br %25, block3, block90
         block3:\n %26 = element ptr<device> type0, %2, %24\n %27 = load f32 %26\n %28 = flt f32 %27, 1.0\n cond_br %28, block4, block5
         block4:\n %29 = add i64 %24, 1\n br block1(%29, %21)
         block5:\n br block1(%20, %24)
         block9:\n return",
        &[],
    );
    // core's own: `base` and `size`, without a branch.
    check(
        "%19 = eq i64 %3, 0\n cond_br %19, block9, block8
         block8:\n br block1(0:i64, %3)
         block1(%20: i64, %21: i64):\n %22 = ugt i64 %21, 1\n cond_br %22, block2, block6
         block2:\n %23 = lshr i64 %21, 1\n %24 = add i64 %20, %23\n %25 = ult i64 %24, %3\n cond_br %25, block3, block90
         block3:\n %26 = element ptr<device> type0, %2, %24\n %27 = load f32 %26\n %28 = flt f32 %27, 1.0
             %29 = select i64 %28, %20, %24\n %30 = sub i64 %21, %23\n br block1(%29, %30)
         block6:\n %31 = ult i64 %20, %3\n cond_br %31, block9, block91
         block9:\n return",
        &[],
    );
}

#[test]
fn a_table_walked_while_something_holds() {
    // let mut next = 1; while next < 5 && .. { next += 1 }; TABLE[next - 1], TABLE[next] of six entries.
    check(
        "br block1(1:i64)
         block1(%20: i64):\n %21 = ult i64 %20, 5\n cond_br %21, block2, block4
         block2:\n %22 = element ptr<device> type0, %0, %20\n %23 = load f32 %22\n %24 = flt f32 %23, 1.0\n cond_br %24, block3, block4
         block3:\n %25 = add i64 %20, 1\n br block1(%25)
         block4:\n %26 = sub i64 %20, 1\n %27 = ult i64 %26, 5\n cond_br %27, block5, block90
         block5:\n %28 = ult i64 %20, 6\n cond_br %28, block6, block91
         block6:\n %29 = ult i64 %20, 5\n cond_br %29, block7, block92
         block7:\n return",
        &[2],
    );
}

#[test]
fn block_and_thread_positions() {
    // block_idx * block_dim + thread_idx does not wrap, and is below the number of threads.
    check(
        "%20 = coordinate block_in_grid.x\n %21 = coordinate block_size.x\n %22 = coordinate thread_in_block.x\n %23 = coordinate grid_size.x
             %24 = mul i32 %20, %21\n %25 = add i32 %24, %22\n %26 = zext i32 %25 to i64
             %27 = zext i32 %21 to i64\n %28 = zext i32 %23 to i64\n %29 = mul i64 %27, %28\n %30 = ule i64 %29, %3\n cond_br %30, block1, block9
         block1:\n %31 = ult i64 %26, %3\n cond_br %31, block2, block90
         block2:\n %32 = ult i32 %22, %21\n cond_br %32, block3, block91
         block3:\n %33 = uge i32 %25, %22\n cond_br %33, block4, block92
         block4:\n %34 = ult i32 %20, %21\n cond_br %34, block9, block93
         block9:\n return",
        &[3],
    );
}

#[test]
fn conditions_joined_and_repeated() {
    check(
        &format!(
            "{INDEX} %20 = uge i64 %11, %3\n %21 = uge i64 %11, %1\n %22 = or bool %20, %21\n cond_br %22, block9, block1
             block1:\n %23 = ult i64 %11, %1\n cond_br %23, block2, block90
             block2:\n %24 = ult i64 %11, %3\n %25 = and bool %24, %23\n cond_br %25, block3, block91
             block3:\n %26 = add i64 %11, 1\n %27 = select bool %24, %23, false\n %28 = not bool %27\n cond_br %28, block92, block4
             block4:\n %29 = ult i64 %26, %3\n cond_br %29, block9, block93
             block9:\n return"
        ),
        &[3],
    );
    // A switch says what its value is, and what it is not.
    check(
        "switch i32 %4, 3: block1, 0: block9, default: block2
         block1:\n %20 = eq i32 %4, 3\n cond_br %20, block9, block90
         block2:\n %21 = ne i32 %4, 0\n cond_br %21, block3, block91
         block3:\n %22 = ne i32 %4, 3\n cond_br %22, block4, block92
         block4:\n %23 = ne i32 %4, 4\n cond_br %23, block9, block93
         block9:\n return",
        &[3],
    );
}

#[test]
fn an_undefined_value_is_two_values() {
    check(
        "%20 = ult i64 undef, %3\n cond_br %20, block1, block9
         block1:\n %21 = ult i64 undef, %3\n cond_br %21, block9, block90
         block9:\n return",
        &[0],
    );
}

#[test]
fn a_used_up_budget_keeps_checks() {
    let text = kernel(&format!(
        "{INDEX}{SAME_LENGTHS} %20 = ult i64 %11, %3\n cond_br %20, block1, block9
         block1:\n %21 = ult i64 %11, %1\n cond_br %21, block9, block90
         block9:\n return"
    ));
    let mut module = parse(&format!("{TABLES}{text}")).unwrap();
    assert!(!run_on(&mut module, FunctionId::new(0), &Prove { budget: 0 }));
    let needs: Vec<_> = remaining_checks(&module).into_iter().map(|check| check.needs).collect();
    assert_eq!(needs, ["thread_position().x < a.len()"]);
}
