//! Modules before and after, and pointers that would need two spaces.

use super::infer_spaces;
use crate::text::{parse, print};
use crate::validate::{Stage, validate};

const TABLES: &str = r#"type type0 = "u32" size 4 align 4 scalar i32
type type1 = "&u32" size 8 align 8 scalar ptr
type type2 = "(&u32, &u32)" size 16 align 8 struct { "_0" 0 type1, "_1" 8 type1 }
type type3 = "[&u32; 4]" size 32 align 8 array type1 4
global global0 = "TABLE" type0 "05000000"
global global1 = "REFERENCE" type1 "0000000000000000" 0: global0 + 0
"#;

/// The functions of a module after the pass, which must be valid.
fn settled(text: &str) -> String {
    let mut module = parse(&format!("{TABLES}{text}")).unwrap();
    validate(&module, Stage::Imported).unwrap();
    infer_spaces(&mut module).unwrap();
    let printed = print(&module);
    validate(&module, Stage::Optimized).unwrap_or_else(|problems| panic!("{}\n{printed}", problems[0]));
    printed[printed.find("\n\n").unwrap() + 2..].to_owned()
}

fn conflicts(text: &str) -> Vec<String> {
    let mut module = parse(&format!("{TABLES}{text}")).unwrap();
    validate(&module, Stage::Imported).unwrap();
    infer_spaces(&mut module).unwrap_err().iter().map(ToString::to_string).collect()
}

#[test]
fn roots_reach_through_arithmetic_selects_and_loops() {
    let text = "kernel @k(a: buffer type0, b: buffer mut type0, n: aggregate type0) {
block0(%0: ptr<device>, %1: i64, %2: ptr<device>, %3: i64, %4: ptr<constant>):
    %5 = spacecast ptr<device> %0 to ptr
    %6 = spacecast ptr<device> %2 to ptr
    %7 = eq i64 %1, 0
    %8 = select ptr %7, %5, %6
    %9 = spacecast ptr<constant> global0 to ptr
    %10 = load i32 %9
    br block1(%8)
block1(%11: ptr):
    %12 = element ptr type0, %11, %1
    %13 = load i32 %12
    %14 = eq ptr %12, 0
    %15 = slot ptr type0
    store i32 %10, %15
    cond_br %14, block1(%12), block2(0:ptr)
block2(%16: ptr):
    %17 = eq ptr %16, %15
    return
}
";
    assert_eq!(
        settled(text),
        "kernel @k(a: buffer type0, b: buffer mut type0, n: aggregate type0) {
block0(%0: ptr<device>, %1: i64, %2: ptr<device>, %3: i64, %4: ptr<constant>):
    %5 = eq i64 %1, 0
    %6 = select ptr<device> %5, %0, %2
    %7 = load i32 global0
    br block1(%6)
block1(%8: ptr<device>):
    %9 = element ptr<device> type0, %8, %1
    %10 = load i32 %9
    %11 = eq ptr<device> %9, 0x0
    %12 = slot ptr<thread> type0
    store i32 %7, %12
    cond_br %11, block1(%9), block2(0x0:ptr<thread>)
block2(%13: ptr<thread>):
    %14 = eq ptr<thread> %13, %12
    return
}
"
    );
}

#[test]
fn functions_are_cloned_for_each_combination() {
    let text = "kernel @k(a: buffer mut type0) {
block0(%0: ptr<device>, %1: i64):
    %2 = spacecast ptr<device> %0 to ptr
    %3 = slot ptr type0
    store i32 7, %3
    %4 = call ptr @second(%3, %2)
    %5 = load i32 %4
    %6 = call ptr @second(%2, %3)
    store i32 %5, %6
    %7 = call ptr @second(0x8:ptr, %2)
    return
}

function keep @second -> ptr {
block0(%0: ptr, %1: ptr):
    %2 = eq ptr %0, %1
    return %1
}
";
    assert_eq!(
        settled(text),
        "kernel @k(a: buffer mut type0) {
block0(%0: ptr<device>, %1: i64):
    %2 = slot ptr<thread> type0
    store i32 7, %2
    %3 = call ptr<device> @second(%2, %0)
    %4 = load i32 %3
    %5 = call ptr<thread> @second_2(%0, %2)
    store i32 %4, %5
    %6 = call ptr<device> @second(0x8:ptr<thread>, %0)
    return
}

function keep @second -> ptr<device> {
block0(%0: ptr<thread>, %1: ptr<device>):
    %2 = ptrtoint ptr<thread> %0 to i64
    %3 = ptrtoint ptr<device> %1 to i64
    %4 = eq i64 %2, %3
    return %1
}

function keep @second_2 -> ptr<thread> {
block0(%0: ptr<device>, %1: ptr<thread>):
    %2 = ptrtoint ptr<device> %0 to i64
    %3 = ptrtoint ptr<thread> %1 to i64
    %4 = eq i64 %2, %3
    return %1
}
"
    );
}

