//! The functions and operators of the headers on scalars, against Rust's own, bit for bit.
//! Each row is an expression of Metal and the Rust that says what it must be; it is evaluated for all combinations of edge values.

mod support;

use std::any::type_name;
use std::collections::BTreeMap;
use std::fmt::Debug;

use metal_oxide_artifact::{Builtin, KernelEntry, MathMode};
use metal_oxide_exec::{Binding, Kernel, Options};
use support::Memory;

/// A type that Rust and Metal share.
trait Scalar: Copy + Debug + PartialEq + 'static {
    const METAL: &'static str;
    fn edges() -> Vec<Self>;
    fn to_bytes(self) -> Vec<u8>;
    fn from_bytes(bytes: &[u8]) -> Self;
    /// Equal bits, or both not a number: which NaN an operation gives is open.
    fn same(self, other: Self) -> bool {
        self == other
    }
}

macro_rules! integers {
    ($($rust:ident $metal:literal),*) => {$(
        impl Scalar for $rust {
            const METAL: &'static str = $metal;
            fn edges() -> Vec<Self> {
                let mut edges: Vec<Self> = vec![0, 1, 2, 3, 7, 31, 33, 63, 100, Self::MAX, Self::MAX - 1, Self::MAX / 2, Self::MAX / 2 + 1];
                edges.extend([Self::MIN, Self::MIN + 1, (0 as Self).wrapping_sub(1), (0 as Self).wrapping_sub(7)]);
                edges.extend([0x5a, 0x3c1b_9f04_7e6d_a285_u64 as Self, (0x3c1b_9f04_7e6d_a285_u64 >> 7) as Self]);
                edges
            }
            fn to_bytes(self) -> Vec<u8> { self.to_ne_bytes().to_vec() }
            fn from_bytes(bytes: &[u8]) -> Self { Self::from_ne_bytes(bytes.try_into().expect("the size is right")) }
        }
    )*};
}
integers!(i8 "char", u8 "uchar", i16 "short", u16 "ushort", i32 "int", u32 "uint", i64 "long", u64 "ulong");

impl Scalar for bool {
    const METAL: &'static str = "bool";
    fn edges() -> Vec<Self> {
        vec![false, true]
    }
    fn to_bytes(self) -> Vec<u8> {
        vec![u8::from(self)]
    }
    fn from_bytes(bytes: &[u8]) -> Self {
        assert!(bytes[0] <= 1, "a bool is 0 or 1");
        bytes[0] == 1
    }
}

impl Scalar for f32 {
    const METAL: &'static str = "float";
    fn edges() -> Vec<Self> {
        let positive = [
            0.0,
            f32::from_bits(1),
            1e-40,
            f32::MIN_POSITIVE,
            1e-20,
            0.1,
            0.499_999_97,
            0.5,
            1.0,
            1.0 + f32::EPSILON,
            1.5,
            2.5,
            3.0,
            7.75,
            100.625,
            8_388_607.5,
            8_388_609.0,
            16_777_216.0,
            2_147_483_500.0,
            2_147_483_648.0,
            1e20,
            f32::MAX,
            f32::INFINITY,
            f32::NAN,
        ];
        positive.into_iter().flat_map(|value| [value, -value]).collect()
    }
    fn to_bytes(self) -> Vec<u8> {
        self.to_ne_bytes().to_vec()
    }
    fn from_bytes(bytes: &[u8]) -> Self {
        Self::from_ne_bytes(bytes.try_into().expect("the size is right"))
    }
    fn same(self, other: Self) -> bool {
        self.to_bits() == other.to_bits() || self.is_nan() && other.is_nan()
    }
}

type Check = Box<dyn Fn(&[u8]) -> Option<String>>;

/// A row: the kernel's parameter and result types, its expression, its inputs, and how to judge its output.
struct Row {
    parameters: Vec<&'static str>,
    result: &'static str,
    expression: String,
    /// The values of each parameter, one after the other.
    inputs: Vec<Vec<u8>>,
    count: usize,
    result_size: usize,
    /// What is wrong with an output, if anything is.
    check: Check,
}

