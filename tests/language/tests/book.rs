//! The tables of `book/semantics.md` as a test: this file turns each row into a function of `tests/semantics.rs`, which runs them.
//! `METAL_OXIDE_BLESS=1` writes that file anew.

use std::fmt::Write;
use std::path::Path;
use std::{env, fs};

/// A row of a table.
struct Row {
    left: String,
    right: String,
    result_type: String,
    a: String,
    b: String,
    expression: String,
    result: String,
}

#[test]
fn the_semantics_chapter_and_its_test_say_the_same() {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    let chapter = fs::read_to_string(package.join("../../book/semantics.md")).expect("the chapter is there");
    let rows: Vec<Row> = chapter.lines().filter_map(row).collect();
    assert!(rows.len() > 100, "the tables were not understood");
    let generated = generate(&rows);
    let path = package.join("tests/semantics.rs");
    if env::var_os("METAL_OXIDE_BLESS").is_some() {
        fs::write(&path, generated).expect("the test can be written");
        return;
    }
    assert!(
        fs::read_to_string(&path).is_ok_and(|found| found == generated),
        "tests/semantics.rs is not what book/semantics.md says: run `cargo xtask bless`"
    );
}

/// The cells of a line of a table, unless it is another line.
fn row(line: &str) -> Option<Row> {
    let line = line.strip_prefix("| `")?.strip_suffix("` |")?.replace("\\|", "¦");
    let cells: Vec<String> = line.split("` | `").map(|cell| cell.replace('¦', "|")).collect();
    let [types, a, b, expression, result] = <[String; 5]>::try_from(cells).ok()?;
    let (operands, result_type) = types.split_once(" → ").map_or((types.as_str(), None), |(operands, result)| (operands, Some(result)));
    let (left, right) = operands.split_once(", ").unwrap_or((operands, operands));
    let result_type = result_type.unwrap_or(left).to_owned();
    Some(Row { left: left.to_owned(), right: right.to_owned(), result_type, a, b, expression, result })
}

fn generate(rows: &[Row]) -> String {
    let mut functions = String::new();
    let mut arms = String::new();
    let mut table = String::new();
    for (number, Row { left, right, result_type, a, b, expression, result }) in rows.iter().enumerate() {
        let _ = writeln!(functions, "    pub fn row_{number}(a: {left}, b: {right}) -> {result_type} {{\n        {expression}\n    }}\n");
        let _ = writeln!(arms, "            {number} => row_{number}({left}::from_word(a), {right}::from_word(b)).to_word(),");
        let expected = if result == "fails" { "None".to_owned() } else { format!("Some(<{result_type}>::to_word({result}))") };
        let shown = format!("`{expression}` with a = `{a}`, b = `{b}`");
        let _ = writeln!(
            table,
            "        Row {{ a: <{left}>::to_word({a}), b: <{right}>::to_word({b}), expected: {expected}, text: {shown:?} }},"
        );
    }
    TEMPLATE.replace("FUNCTIONS", functions.trim_end()).replace("ARMS", arms.trim_end()).replace("TABLE", table.trim_end())
}

const TEMPLATE: &str = r#"//! Made from the tables of `book/semantics.md` by `tests/book.rs`: do not edit.
//! Each row runs on every engine with arguments that are only known at run time.

#![allow(clippy::all, reason = "the expressions are the chapter's")]

use kernels::Word;
use language_tests::engines;
use metal_oxide::{Error, LaunchConfig, Operation};

#[rustfmt::skip]
#[metal_oxide::kernels]
mod kernels {
    use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

    /// Values as 64 bits. All NaNs have one pattern, since Rust leaves their payload open.
    pub trait Word: Sized {
        /// The value of a word.
        fn from_word(word: u64) -> Self;
        /// The word of a value.
        fn to_word(self) -> u64;
    }

    macro_rules! integers {
        ($($ty:ty)*) => {$(
            impl Word for $ty {
                fn from_word(word: u64) -> Self {
                    word as $ty
                }
                fn to_word(self) -> u64 {
                    self as u64
                }
            }
        )*};
    }
    integers!(i8 u8 i16 u16 i32 u32 i64 u64 isize usize);

    impl Word for bool {
        fn from_word(word: u64) -> Self {
            word != 0
        }
        fn to_word(self) -> u64 {
            u64::from(self)
        }
    }

    impl Word for f32 {
        fn from_word(word: u64) -> Self {
            f32::from_bits(word as u32)
        }
        fn to_word(self) -> u64 {
            u64::from(if self.is_nan() { 0x7fc0_0000 } else { self.to_bits() })
        }
    }

FUNCTIONS

    pub fn run(row: u32, a: u64, b: u64) -> u64 {
        match row {
ARMS
            _ => 0,
        }
    }

    #[kernel]
    pub fn run_row(row: u32, arguments: ReadBuffer<u64>, mut out: DisjointBuffer<u64>) {
        if let Some(out) = out.get_mut(&thread_index()) {
            *out = run(row, arguments.as_slice()[0], arguments.as_slice()[1]);
        }
    }
}

/// A row of the chapter.
struct Row {
    a: u64,
    b: u64,
    /// The result, unless the row fails.
    expected: Option<u64>,
    text: &'static str,
}

#[test]
fn a1_to_a6_each_row_of_the_chapter_is_true_on_every_engine() {
    for device in engines() {
        for (number, row) in rows().iter().enumerate() {
            let arguments = device.buffer_from_slice(&[row.a, row.b]).unwrap();
            let mut out = device.buffer_zeroed::<u64>(1).unwrap();
            let config = LaunchConfig::<32>::for_elements(1).unwrap();
            let result = kernels::run_row(&device, config, number as u32, &arguments, &mut out).wait().map(drop);
            let actual = match result {
                Ok(()) => Some(out.read().wait()[0]),
                Err(Error::KernelFailed { .. }) => None,
                Err(other) => panic!("{other}"),
            };
            assert_eq!(actual, row.expected, "{} on {}", row.text, device.name());
        }
    }
}

#[rustfmt::skip]
fn rows() -> Vec<Row> {
    vec![
TABLE
    ]
}
"#;
