//! The 16-bit floating-point types against an independent rule: the nearest representable number, ties to the even one.
//! All 65,536 patterns are converted both ways; arithmetic is checked on edge values and a large sample of pairs.

mod support;

use metal_oxide_artifact::Builtin;
use metal_oxide_exec::{Binding, Options};
use support::Memory;

/// The fraction bits of a type, and its name.
#[derive(Clone, Copy)]
struct Format {
    name: &'static str,
    fraction: u32,
}

const HALF: Format = Format { name: "half", fraction: 10 };
const BFLOAT: Format = Format { name: "bfloat", fraction: 7 };

impl Format {
    fn exponents(self) -> u32 {
        15 - self.fraction
    }

    /// The exact value of some bits, by the definition of the format.
    fn decode(self, bits: u16) -> f64 {
        let fraction = f64::from(u32::from(bits) & ((1 << self.fraction) - 1)) / f64::from(1 << self.fraction);
        let exponent = (u32::from(bits) >> self.fraction) & ((1 << self.exponents()) - 1);
        let bias = (1 << (self.exponents() - 1)) - 1;
        let magnitude = if exponent == (1 << self.exponents()) - 1 {
            if fraction == 0.0 { f64::INFINITY } else { f64::NAN }
        } else if exponent == 0 {
            fraction * 2f64.powi(1 - bias)
        } else {
            (1.0 + fraction) * 2f64.powi(exponent as i32 - bias)
        };
        if bits >> 15 == 1 { -magnitude } else { magnitude }
    }

    /// The bits of the nearest number. `exact` says how the value that `value` stands for compares with a number, so that it may have
    /// more digits than fit.
    fn encode_by(self, negative: bool, exact: impl Fn(f64) -> std::cmp::Ordering) -> u16 {
        let infinity = ((1u16 << self.exponents()) - 1) << self.fraction;
        // Between neighbours the middle decides. Beyond the largest finite number comes the one that would follow it.
        let above = |bits: u16| if bits + 1 == infinity { self.decode(bits) * 2.0 - self.decode(bits - 1) } else { self.decode(bits + 1) };
        let (mut low, mut high) = (0u16, infinity);
        while low < high {
            let middle = low.midpoint(high);
            let boundary = self.decode(middle).midpoint(above(middle));
            let goes_up = match exact(boundary) {
                std::cmp::Ordering::Less => false,
                std::cmp::Ordering::Greater => true,
                std::cmp::Ordering::Equal => middle % 2 == 1,
            };
            if goes_up { low = middle + 1 } else { high = middle }
        }
        low | u16::from(negative) << 15
    }

    fn encode(self, value: f64) -> u16 {
        self.encode_by(value.is_sign_negative(), |boundary| value.abs().total_cmp(&boundary))
    }

    fn is_nan(self, bits: u16) -> bool {
        self.decode(bits).is_nan()
    }

    /// Equal bits, or both not a number.
    fn same(self, found: u16, expected: u16) -> bool {
        found == expected || self.is_nan(found) && self.is_nan(expected)
    }
}

type Operation = fn(f64, f64) -> f64;

/// Evaluates an expression of `a`, `b` and `c` for many inputs.
fn evaluate(input: &str, output: &str, expression: &str, inputs: [&[u8]; 3], count: usize, result_size: usize) -> Vec<Vec<u8>> {
    let text = format!(
        "#include <metal_stdlib>\nusing namespace metal;\n\
         kernel void evaluate(device const {input} *in0 [[buffer(0)]], device const {input} *in1 [[buffer(1)]], \
         device const {input} *in2 [[buffer(2)]], device {output} *out [[buffer(3)]], uint3 position [[thread_position_in_grid]])\n\
         {{\n    {input} a = in0[position.x], b = in1[position.x], c = in2[position.x];\n    out[position.x] = {expression};\n}}\n"
    );
    let entry = support::entry("evaluate", 4, 0, false, &[Builtin::ThreadPositionInGrid]);
    let run = |compiler| {
        let kernel = support::compile(&compiler, &text, std::slice::from_ref(&entry), &Options::default()).kernel("evaluate");
        let mut inputs = inputs.map(Memory::new);
        let mut output = Memory::zeroed(count * result_size);
        let mut buffers: Vec<_> = inputs.iter_mut().map(Memory::pointer).collect();
        buffers.push(output.pointer());
        let binding = Binding { buffers: &buffers, args: &[], failure: std::ptr::null_mut() };
        // SAFETY: each thread accesses one element of each buffer, and there are `count`.
        unsafe { kernel.expect("the kernel is there").run(&binding, [count as u32, 1, 1], [1, 1, 1]) }.expect("the launch succeeds");
        output.bytes().to_vec()
    };
    support::compilers().into_iter().map(run).collect()
}

