//! Small kernels: what they compute, and which violations are noticed.

use super::{Failure, Launch, Limits, Outcome, ViolationKind, run};
use crate::text::parse;
use crate::validate::{Stage, validate};
use crate::{SiteId, Space};

const TABLES: &str = r#"
site site0 = bounds "src/main.rs" 3 5 ""
type type0 = "f32" size 4 align 4 scalar f32
type type1 = "u32" size 4 align 4 scalar i32
type type2 = "[u32; 4]" size 16 align 4 array type1 4
type type3 = "u64" size 8 align 8 scalar i64
type type4 = "Pair" size 8 align 4 struct { "a" 0 type1, "b" 4 type1 }
global global0 = "TABLE" type2 "05000000060000000700000008000000"
global global1 = "POINTER" type3 "0000000000000000" 0: global0 + 8
"#;

fn words(values: &[u32]) -> Vec<u8> {
    values.iter().flat_map(|value| value.to_le_bytes()).collect()
}

/// Runs the kernel `@k` of a module with `TABLES`.
fn execute(text: &str, buffers: &mut [Vec<u8>], values: &[Vec<u8>], launch: Launch) -> Result<Outcome, ViolationKind> {
    let module = parse(&format!("{TABLES}{text}")).unwrap();
    validate(&module, Stage::Imported).unwrap();
    run(&module, "k", buffers, values, launch, Limits { steps: 10_000, depth: 8 }).map_err(|violation| violation.kind)
}

/// What the body of a kernel with a writable buffer of four `u32` does wrong.
fn violation(body: &str) -> ViolationKind {
    let text = format!("kernel @k(out: buffer mut type1) {{\nblock0(%0.out: ptr<device>, %1: i64):\n{body}\n}}");
    execute(&text, &mut [words(&[0; 4])], &[], Launch::linear(1, 1)).unwrap_err()
}

#[test]
fn threads_write_their_elements_and_the_rest_fails() {
    let text = "kernel @k(out: buffer mut type1, add: scalar type1) {
        block0(%0.out: ptr<device>, %1: i64, %2: i32):
            %3 = coordinate thread_in_grid.x
            %4 = zext i32 %3 to i64
            %5 = ult i64 %4, %1
            cond_br %5, block1, block2
        block1:
            %6 = element ptr<device> type1, %0, %4
            %7 = load i32 %6
            %8 = call i32 @sum(%7, %2)
            store i32 %8, %6
            return
        block2:
            fail site0
        }
        function @sum -> i32 {
        block0(%0: i32, %1: i32):
            %2 = add i32 %0, %1
            return %2
        }";
    let mut buffers = [words(&[1, 2, 3])];
    let outcome = execute(text, &mut buffers, &[words(&[10])], Launch::linear(2, 2)).unwrap();
    assert_eq!(buffers[0], words(&[11, 12, 13]));
    assert_eq!(outcome.failures, [Failure { site: SiteId::new(0), thread: [1, 0, 0], block: [1, 0, 0] }]);
    assert_eq!(outcome.undefined, [Vec::<usize>::new()]);
}

#[test]
fn loops_slots_tables_and_parallel_moves() {
    // Copies the table into a slot, reverses two of its elements by swapping loop parameters, and follows the pointer in the other table.
    let text = "kernel @k(out: buffer mut type1, p: aggregate type4) {
        block0(%0.out: ptr<device>, %1: i64, %2: ptr<constant>):
            %3 = slot ptr<thread> type2
            copy 16 align 4 %3, global0
            %4 = load i32 %3
            %5 = field ptr<constant> type4.1, %2
            %6 = load i32 %5
            br block1(0:i64, %4, %6)
        block1(%7: i64, %8: i32, %9: i32):
            %10 = element ptr<device> type1, %0, %7
            store i32 %8, %10
            %11 = add i64 %7, 1
            %12 = ult i64 %11, 3
            cond_br %12, block1(%11, %9, %8), block2
        block2:
            %13 = load ptr<constant> global1
            %14 = load i32 %13
            %15 = element ptr<device> type1, %0, 3
            store i32 %14, %15
            return
        }";
    let mut buffers = [words(&[0; 4])];
    execute(text, &mut buffers, &[words(&[1, 2])], Launch::linear(1, 1)).unwrap();
    assert_eq!(buffers[0], words(&[5, 2, 5, 7]));
}

#[test]
fn coordinates_count_blocks_and_threads() {
    let text = "kernel @k(out: buffer mut type1) {
        block0(%0.out: ptr<device>, %1: i64):
            %2 = coordinate thread_in_grid.y
            %3 = coordinate thread_in_grid.x
            %4 = coordinate block_size.x
            %5 = coordinate grid_size.x
            %6 = mul i32 %4, %5
            %7 = mul i32 %2, %6
            %8 = add i32 %7, %3
            %9 = zext i32 %8 to i64
            %10 = element ptr<device> type1, %0, %9
            %11 = coordinate block_in_grid.x
            %12 = coordinate thread_in_block.y
            %13 = shl i32 %11, 4
            %14 = or i32 %13, %12
            store i32 %14, %10
            return
        }";
    let mut buffers = [words(&[9; 8])];
    execute(text, &mut buffers, &[], Launch { grid: [2, 1, 1], block: [2, 2, 1] }).unwrap();
    assert_eq!(buffers[0], words(&[0, 0, 0x10, 0x10, 1, 1, 0x11, 0x11]));
}