impl Row {
    fn new<const N: usize, R: Scalar, I: Copy + Debug + 'static>(
        parameters: [&'static str; N],
        expression: &str,
        cases: Vec<I>,
        bytes: impl Fn(I) -> [Vec<u8>; N],
        expected: impl Fn(I) -> Option<R> + 'static,
    ) -> Self {
        // A case for which Rust gives no answer is one that Metal leaves undefined too: it is not even run.
        let cases: Vec<(I, R)> = cases.into_iter().filter_map(|case| Some((case, expected(case)?))).collect();
        let mut inputs = vec![Vec::new(); N];
        for (case, _) in &cases {
            for (input, bytes) in inputs.iter_mut().zip(bytes(*case)) {
                input.extend(bytes);
            }
        }
        let size = size_of::<R>();
        let text = expression.to_owned();
        let count = cases.len();
        let check = move |output: &[u8]| {
            cases.iter().zip(output.chunks(size)).find_map(|((case, expected), bytes)| {
                let found = R::from_bytes(bytes);
                (!found.same(*expected))
                    .then(|| format!("{text} for {case:?} is {found:?} and must be {expected:?} ({})", type_name::<R>()))
            })
        };
        Self {
            parameters: parameters.to_vec(),
            result: R::METAL,
            expression: expression.to_owned(),
            inputs,
            count,
            result_size: size,
            check: Box::new(check),
        }
    }
}

/// A function of one value.
fn one<A: Scalar, R: Scalar>(expression: &str, expected: impl Fn(A) -> R + 'static) -> Row {
    Row::new([A::METAL], expression, A::edges(), |a| [a.to_bytes()], move |a| Some(expected(a)))
}

/// A function of one value that is undefined for some.
fn one_where<A: Scalar, R: Scalar>(expression: &str, expected: impl Fn(A) -> Option<R> + 'static) -> Row {
    Row::new([A::METAL], expression, A::edges(), |a| [a.to_bytes()], expected)
}

/// A function of two values.
fn two<A: Scalar, B: Scalar, R: Scalar>(expression: &str, expected: impl Fn(A, B) -> R + 'static) -> Row {
    two_where(expression, move |a, b| Some(expected(a, b)))
}

/// A function of two values that is undefined for some.
fn two_where<A: Scalar, B: Scalar, R: Scalar>(expression: &str, expected: impl Fn(A, B) -> Option<R> + 'static) -> Row {
    let cases = A::edges().into_iter().flat_map(|a| B::edges().into_iter().map(move |b| (a, b))).collect();
    Row::new([A::METAL, B::METAL], expression, cases, |(a, b): (A, B)| [a.to_bytes(), b.to_bytes()], move |(a, b)| expected(a, b))
}

/// A function of three values that is undefined for some.
fn three_where<A: Scalar, B: Scalar, C: Scalar, R: Scalar>(expression: &str, expected: impl Fn(A, B, C) -> Option<R> + 'static) -> Row {
    let pairs = A::edges().into_iter().flat_map(|a| B::edges().into_iter().map(move |b| (a, b)));
    let cases = pairs.flat_map(|(a, b)| C::edges().into_iter().map(move |c| (a, b, c))).collect();
    let bytes = |(a, b, c): (A, B, C)| [a.to_bytes(), b.to_bytes(), c.to_bytes()];
    Row::new([A::METAL, B::METAL, C::METAL], expression, cases, bytes, move |(a, b, c)| expected(a, b, c))
}