#[test]
fn pointers_in_memory_keep_their_fields_apart() {
    let text = "kernel @k(a: buffer mut type0) {
block0(%0: ptr<device>, %1: i64):
    %2 = spacecast ptr<device> %0 to ptr
    %3 = slot ptr type2
    %4 = slot ptr type0
    store i32 1, %4
    %5 = field ptr type2.1, %3
    store ptr %2, %3
    store ptr %4, %5
    %6 = slot ptr type2
    copy 16 align 8 %6, %3
    call @use(%6)
    %7 = slot ptr type3
    %8 = element ptr type1, %7, %1
    store ptr %2, %7
    %9 = load ptr %8
    store i32 2, %9
    return
}

function keep @use {
block0(%0: ptr):
    %1 = load ptr %0
    %2 = field ptr type2.1, %0
    %3 = load ptr %2
    %4 = load i32 %3
    store i32 %4, %1
    return
}
";
    let settled = settled(text);
    assert!(settled.contains("%2 = slot ptr<thread> type6\n"), "{settled}");
    assert!(settled.contains("%8 = load ptr<device> %7\n"), "{settled}");
    assert!(settled.contains("block0(%0: ptr<thread>):\n    %1 = load ptr<device> %0\n"), "{settled}");
    assert!(settled.contains("%3 = load ptr<thread> %2\n"), "{settled}");
}

#[test]
fn constant_tables_hold_constant_pointers() {
    let text = "kernel @k() {
block0:
    %0 = spacecast ptr<constant> global1 to ptr
    %1 = load ptr %0
    %2 = load i32 %1
    %3 = call i32 @read(%0)
    return
}

function @read -> i32 {
block0(%0: ptr):
    %1 = load ptr %0
    %2 = load i32 %1
    return %2
}
";
    let settled = settled(text);
    assert!(settled.contains("%0 = load ptr<constant> global1\n"), "{settled}");
    assert!(settled.contains("block0(%0: ptr<constant>):\n    %1 = load ptr<constant> %0\n"), "{settled}");
}

#[test]
fn an_address_that_went_through_an_integer_keeps_its_space() {
    let text = "kernel @k(a: buffer type0) {
block0(%0: ptr<device>, %1: i64):
    %2 = spacecast ptr<device> %0 to ptr
    %3 = ptrtoint ptr %2 to i64
    %4 = and i64 %3, -4
    %5 = inttoptr i64 %4 to ptr
    %6 = inttoptr i64 64 to ptr
    %7 = load i32 %5
    return
}
";
    let settled = settled(text);
    assert!(settled.contains("%4 = inttoptr i64 %3 to ptr<device>\n    %5 = inttoptr i64 64 to ptr<thread>\n"), "{settled}");
}

#[test]
fn two_spaces_are_reported_with_both_origins() {
    let text = "kernel @k(a: buffer type0) {
block0(%0: ptr<device>, %1: i64):
    %2 = spacecast ptr<device> %0 to ptr
    %3.local = slot ptr type0
    %4 = eq i64 %1, 0
    %5 = select ptr %4, %2, %3
    %6 = slot ptr type1
    store ptr %5, %6
    return
}
";
    let expected = "@k: one pointer would point to the variable `local` (thread) and to the buffer `a` (device)";
    assert_eq!(conflicts(text), [expected]);

    let text = "kernel @k(a: buffer type0) {
block0(%0: ptr<device>, %1: i64):
    %2 = spacecast ptr<device> %0 to ptr
    %3 = spacecast ptr<constant> global0 to ptr
    %4 = call ptr @either(%2, %3, true:bool)
    return
}

function @either -> ptr {
block0(%0: ptr, %1: ptr, %2: bool):
    cond_br %2, block1(%0), block1(%1)
block1(%3: ptr):
    return %3
}
";
    assert_eq!(conflicts(text), ["@k: one pointer would point to the constant `TABLE` (constant) and to the buffer `a` (device)"]);
}

#[test]
fn pointers_that_stay_in_values_are_split() {
    let text = "kernel @k(a: buffer type0) {
block0(%0: ptr<device>, %1: i64):
    %2 = spacecast ptr<device> %0 to ptr
    %3 = spacecast ptr<constant> global0 to ptr
    %4 = eq i64 %1, 0
    cond_br %4, block1(%3), block1(%2)
block1(%5: ptr):
    %6 = load i32 %5
    %7 = eq i32 %6, 3
    cond_br %7, block2, block1(%5)
block2:
    return
}
";
    assert_eq!(
        settled(text),
        "kernel @k(a: buffer type0) {
block0(%0: ptr<device>, %1: i64):
    %2 = eq i64 %1, 0
    cond_br %2, block1(0x0:ptr<device>, global0, 1:i32), block1(%0, 0x0:ptr<constant>, 0:i32)
block1(%3: ptr<device>, %4: ptr<constant>, %5: i32):
    %6 = eq i32 %5, 0
    cond_br %6, block4, block5
block2:
    return
block3(%7: i32):
    %8 = select i32 true, %7, %7
    %9 = eq i32 %8, 3
    cond_br %9, block2, block1(%3, %4, %5)
block4:
    %10 = load i32 %3
    br block3(%10)
block5:
    %11 = load i32 %4
    br block3(%11)
}
"
    );
}