#[test]
fn padding_and_undefined_values_are_listed_not_reported() {
    let text = "kernel @k(out: buffer mut type1) {
        block0(%0.out: ptr<device>, %1: i64):
            store i32 undef, %0
            %2 = slot ptr type4
            %3 = field ptr type4.1, %2
            store i32 7, %3
            %4 = element ptr<device> type1, %0, 2
            copy 8 align 4 %4, %2
            return
        }";
    let outcome = execute(text, &mut [words(&[0; 4])], &[], Launch::linear(1, 1)).unwrap();
    assert_eq!(outcome.undefined, [vec![0, 1, 2, 3, 8, 9, 10, 11]]);
}

#[test]
fn bad_accesses_are_noticed() {
    assert_eq!(
        violation("%2 = element ptr<device> type1, %0, 4\nstore i32 0, %2\nreturn"),
        ViolationKind::OutOfBounds { offset: 16, bytes: 4, size: 16 }
    );
    assert_eq!(
        violation("%2 = offset ptr<device> %0, -1\n%3 = load i8 %2\nreturn"),
        ViolationKind::OutOfBounds { offset: -1, bytes: 1, size: 16 }
    );
    assert!(matches!(violation("%2 = offset ptr<device> %0, 2\nstore i32 0, %2\nreturn"), ViolationKind::Misaligned { align: 4, .. }));
    assert!(
        matches!(violation("store i64 0, %0\nreturn"), ViolationKind::Misaligned { align: 8, .. }),
        "buffers are aligned as their elements"
    );
    assert_eq!(violation("%2 = inttoptr i64 64 to ptr\n%3 = load i32 %2\nreturn"), ViolationKind::NoMemory(64));
    assert_eq!(
        violation("%2 = ptrtoint ptr<device> %0 to i64\n%3 = inttoptr i64 %2 to ptr<thread>\n%4 = load i32 %3\nreturn"),
        ViolationKind::WrongSpace { claimed: Space::Thread, actual: Space::Device }
    );
    assert_eq!(
        violation("%2 = spacecast ptr<constant> global0 to ptr\nstore i32 0, %2\nreturn").to_string(),
        "memory that is only read is written"
    );
    assert_eq!(violation("%2 = offset ptr<device> %0, 4\ncopy 8 align 4 %2, %0\nreturn"), ViolationKind::Overlap);
    let dangling =
        "%2 = call ptr @f()\n%3 = load i32 %2\nreturn\n}\nfunction @f -> ptr {\nblock0:\n%0 = slot ptr type1\nstore i32 1, %0\nreturn %0";
    assert_eq!(violation(dangling), ViolationKind::Dangling);
}

#[test]
fn undefined_values_must_not_decide() {
    let undefined = |body: &str| match violation(body) {
        ViolationKind::UndefinedValue(user) => user,
        other => panic!("{other}"),
    };
    let load = "%2 = slot ptr type1\n%3 = load i32 %2\n";
    assert_eq!(undefined(&format!("{load}%4 = ult i32 %3, 3\ncond_br %4, block1, block1\nblock1:\nreturn")), "a branch");
    assert_eq!(undefined(&format!("{load}switch i32 %3, default: block1\nblock1:\nreturn")), "a branch");
    assert_eq!(undefined(&format!("{load}%4 = zext i32 %3 to i64\n%5 = offset ptr<device> %0, %4\n%6 = load i8 %5\nreturn")), "an address");
    assert_eq!(undefined(&format!("{load}%4 = udiv i32 1, %3\nreturn")), "a division");
    assert_eq!(undefined("assume undef\nreturn"), "an assumption");
    // A slot that is reached again is fresh.
    let again = "br block1(0:i32)\nblock1(%2: i32):\n%3 = slot ptr type1\n%4 = eq i32 %2, 0\ncond_br %4, block2, block3\n
                 block2:\nstore i32 1, %3\nbr block1(1:i32)\nblock3:\n%5 = load i32 %3\nswitch i32 %5, default: block4\nblock4:\nreturn";
    assert_eq!(undefined(again), "a branch");
}

#[test]
fn arithmetic_assumptions_and_ends_are_checked() {
    assert_eq!(violation("%2 = udiv i32 1, 0\nreturn").to_string(), "division by zero");
    assert_eq!(violation("%2 = shl i32 1, 32\nreturn").to_string(), "shift by the width or more");
    assert_eq!(violation("assume false\nreturn"), ViolationKind::Assumption);
    assert_eq!(violation("unreachable"), ViolationKind::Unreachable);
    assert_eq!(violation("br block1\nblock1:\nbr block1"), ViolationKind::Steps);
    assert_eq!(violation("call @f()\nreturn\n}\nfunction @f {\nblock0:\ncall @f()\nreturn"), ViolationKind::Depth);
}

#[test]
fn a_violation_says_where_it_happened() {
    let text = "location loc0 = \"src/main.rs\" 3 5\nkernel @k() {\nblock0:\n    br block1\nblock1:\n    assume false !loc0\n    return\n}";
    let violation = run(&parse(text).unwrap(), "k", &mut [], &[], Launch::linear(1, 1), Limits::default()).unwrap_err();
    let expected = "an assumption is false, in @k, block1, instruction 0 (src/main.rs:3:5), thread [0, 0, 0] of block [0, 0, 0]";
    assert_eq!(violation.to_string(), expected);
}

#[test]
fn arguments_must_fit() {
    let text = "kernel @k(a: buffer type1, n: scalar type1) {\nblock0(%0: ptr<device>, %1: i64, %2: i32):\nreturn\n}";
    let check = |buffers: &mut [Vec<u8>], values: &[Vec<u8>], message: &str| {
        let error = execute(text, buffers, values, Launch::linear(1, 1)).unwrap_err();
        assert_eq!(error.to_string(), message);
    };
    check(&mut [], &[], "there is no argument for `a`");
    check(&mut [vec![]], &[vec![1]], "`n` has 4 bytes, not 1");
    check(&mut [vec![], vec![]], &[words(&[1])], "there are more arguments than parameters");
}