/// Compiles all rows into one text and runs each, with every compiler. Rows of one signature share a kernel, which compiles faster.
fn check(rows: &[Row], options: &Options) {
    let mut groups: BTreeMap<(&[&str], &str), Vec<usize>> = BTreeMap::new();
    for (index, row) in rows.iter().enumerate() {
        groups.entry((&row.parameters, row.result)).or_default().push(index);
    }
    let mut text = "#include <metal_stdlib>\nusing namespace metal;\nstruct Which { uint row; };\n".to_owned();
    let mut entries: Vec<KernelEntry> = Vec::new();
    for (group, ((parameters, result), members)) in groups.iter().enumerate() {
        let names = ["a", "b", "c"];
        let buffers: String = (0..).zip(*parameters).map(|(n, ty)| format!("device const {ty} *in{n} [[buffer({n})]], ")).collect();
        let locals: String = (0..).zip(*parameters).map(|(n, ty)| format!("    {ty} {} = in{n}[position.x];\n", names[n])).collect();
        let slot = parameters.len();
        let cases: String = members.iter().map(|&row| format!("    case {row}: result = {}; break;\n", rows[row].expression)).collect();
        text.push_str(&format!(
            "kernel void rows_{group}({buffers}device {result} *out [[buffer({slot})]], constant Which &which [[buffer({})]],\n    \
             uint3 position [[thread_position_in_grid]])\n\
             {{\n{locals}    {result} result;\n    switch (which.row) {{\n{cases}    }}\n    out[position.x] = result;\n}}\n",
            slot + 1
        ));
        entries.push(support::entry(&format!("rows_{group}"), slot as u32 + 1, 4, false, &[Builtin::ThreadPositionInGrid]));
    }
    // Looking for undefined behaviour takes long to compile, and what is to be found in the headers one compiler finds.
    let compilers = support::compilers();
    for compiler in if options.find_undefined { &compilers[..1] } else { &compilers[..] } {
        let library = support::compile(compiler, &text, &entries, options);
        for (entry, members) in entries.iter().zip(groups.values()) {
            let kernel = library.kernel(&entry.entry).expect("the kernel is there");
            for &index in members {
                run_row(&rows[index], index, &kernel, &compiler.command());
            }
        }
    }
}

fn run_row(row: &Row, index: usize, kernel: &Kernel, compiler: &str) {
    let mut inputs: Vec<_> = row.inputs.iter().map(|bytes| Memory::new(bytes)).collect();
    let mut output = Memory::zeroed(row.count * row.result_size);
    let mut buffers: Vec<_> = inputs.iter_mut().map(Memory::pointer).collect();
    buffers.push(output.pointer());
    let which = Memory::new(&(index as u32).to_ne_bytes());
    let binding = Binding { buffers: &buffers, args: which.bytes(), failure: std::ptr::null_mut() };
    // SAFETY: the kernel accesses one element of each buffer per thread, and there are as many.
    let result = unsafe { kernel.run(&binding, [row.count as u32, 1, 1], [1, 1, 1]) };
    result.unwrap_or_else(|error| panic!("{} with {compiler}: {error}", row.expression));
    if let Some(problem) = (row.check)(output.bytes()) {
        panic!("with {compiler}: {problem}");
    }
}

/// Both ways of compiling: as users get it, and looking for undefined behaviour, which the headers must not have either.
fn check_all(rows: &[Row]) {
    for find_undefined in [false, true] {
        check(rows, &Options { find_undefined, ..Options::default() });
    }
}

macro_rules! for_each_integer {
    ($macro:ident $rows:ident) => {
        $macro!($rows i8 u8);
        $macro!($rows u8 u8);
        $macro!($rows i16 u16);
        $macro!($rows u16 u16);
        $macro!($rows i32 u32);
        $macro!($rows u32 u32);
        $macro!($rows i64 u64);
        $macro!($rows u64 u64);
    };
}

