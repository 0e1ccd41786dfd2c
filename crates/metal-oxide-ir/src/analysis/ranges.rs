//! The smallest and largest number that each integer can be, whatever path led to it.
//! Pointers count as 64-bit integers. Conditions play no part here: that is what [`relations`](super::relations) is for.

use crate::analysis::ControlFlow;
use crate::{
    BinaryOperator, CastOperator, Constant, Coordinate, Function, FunctionKind, KernelParameterKind, Module, Operation, Type,
    UnaryOperator, ValueDefinition, ValueId,
};

/// Bounds of a value of up to 64 bits, both included, read as an unsigned and as a signed number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Range {
    /// Bounds of the unsigned number.
    pub unsigned: (i128, i128),
    /// Bounds of the signed number.
    pub signed: (i128, i128),
}

/// The ranges of a function's values.
#[derive(Clone, Debug)]
pub struct Ranges {
    ranges: Vec<Option<Range>>,
}

/// The highest value of a type, unsigned.
pub fn unsigned_maximum(bits: u32) -> i128 {
    (1 << bits) - 1
}

/// The highest value of a type, signed.
pub fn signed_maximum(bits: u32) -> i128 {
    (1 << (bits - 1)) - 1
}

impl Range {
    /// Every value of a width.
    pub fn full(bits: u32) -> Self {
        let highest = signed_maximum(bits);
        Range { unsigned: (0, unsigned_maximum(bits)), signed: (-highest - 1, highest) }
    }

    /// Exactly one value.
    fn constant(bits: u32, value: i128) -> Self {
        Range::unsigned(bits, value, value)
    }

    /// The values whose unsigned number lies between the bounds.
    fn unsigned(bits: u32, low: i128, high: i128) -> Self {
        let (limit, wrap) = (signed_maximum(bits), 1 << bits);
        let signed = if high <= limit {
            (low, high)
        } else if low > limit {
            (low - wrap, high - wrap)
        } else {
            Range::full(bits).signed
        };
        Range { unsigned: (low, high), signed }
    }

    /// The values whose signed number lies between the bounds.
    fn signed(bits: u32, low: i128, high: i128) -> Self {
        let wrap = 1 << bits;
        let unsigned = if low >= 0 {
            (low, high)
        } else if high < 0 {
            (low + wrap, high + wrap)
        } else {
            Range::full(bits).unsigned
        };
        Range { unsigned, signed: (low, high) }
    }

    /// The smallest range that holds both.
    fn join(self, other: Range) -> Self {
        let join = |a: (i128, i128), b: (i128, i128)| (a.0.min(b.0), a.1.max(b.1));
        Range { unsigned: join(self.unsigned, other.unsigned), signed: join(self.signed, other.signed) }
    }
}

impl Ranges {
    /// Computes the ranges of all values in reachable blocks.
    pub fn new(module: &Module, function: &Function, flow: &ControlFlow) -> Self {
        let mut ranges = Ranges { ranges: vec![None; function.value_count()] };
        ranges.parameters(module, function);
        // Loops make ranges grow; after a few rounds one that still grows becomes everything.
        const ROUNDS: usize = 4;
        let mut round = 0;
        loop {
            let mut changed = false;
            for &block in flow.reverse_postorder() {
                for (index, &parameter) in function.block(block).parameters.iter().enumerate() {
                    let Some(bits) = tracked(function.ty(parameter)) else { continue };
                    let joined = flow.edges(block).iter().filter_map(|edge| {
                        let target = function.block(edge.from).terminator.targets().nth(edge.index)?;
                        ranges.known(function, target.arguments[index])
                    });
                    let Some(new) = joined.reduce(Range::join) else { continue };
                    changed |= ranges.update(parameter, new, bits, round >= ROUNDS);
                }
                for &id in &function.block(block).instructions {
                    let instruction = function.instruction(id);
                    let Some(result) = instruction.result else { continue };
                    let Some(bits) = tracked(function.ty(result)) else { continue };
                    let new = ranges.operation(function, &instruction.operation, bits).unwrap_or_else(|| Range::full(bits));
                    changed |= ranges.update(result, new, bits, round >= ROUNDS);
                }
            }
            round += 1;
            if !changed {
                return ranges;
            }
        }
    }

    /// The range of a value; everything of its type where nothing is known, and 64 bits of it where the type is wider.
    pub fn get(&self, function: &Function, value: ValueId) -> Range {
        self.known(function, value).unwrap_or_else(|| Range::full(tracked(function.ty(value)).unwrap_or(64)))
    }