fn bytes_of_u16(values: &[u16]) -> Vec<u8> {
    values.iter().flat_map(|value| value.to_ne_bytes()).collect()
}

fn u16_of_bytes(bytes: &[u8]) -> Vec<u16> {
    bytes.chunks(2).map(|bytes| u16::from_ne_bytes([bytes[0], bytes[1]])).collect()
}

#[test]
fn every_pattern_widens_and_comes_back() {
    let all: Vec<u16> = (0..=u16::MAX).collect();
    let bytes = bytes_of_u16(&all);
    for format in [HALF, BFLOAT] {
        for output in evaluate(format.name, "float", "float(a)", [&bytes; 3], all.len(), 4) {
            for (bits, widened) in all.iter().zip(output.chunks(4)) {
                let widened = f32::from_ne_bytes(widened.try_into().expect("four bytes"));
                let exact = format.decode(*bits);
                assert!(
                    f64::from(widened).to_bits() == exact.to_bits() || widened.is_nan() && exact.is_nan(),
                    "{} {bits:#06x} is {exact} and widens to {widened}",
                    format.name
                );
            }
        }
        let expression = format!("as_type<ushort>({}(float(a)))", format.name);
        for output in evaluate(format.name, "ushort", &expression, [&bytes; 3], all.len(), 2) {
            for (bits, back) in all.iter().zip(u16_of_bytes(&output)) {
                assert!(format.same(back, *bits), "{} {bits:#06x} comes back as {back:#06x}", format.name);
            }
        }
        let expression = format!("as_type<ushort>(as_type<{}>(as_type<ushort>(a)))", format.name);
        for output in evaluate(format.name, "ushort", &expression, [&bytes; 3], all.len(), 2) {
            assert_eq!(u16_of_bytes(&output), all, "bits are not changed");
        }
    }
}

#[test]
fn floats_round_to_the_nearest() {
    let mut floats: Vec<f32> = vec![0.0, f32::MAX, f32::INFINITY, f32::NAN, f32::MIN_POSITIVE, 1e-45, 1e-40, 65519.996, 65520.0, 3.4e38];
    for format in [HALF, BFLOAT] {
        for bits in (0..(1u16 << 15)).step_by(37).filter(|bits| !format.is_nan(*bits) && !format.is_nan(bits + 1)) {
            let middle = format.decode(bits).midpoint(format.decode(bits + 1)) as f32;
            floats.extend([middle, middle.next_up(), middle.next_down(), format.decode(bits) as f32]);
        }
    }
    floats.extend(floats.clone().iter().map(|value| -value));
    let bytes: Vec<u8> = floats.iter().flat_map(|value| value.to_ne_bytes()).collect();
    for format in [HALF, BFLOAT] {
        let expression = format!("as_type<ushort>({}(a))", format.name);
        for output in evaluate("float", "ushort", &expression, [&bytes; 3], floats.len(), 2) {
            for (value, found) in floats.iter().zip(u16_of_bytes(&output)) {
                if value.is_nan() {
                    assert!(format.is_nan(found));
                } else {
                    let expected = format.encode(f64::from(*value));
                    assert_eq!(found, expected, "{value} as {} is {found:#06x} and must be {expected:#06x}", format.name);
                }
            }
        }
    }
}

