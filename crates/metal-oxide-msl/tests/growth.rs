//! Printing takes time that grows about as the kernel does.

use std::time::{Duration, Instant};

use metal_oxide_ir::Module;
use metal_oxide_msl::{EmitOptions, emit};

const START: &str = "\
type type0 = \"u32\" size 4 align 4 scalar i32
site site0 = bounds \"a\" 1 1 \"\"

kernel @k(data: buffer mut type0, n: scalar type0) {
block0(%0.data: ptr<device>, %1: i64, %2.n: i32):
    br block10(%2)
";

/// A loop with a check and a choice in each round. `#` stands for its number, which the numbers in it begin with; `INNER` and `AFTER` are filled in.
const LOOP: &str = "\
block#0(%#00: i32):
    br block#1(0:i32, %#00)
block#1(%#01: i32, %#02: i32):
    %#03 = ult i32 %#01, %2
    cond_br %#03, block#2, block#5
block#2:
    %#04 = zext i32 %#02 to i64
    %#05 = ult i64 %#04, %1
    cond_br %#05, block#3, block#7
block#3:
    %#06 = element ptr<device> type0, %0, %#04
    %#07 = load i32 %#06
    %#08 = eq i32 %#07, 0
    cond_br %#08, block#4(%#07), block#4(%#02)
block#4(%#09: i32):
    store i32 %#09, %#06
    br INNER
block#6(%#11: i32):
    %#10 = add i32 %#01, 1
    br block#1(%#10, %#11)
block#5:
    AFTER
block#7:
    fail site0
";

/// A kernel with `count` loops, one behind the other or inside one another.
fn kernel(count: usize, nested: bool) -> Module {
    let mut text = String::from(START);
    for index in 1..=count {
        let inside = if nested && index < count { format!("block{}0(%#09)", index + 1) } else { "block#6(%#09)".to_owned() };
        let after = match nested {
            false if index < count => format!("br block{}0(%#02)", index + 1),
            true if index > 1 => format!("br block{}6(%#02)", index - 1),
            _ => "return".to_owned(),
        };
        let part = LOOP.replace("INNER", &inside).replace("AFTER", &after);
        text.push_str(&part.replace('#', &index.to_string()));
    }
    text.push_str("}\n");
    metal_oxide_ir::text::parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// The shortest of a few measurements: other work on the machine only adds to it.
fn time(module: &Module) -> Duration {
    let measure = |_| {
        let start = Instant::now();
        assert!(!emit(module, &EmitOptions::default()).msl.is_empty());
        start.elapsed()
    };
    (0..3).map(measure).min().expect("there are measurements")
}

#[test]
fn four_times_the_loops_take_about_four_times_as_long() {
    let (small, large) = (time(&kernel(100, false)), time(&kernel(400, false)));
    assert!(large < small * 10, "{small:?} became {large:?}");
}

#[test]
fn deep_nesting_is_printed() {
    assert!(emit(&kernel(200, true), &EmitOptions::default()).msl.contains("for ("));
}