    /// The range of a value that something is known of yet.
    fn known(&self, function: &Function, value: ValueId) -> Option<Range> {
        match function.definition(value) {
            ValueDefinition::Constant(Constant::Bits { ty, bits }) => Some(Range::constant(tracked(ty)?, bits as i128)),
            ValueDefinition::Constant(constant) => Some(Range::full(tracked(constant.ty())?)),
            _ => self.ranges[value.index()],
        }
    }

    fn update(&mut self, value: ValueId, new: Range, bits: u32, widen: bool) -> bool {
        let old = &mut self.ranges[value.index()];
        let joined = old.map_or(new, |old| old.join(new));
        if *old == Some(joined) {
            return false;
        }
        *old = Some(if widen { Range::full(bits) } else { joined });
        true
    }

    /// What the host promises of a kernel's parameters; nothing is known of a helper's.
    fn parameters(&mut self, module: &Module, function: &Function) {
        for &parameter in function.parameters() {
            if let Some(bits) = tracked(function.ty(parameter)) {
                self.ranges[parameter.index()] = Some(Range::full(bits));
            }
        }
        let FunctionKind::Kernel { parameters } = &function.kind else { return };
        let mut values = function.parameters().iter();
        for parameter in parameters {
            let _address = values.next();
            if let KernelParameterKind::Buffer { element, .. } = parameter.kind
                && let Some(length) = values.next()
            {
                // No allocation is larger than `isize::MAX` bytes.
                let highest = signed_maximum(64) / i128::from(module.ty(element).size.max(1));
                self.ranges[length.index()] = Some(Range::unsigned(64, 0, highest));
            }
        }
    }

    fn operation(&self, function: &Function, operation: &Operation, bits: u32) -> Option<Range> {
        let get = |value| self.get(function, value);
        match operation {
            Operation::Binary(operator, a, b) if tracked(function.ty(*a)).is_some() => binary(*operator, bits, get(*a), get(*b)),
            Operation::Unary(operator, a) => match operator {
                UnaryOperator::CountOnes | UnaryOperator::LeadingZeros | UnaryOperator::TrailingZeros => {
                    Some(Range::unsigned(bits, 0, bits.into()))
                }
                UnaryOperator::Not => {
                    let (low, high) = get(*a).signed;
                    (bits > 1).then(|| Range::signed(bits, -1 - high, -1 - low))
                }
                UnaryOperator::Neg => {
                    let (low, high) = get(*a).signed;
                    fits_signed(bits, -high, -low)
                }
                _ => None,
            },
            Operation::Select(_, a, b) => Some(get(*a).join(get(*b))),
            Operation::Cast(operator, a) => {
                let from = tracked(function.ty(*a))?;
                let range = get(*a);
                match operator {
                    CastOperator::ZeroExtend | CastOperator::PointerToInteger | CastOperator::IntegerToPointer | CastOperator::Space => {
                        Some(Range::unsigned(bits, range.unsigned.0, range.unsigned.1))
                    }
                    CastOperator::SignExtend => Some(Range::signed(bits, range.signed.0, range.signed.1)),
                    CastOperator::Truncate if range.unsigned.1 <= unsigned_maximum(bits) => {
                        Some(Range::unsigned(bits, range.unsigned.0, range.unsigned.1))
                    }
                    CastOperator::Truncate => fits_signed(bits, range.signed.0, range.signed.1),
                    CastOperator::Bitcast if from == bits => Some(range),
                    _ => None,
                }
            }
            Operation::Coordinate(coordinate, _) => Some(match coordinate {
                Coordinate::BlockSize | Coordinate::GridSize => Range::unsigned(bits, 1, unsigned_maximum(bits)),
                Coordinate::LaneInSimdGroup => Range::unsigned(bits, 0, 31),
                _ => Range::full(bits),
            }),
            _ => None,
        }
    }
}

/// The width of a value whose range is tracked.
fn tracked(ty: Type) -> Option<u32> {
    (ty == Type::Bool || ty.is_pointer() || ty.is_integer() && ty != Type::I128).then(|| ty.bits())
}