#[test]
fn integer_functions() {
    let mut rows = Vec::new();
    macro_rules! integer_rows {
        ($rows:ident $t:ident $u:ident) => {
            $rows.push(one("popcount(a)", |a: $t| a.count_ones() as $t));
            $rows.push(one("clz(a)", |a: $t| a.leading_zeros() as $t));
            $rows.push(one("ctz(a)", |a: $t| a.trailing_zeros() as $t));
            $rows.push(one("reverse_bits(a)", |a: $t| a.reverse_bits()));
            $rows.push(two("rotate(a, b)", |a: $t, b: $t| a.rotate_left(b as u32 % $t::BITS)));
            $rows.push(two("addsat(a, b)", |a: $t, b: $t| a.saturating_add(b)));
            $rows.push(two("subsat(a, b)", |a: $t, b: $t| a.saturating_sub(b)));
            $rows.push(two("absdiff(a, b)", |a: $t, b: $t| -> $u { a.abs_diff(b) }));
            $rows.push(two("mulhi(a, b)", |a: $t, b: $t| {
                if $t::MIN == 0 { ((a as u128 * b as u128) >> $t::BITS) as $t } else { ((a as i128 * b as i128) >> $t::BITS) as $t }
            }));
            $rows.push(two("hadd(a, b)", |a: $t, b: $t| ((a as i128 + b as i128) >> 1) as $t));
            $rows.push(two("rhadd(a, b)", |a: $t, b: $t| ((a as i128 + b as i128 + 1) >> 1) as $t));
            $rows.push(two("min(a, b)", |a: $t, b: $t| a.min(b)));
            $rows.push(two("max(a, b)", |a: $t, b: $t| a.max(b)));
            $rows.push(three_where("clamp(a, b, c)", |a: $t, b: $t, c: $t| (b <= c).then(|| a.clamp(b, c))));
            $rows.push(three_where("median3(a, b, c)", |a: $t, b: $t, c: $t| {
                let mut all = [a, b, c];
                all.sort_unstable();
                Some(all[1])
            }));
            $rows.push(three_where("select(a, b, c)", |a: $t, b: $t, c: bool| Some(if c { b } else { a })));
            $rows.push(three_where("madhi(a, b, c)", |a: $t, b: $t, c: $t| {
                let high =
                    if $t::MIN == 0 { ((a as u128 * b as u128) >> $t::BITS) as $t } else { ((a as i128 * b as i128) >> $t::BITS) as $t };
                Some(high.wrapping_add(c))
            }));
            $rows.push(three_where("extract_bits(a, uint(b), uint(c))", |a: $t, b: u8, c: u8| {
                let (offset, bits) = (u32::from(b), u32::from(c));
                (offset < $t::BITS && offset + bits <= $t::BITS)
                    .then(|| if bits == 0 { 0 } else { (a << ($t::BITS - bits - offset)) >> ($t::BITS - bits) })
            }));
            $rows.push(three_where("insert_bits(a, b, 3u, uint(c))", |a: $t, b: $t, c: u8| {
                (u32::from(c) + 3 <= $t::BITS && c > 0).then(|| {
                    let mask = (($u::MAX >> ($t::BITS - u32::from(c))) << 3) as $t;
                    a & !mask | (b << 3) & mask
                })
            }));
        };
    }
    for_each_integer!(integer_rows rows);
    macro_rules! signed_rows {
        ($($t:ident)*) => {$(
            rows.push(one("abs(a)", |a: $t| a.wrapping_abs()));
        )*};
    }
    signed_rows!(i8 i16 i32 i64);
    rows.push(three_where("madsat(a, b, c)", |a: i32, b: i32, c: i32| {
        Some((i128::from(a) * i128::from(b) + i128::from(c)).clamp(i32::MIN.into(), i32::MAX.into()) as i32)
    }));
    rows.push(three_where("madsat(a, b, c)", |a: u32, b: u32, c: u32| {
        Some((i128::from(a) * i128::from(b) + i128::from(c)).clamp(0, u32::MAX.into()) as u32)
    }));
    rows.push(two("mul24(a, b)", |a: i32, b: i32| (a << 8 >> 8).wrapping_mul(b << 8 >> 8)));
    rows.push(two("mul24(a, b)", |a: u32, b: u32| (a & 0xff_ffff).wrapping_mul(b & 0xff_ffff)));
    check_all(&rows);
}

