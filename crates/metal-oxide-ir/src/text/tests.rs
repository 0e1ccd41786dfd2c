//! Tests that printing and parsing are inverse, and that bad text is refused with its line.

use super::{parse, print};

/// A module that uses every form of the grammar.
const EVERYTHING: &str = include_str!("everything.ir");

#[test]
fn printing_a_parsed_module_gives_its_text() {
    let module = parse(EVERYTHING).unwrap();
    assert_eq!(print(&module), EVERYTHING);
}

#[test]
fn names_of_uses_are_ignored_and_values_are_numbered_anew() {
    let text = "function @f {\nblock0(%7.x: i32):\n    %9 = add i32 %7.x, %7\n    return\n}\n";
    let printed = print(&parse(text).unwrap());
    assert_eq!(printed, "function @f {\nblock0(%0.x: i32):\n    %1 = add i32 %0, %0\n    return\n}\n");
}

#[test]
fn errors_name_the_line_and_what_was_expected() {
    let check = |text: &str, expected: &str| assert_eq!(parse(text).unwrap_err().to_string(), expected);
    check("function @f {\nblock0:\n    %1 = plus i32 1, 2\n}", "line 3: expected an operation");
    check("function @f {\nblock0:\n    br block7\n}", "line 3: expected a block of the function");
    check("function @f {\nblock0:\n    return %4\n}", "line 3: `%4` is not defined");
    check("kernel @k(a: texture type0) {", "line 1: expected `buffer`, `scalar` or `aggregate`");
    check("site site0 = bounds \"a", "line 1: the string does not end");
    check("function @f {\nblock0:\n    %1 = load i32 0\n}", "line 3: expected a value or a typed constant, such as `0:i64`");
}