fn binary(operator: BinaryOperator, bits: u32, a: Range, b: Range) -> Option<Range> {
    use BinaryOperator::*;
    let ((a_low, a_high), (b_low, b_high)) = (a.unsigned, b.unsigned);
    let either = |unsigned: (i128, i128), signed: (i128, i128)| {
        fits_unsigned(bits, unsigned.0, unsigned.1).or_else(|| fits_signed(bits, signed.0, signed.1))
    };
    let exact = |value: (i128, i128)| (value.0 == value.1).then_some(value.0);
    match operator {
        Add => either((a_low + b_low, a_high + b_high), (a.signed.0 + b.signed.0, a.signed.1 + b.signed.1)),
        Sub => either((a_low - b_high, a_high - b_low), (a.signed.0 - b.signed.1, a.signed.1 - b.signed.0)),
        Mul => {
            let products = |x: (i128, i128), y: (i128, i128)| -> Option<(i128, i128)> {
                let all = [x.0.checked_mul(y.0)?, x.0.checked_mul(y.1)?, x.1.checked_mul(y.0)?, x.1.checked_mul(y.1)?];
                Some((all.into_iter().min()?, all.into_iter().max()?))
            };
            let unsigned = products(a.unsigned, b.unsigned).and_then(|(low, high)| fits_unsigned(bits, low, high));
            unsigned.or_else(|| products(a.signed, b.signed).and_then(|(low, high)| fits_signed(bits, low, high)))
        }
        DivUnsigned => Some(Range::unsigned(bits, a_low / b_high.max(1), a_high / b_low.max(1))),
        RemUnsigned => Some(Range::unsigned(bits, 0, a_high.min((b_high - 1).max(0)))),
        DivSigned if a.signed.0 >= 0 && b.signed.0 > 0 => Some(Range::signed(bits, a.signed.0 / b.signed.1, a.signed.1 / b.signed.0)),
        RemSigned if exact(b.signed).is_some_and(|b| b != 0) => {
            let limit = exact(b.signed)?.abs() - 1;
            let low = if a.signed.0 >= 0 { 0 } else { -limit };
            Some(Range::signed(bits, low, limit.min(a.signed.1.max(0))))
        }
        RemSigned if a.signed.0 >= 0 && b.signed.0 >= 0 => Some(Range::signed(bits, 0, a.signed.1.min((b.signed.1 - 1).max(0)))),
        And => Some(Range::unsigned(bits, 0, a_high.min(b_high))),
        Or => Some(Range::unsigned(bits, a_low.max(b_low), filled(a_high | b_high))),
        Xor => Some(Range::unsigned(bits, 0, filled(a_high | b_high))),
        ShiftLeft => {
            let count = exact(b.unsigned).filter(|&count| count < i128::from(bits))?;
            fits_unsigned(bits, a_low << count, a_high.checked_mul(1 << count)?)
        }
        ShiftRightUnsigned => {
            let limit = i128::from(bits) - 1;
            Some(Range::unsigned(bits, a_low >> b_high.min(limit), a_high >> b_low.min(limit)))
        }
        ShiftRightSigned => {
            let (low, high) = (b_low.min(i128::from(bits) - 1), b_high.min(i128::from(bits) - 1));
            let ends = [a.signed.0 >> low, a.signed.0 >> high, a.signed.1 >> low, a.signed.1 >> high];
            Some(Range::signed(bits, ends.into_iter().min()?, ends.into_iter().max()?))
        }
        MinUnsigned => Some(Range::unsigned(bits, a_low.min(b_low), a_high.min(b_high))),
        MaxUnsigned => Some(Range::unsigned(bits, a_low.max(b_low), a_high.max(b_high))),
        MinSigned => Some(Range::signed(bits, a.signed.0.min(b.signed.0), a.signed.1.min(b.signed.1))),
        MaxSigned => Some(Range::signed(bits, a.signed.0.max(b.signed.0), a.signed.1.max(b.signed.1))),
        AddSaturatingUnsigned => {
            let limit = unsigned_maximum(bits);
            Some(Range::unsigned(bits, (a_low + b_low).min(limit), (a_high + b_high).min(limit)))
        }
        SubSaturatingUnsigned => Some(Range::unsigned(bits, (a_low - b_high).max(0), (a_high - b_low).max(0))),
        MulHighUnsigned => {
            let high = a_high.checked_mul(b_high).map_or(unsigned_maximum(bits), |product| product >> bits);
            Some(Range::unsigned(bits, 0, high))
        }
        _ => None,
    }
}

/// All ones up to the highest bit that is set.
fn filled(value: i128) -> i128 {
    match value {
        0 => 0,
        _ => (1 << (128 - value.leading_zeros())) - 1,
    }
}

fn fits_unsigned(bits: u32, low: i128, high: i128) -> Option<Range> {
    (low >= 0 && high <= unsigned_maximum(bits)).then(|| Range::unsigned(bits, low, high))
}

fn fits_signed(bits: u32, low: i128, high: i128) -> Option<Range> {
    let limit = signed_maximum(bits);
    (low >= -limit - 1 && high <= limit).then(|| Range::signed(bits, low, high))
}