#[test]
fn integer_operators_as_the_compiler_emits_them() {
    let mut rows = Vec::new();
    macro_rules! operator_rows {
        ($rows:ident $t:ident $u:ident) => {
            let (t, u) = (<$t>::METAL, <$u>::METAL);
            // Wrapping arithmetic goes through the unsigned type; products of narrow ones go through `uint`.
            $rows.push(two(&format!("as_type<{t}>({u}(as_type<{u}>(a) + as_type<{u}>(b)))"), |a: $t, b: $t| a.wrapping_add(b)));
            $rows.push(two(&format!("as_type<{t}>({u}(as_type<{u}>(a) - as_type<{u}>(b)))"), |a: $t, b: $t| a.wrapping_sub(b)));
            $rows.push(two(&format!("as_type<{t}>({u}(1u * as_type<{u}>(a) * as_type<{u}>(b)))"), |a: $t, b: $t| a.wrapping_mul(b)));
            $rows.push(two_where("a / b", |a: $t, b: $t| a.checked_div(b)));
            $rows.push(two_where("a % b", |a: $t, b: $t| a.checked_rem(b)));
            let mask = $t::BITS - 1;
            $rows.push(two(&format!("as_type<{t}>({u}(as_type<{u}>(a) << (b & {mask}u)))"), |a: $t, b: u32| a.wrapping_shl(b)));
            $rows.push(two(&format!("{t}(a >> (b & {mask}u))"), |a: $t, b: u32| a.wrapping_shr(b)));
            $rows.push(two(&format!("{t}(a & b)"), |a: $t, b: $t| a & b));
            $rows.push(two(&format!("{t}(a | b)"), |a: $t, b: $t| a | b));
            $rows.push(two(&format!("{t}(a ^ b)"), |a: $t, b: $t| a ^ b));
            $rows.push(one(&format!("{t}(~a)"), |a: $t| !a));
            $rows.push(two("a < b", |a: $t, b: $t| a < b));
            $rows.push(two("a >= b", |a: $t, b: $t| a >= b));
            $rows.push(two("a == b", |a: $t, b: $t| a == b));
            $rows.push(one("float(a)", |a: $t| a as f32));
            $rows.push(one("uchar(a)", |a: $t| a as u8));
            $rows.push(one("short(a)", |a: $t| a as i16));
            $rows.push(one("uint(a)", |a: $t| a as u32));
            $rows.push(one("long(a)", |a: $t| a as i64));
        };
    }
    for_each_integer!(operator_rows rows);
    rows.push(one("numeric_limits<uint>::max() - a", |a: u32| u32::MAX - a));
    check_all(&rows);
}

#[test]
fn float_functions() {
    let mut rows: Vec<Row> = Vec::new();
    rows.push(two("a + b", |a: f32, b: f32| a + b));
    rows.push(two("a - b", |a: f32, b: f32| a - b));
    rows.push(two("a * b", |a: f32, b: f32| a * b));
    rows.push(two("a / b", |a: f32, b: f32| a / b));
    rows.push(three_where("a * b + c", |a: f32, b: f32, c: f32| Some(a * b + c)));
    rows.push(three_where("fma(a, b, c)", |a: f32, b: f32, c: f32| Some(a.mul_add(b, c))));
    rows.push(two("fmod(a, b)", |a: f32, b: f32| a % b));
    rows.push(one("sqrt(a)", f32::sqrt));
    rows.push(one("rsqrt(a)", |a: f32| (1.0 / f64::from(a).sqrt()) as f32));
    rows.push(one("fabs(a)", f32::abs));
    rows.push(one("abs(a)", f32::abs));
    rows.push(one("floor(a)", f32::floor));
    rows.push(one("ceil(a)", f32::ceil));
    rows.push(one("trunc(a)", f32::trunc));
    rows.push(one("rint(a)", f32::round_ties_even));
    rows.push(one("round(a)", f32::round));
    rows.push(one("fract(a)", |a: f32| if a.is_infinite() { f32::NAN } else { (a - a.floor()).min(1.0f32.next_down()) + 0.0 * a }));
    rows.push(two("copysign(a, b)", f32::copysign));
    rows.push(one("isnan(a)", f32::is_nan));
    rows.push(one("isinf(a)", f32::is_infinite));
    rows.push(one("isfinite(a)", f32::is_finite));
    rows.push(one("isnormal(a)", f32::is_normal));
    rows.push(one("signbit(a)", f32::is_sign_negative));
    rows.push(two("isunordered(a, b)", |a: f32, b: f32| a.is_nan() || b.is_nan()));
    for function in ["fmin", "min", "precise::fmin", "metal::precise::min"] {
        rows.push(two(&format!("{function}(a, b)"), |a: f32, b: f32| if a.is_nan() || b < a { b } else { a }));
    }
    for function in ["fmax", "max", "precise::fmax", "metal::precise::max"] {
        rows.push(two(&format!("{function}(a, b)"), |a: f32, b: f32| if a.is_nan() || a < b { b } else { a }));
    }
    rows.push(two_where("fast::fmin(a, b)", |a: f32, b: f32| (!a.is_nan() && !b.is_nan()).then_some(if b < a { b } else { a })));
    rows.push(three_where("clamp(a, b, c)", |a: f32, b: f32, c: f32| {
        (b <= c).then(|| {
            let above = if a.is_nan() || a < b { b } else { a };
            if c < above { c } else { above }
        })
    }));
    rows.push(one("saturate(a)", |a: f32| {
        if a > 0.0 {
            a.min(1.0)
        } else if a == 0.0 {
            a
        } else {
            0.0
        }
    }));
    rows.push(one("sign(a)", |a: f32| {
        if a.is_nan() {
            0.0
        } else if a == 0.0 {
            a
        } else {
            a.signum()
        }
    }));
    rows.push(two("step(a, b)", |a: f32, b: f32| if b < a { 0.0f32 } else { 1.0 }));
    rows.push(three_where("mix(a, b, c)", |a: f32, b: f32, c: f32| Some(a + (b - a) * c)));
    rows.push(two("fdim(a, b)", |a: f32, b: f32| {
        if a.is_nan() || b.is_nan() {
            f32::NAN
        } else if a > b {
            a - b
        } else {
            0.0
        }
    }));
    rows.push(one("ldexp(a, 3)", |a: f32| a * 8.0));
    rows.push(one("as_type<uint>(a)", f32::to_bits));
    rows.push(one("as_type<float>(a)", f32::from_bits));
    rows.push(one_where("int(a)", |a: f32| (-2_147_483_648.0..2_147_483_648.0).contains(&a).then_some(a as i32)));
    rows.push(one_where("uint(a)", |a: f32| (a > -1.0 && a < 4_294_967_296.0).then_some(a as u32)));
    rows.push(one_where("uchar(a)", |a: f32| (a > -1.0 && a < 256.0).then_some(a as u8)));
    rows.push(one_where("long(a)", |a: f32| (a.abs() < 9.2e18).then_some(a as i64)));
    rows.push(two("a < b", |a: f32, b: f32| a < b));
    rows.push(two("a <= b", |a: f32, b: f32| a <= b));
    rows.push(two("a == b", |a: f32, b: f32| a == b));
    rows.push(two("a != b", |a: f32, b: f32| a != b));
    rows.push(one("-a", |a: f32| -a));
    check_all(&rows);
}