#[test]
fn integers_round_to_the_nearest() {
    let mut integers: Vec<i64> = vec![0, 1, 2047, 2048, 2049, 2050, 2051, 65503, 65519, 65520, 70000, i64::MAX, i64::MIN];
    // Just beside the middle of two bfloats, farther than a double can tell.
    let middle = (1i64 << 62) + (1 << 54);
    integers.extend([middle - 1, middle, middle + 1]);
    integers.extend(integers.clone().iter().map(|value| value.wrapping_neg()));
    let bytes: Vec<u8> = integers.iter().flat_map(|value| value.to_ne_bytes()).collect();
    for format in [HALF, BFLOAT] {
        let expression = format!("as_type<ushort>({}(a))", format.name);
        for output in evaluate("long", "ushort", &expression, [&bytes; 3], integers.len(), 2) {
            for (value, found) in integers.iter().zip(u16_of_bytes(&output)) {
                let exact = |boundary: f64| {
                    i128::from(*value).abs().cmp(&((boundary * 2.0).min(1e38) as i128 / 2)).then_with(|| {
                        // A boundary that is not whole lies above its whole part.
                        if boundary < 1e9 && boundary.fract() != 0.0 { std::cmp::Ordering::Less } else { std::cmp::Ordering::Equal }
                    })
                };
                let expected = format.encode_by(*value < 0, exact);
                assert_eq!(found, expected, "{value} as {} is {found:#06x} and must be {expected:#06x}", format.name);
            }
        }
    }
}

#[test]
fn arithmetic_rounds_once() {
    // A sample that visits all exponents, with a simple generator so that a failure comes again.
    let mut state = 1u64;
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 48) as u16
    };
    let edges = [0x0000, 0x8000, 0x0001, 0x8001, 0x03ff, 0x0400, 0x3c00, 0x3c01, 0x7bff, 0xfbff, 0x7c00, 0xfc00, 0x7e00, 0x3f80, 0x7f7f];
    let mut triples: Vec<[u16; 3]> = (0..8_000).map(|_| [next(), next(), next()]).collect();
    for a in edges {
        for b in edges {
            triples.extend(edges.map(|c| [a, b, c]));
        }
    }
    let inputs = [0, 1, 2].map(|index| bytes_of_u16(&triples.iter().map(|triple| triple[index]).collect::<Vec<_>>()));
    let inputs = [&inputs[0][..], &inputs[1][..], &inputs[2][..]];
    for format in [HALF, BFLOAT] {
        // In double precision each of these rounds innocently, as it has more than twice the digits.
        let operations: [(&str, Operation); 5] = [
            ("a + b", |a, b| a + b),
            ("a - b", |a, b| a - b),
            ("a * b", |a, b| a * b),
            ("a / b", |a, b| a / b),
            ("sqrt(a)", |a, _| a.sqrt()),
        ];
        for (expression, operation) in operations {
            for output in evaluate(format.name, "ushort", &format!("as_type<ushort>({expression})"), inputs, triples.len(), 2) {
                for ([a, b, _], found) in triples.iter().zip(u16_of_bytes(&output)) {
                    let value = operation(format.decode(*a), format.decode(*b));
                    let expected = if value.is_nan() { format.encode(f64::INFINITY) + 1 } else { format.encode(value) };
                    assert!(
                        format.same(found, expected),
                        "{} {expression} for {a:#06x} and {b:#06x} is {found:#06x} and must be {expected:#06x}",
                        format.name
                    );
                }
            }
        }
    }
    for output in evaluate("half", "ushort", "as_type<ushort>(fma(a, b, c))", inputs, triples.len(), 2) {
        for (triple, found) in triples.iter().zip(u16_of_bytes(&output)) {
            let [a, b, c] = triple.map(|bits| HALF.decode(bits));
            if !(a.is_finite() && b.is_finite() && c.is_finite()) {
                continue;
            }
            // All are multiples of 2^-24, so the result is a whole number of 2^-48.
            let unit = 2f64.powi(24);
            let exact = (a * unit) as i128 * (b * unit) as i128 + (c * unit) as i128 * (1 << 24);
            let negative = if exact == 0 { a.mul_add(b, c).is_sign_negative() } else { exact < 0 };
            let expected = HALF.encode_by(negative, |boundary| exact.abs().cmp(&((boundary * unit * 2.0) as i128 * (1 << 23))));
            assert_eq!(found, expected, "fma of {triple:04x?} is {found:#06x} and must be {expected:#06x}");
        }
    }
}