#[test]
fn the_hosts_math_library() {
    let mut rows: Vec<Row> = Vec::new();
    macro_rules! library_rows {
        ($($name:literal $function:ident),* $(,)?) => {$(
            rows.push(one(concat!($name, "(a)"), f32::$function));
            rows.push(one(concat!("precise::", $name, "(a)"), f32::$function));
            rows.push(one(concat!("metal::fast::", $name, "(a)"), f32::$function));
        )*};
    }
    library_rows!(
        "sin" sin, "cos" cos, "tan" tan, "asin" asin, "acos" acos, "atan" atan, "sinh" sinh, "cosh" cosh, "tanh" tanh, "exp" exp,
        "exp2" exp2, "log" ln, "log2" log2, "log10" log10,
    );
    rows.push(two("pow(a, b)", f32::powf));
    rows.push(two("powr(a, b)", |a: f32, b: f32| if a < 0.0 { f32::NAN } else { a.powf(b) }));
    rows.push(two("atan2(a, b)", f32::atan2));
    rows.push(one("exp10(a)", |a: f32| 10f64.powf(a.into()) as f32));
    // A constant argument gives what the same argument gives at run time.
    rows.push(one("a == a ? sin(0.1f) : 0.0f", |a: f32| if a.is_nan() { 0.0 } else { std::hint::black_box(0.1f32).sin() }));
    check_all(&rows);
}

#[test]
fn functions_of_half_turns_are_exact_where_they_can_be() {
    let whole = |a: f32| a.is_finite() && a == a.trunc();
    check(
        &[
            one_where("fabs(sinpi(a))", move |a: f32| whole(a).then_some(0.0f32)),
            one_where("cospi(a)", move |a: f32| whole(a).then_some(if a % 2.0 == 0.0 { 1.0f32 } else { -1.0 })),
            one_where("fabs(tanpi(a))", move |a: f32| whole(a).then_some(0.0f32)),
        ],
        &Options::default(),
    );
}

#[test]
fn fast_math_is_asked_for_by_name() {
    // Under fast math the C++ compiler may take `isnan` for false, as Metal's does; a test of the bits stays.
    let rows = [one("(as_type<uint>(a) & 0x7fffffffu) > 0x7f800000u", f32::is_nan)];
    check(&rows, &Options { math: MathMode::Fast, ..Options::default() });
}
