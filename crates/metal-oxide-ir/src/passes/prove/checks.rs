//! Lists the checks that a module still has, and says what would make each of them superfluous.

use crate::analysis::ControlFlow;
use crate::{
    BinaryOperator, BlockId, CastOperator, CompareOperator, Constant, Coordinate, Function, FunctionKind, KernelParameterKind, Module,
    Operation, SiteId, Terminator, ValueId,
};

/// A check that runs in the kernel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RemainingCheck {
    /// The function.
    pub function: String,
    /// What fails, and where.
    pub site: SiteId,
    /// The relation that would prove the check, in terms of the source as far as it is known: `i + 1 < input.len()`.
    pub needs: String,
}

/// How deep conditions are shown.
const DEPTH: u32 = 6;

/// All branches of which one side fails.
pub fn remaining_checks(module: &Module) -> Vec<RemainingCheck> {
    let mut checks = Vec::new();
    for function in &module.functions {
        let flow = ControlFlow::new(function);
        let failing = super::failing_blocks(function, &flow);
        for &block in flow.reverse_postorder() {
            let Terminator::CondBranch { condition, then, otherwise } = &function.block(block).terminator else { continue };
            let (expected, fails) = match (failing[then.block.index()], failing[otherwise.block.index()]) {
                (true, false) => (false, then.block),
                (false, true) => (true, otherwise.block),
                _ => continue,
            };
            let Some(site) = first_site(function, fails) else { continue };
            let needs = Namer { function }.condition(*condition, expected, DEPTH);
            checks.push(RemainingCheck { function: function.name.clone(), site, needs });
        }
    }
    checks
}

/// The failure that a failing block leads to.
fn first_site(function: &Function, mut block: BlockId) -> Option<SiteId> {
    // Failing blocks are not in a loop.
    loop {
        let terminator = &function.block(block).terminator;
        if let Terminator::Fail(site) = terminator {
            return Some(*site);
        }
        let next = terminator.targets().next()?.block;
        block = next;
    }
}

/// Writes values as the source might.
struct Namer<'a> {
    function: &'a Function,
}

impl Namer<'_> {
    fn condition(&self, condition: ValueId, truth: bool, depth: u32) -> String {
        use BinaryOperator::{And, Or};
        let Some(operation) = self.function.defining_operation(condition).filter(|_| depth > 0) else {
            let value = self.value(condition, depth);
            return if truth { value } else { format!("!{value}") };
        };
        match operation {
            Operation::Unary(crate::UnaryOperator::Not, a) => self.condition(*a, !truth, depth - 1),
            Operation::Binary(operator @ (And | Or), a, b) => {
                let (a, b) = (self.condition(*a, truth, depth - 1), self.condition(*b, truth, depth - 1));
                if (*operator == And) == truth { format!("{a} && {b}") } else { format!("({a} || {b})") }
            }
            Operation::Compare(operator, a, b) => {
                let (operator, prefix) = match (truth, operator.negated()) {
                    (true, _) => (*operator, ""),
                    (false, Some(negated)) => (negated, ""),
                    (false, None) => (*operator, "!"),
                };
                let text = format!("{} {} {}", self.value(*a, depth - 1), symbol(operator), self.value(*b, depth - 1));
                if prefix.is_empty() { text } else { format!("!({text})") }
            }
            _ => {
                let value = self.value(condition, depth);
                if truth { value } else { format!("!{value}") }
            }
        }
    }

    fn value(&self, value: ValueId, depth: u32) -> String {
        if let Some(name) = self.parameter(value) {
            return name;
        }
        if let Some(name) = self.function.name(value) {
            return name.to_owned();
        }
        if let Some(constant) = self.function.constant(value) {
            return match constant {
                Constant::Bits { .. } => constant.as_signed().unwrap_or_default().to_string(),
                Constant::Global(_) => "a constant".into(),
                Constant::Undef(_) => "an undefined value".into(),
            };
        }
        let Some(operation) = self.function.defining_operation(value).filter(|_| depth > 0) else { return "a value".into() };
        match operation {
            Operation::Cast(
                CastOperator::ZeroExtend | CastOperator::SignExtend | CastOperator::Truncate | CastOperator::PointerToInteger,
                a,
            ) => self.value(*a, depth - 1),
            Operation::Binary(operator, a, b) => {
                let (a, b) = (self.factor(*a, depth - 1), self.factor(*b, depth - 1));
                use BinaryOperator::*;
                match operator {
                    Add => format!("{a} + {b}").replace("+ -", "- "),
                    Sub => format!("{a} - {b}"),
                    Mul => format!("{a} * {b}"),
                    DivUnsigned | DivSigned => format!("{a} / {b}"),
                    RemUnsigned | RemSigned => format!("{a} % {b}"),
                    And => format!("{a} & {b}"),
                    ShiftLeft => format!("{a} << {b}"),
                    ShiftRightUnsigned | ShiftRightSigned => format!("{a} >> {b}"),
                    MinUnsigned | MinSigned => format!("min({a}, {b})"),
                    MaxUnsigned | MaxSigned => format!("max({a}, {b})"),
                    other => format!("{}({a}, {b})", other.keyword()),
                }
            }
            Operation::Coordinate(coordinate, axis) => {
                let axis = axis.keyword();
                match coordinate {
                    Coordinate::ThreadInGrid => format!("thread_position().{axis}"),
                    Coordinate::ThreadInBlock => format!("thread_idx().{axis}"),
                    Coordinate::BlockInGrid => format!("block_idx().{axis}"),
                    Coordinate::BlockSize => format!("block_dim().{axis}"),
                    Coordinate::GridSize => format!("grid_dim().{axis}"),
                    other => other.keyword().into(),
                }
            }
            Operation::Load(_) => "a loaded value".into(),
            Operation::Call(..) => "a returned value".into(),
            _ => "a computed value".into(),
        }
    }

    /// A value as an operand of an operator.
    fn factor(&self, value: ValueId, depth: u32) -> String {
        let text = self.value(value, depth);
        let composed = self.parameter(value).is_none() && text.contains(' ') && !text.ends_with(')') && !text.starts_with("a ");
        if composed { format!("({text})") } else { text }
    }

    /// The name of a kernel's parameter, or of a buffer's length.
    fn parameter(&self, value: ValueId) -> Option<String> {
        let FunctionKind::Kernel { parameters } = &self.function.kind else { return None };
        let mut values = self.function.parameters().iter();
        for parameter in parameters {
            if *values.next()? == value {
                return Some(parameter.name.clone());
            }
            if matches!(parameter.kind, KernelParameterKind::Buffer { .. }) && *values.next()? == value {
                return Some(format!("{}.len()", parameter.name));
            }
        }
        None
    }
}

fn symbol(operator: CompareOperator) -> &'static str {
    use CompareOperator::*;
    match operator {
        Equal | FloatEqual => "==",
        NotEqual | FloatNotEqual => "!=",
        LessUnsigned | LessSigned | FloatLess => "<",
        LessEqualUnsigned | LessEqualSigned | FloatLessEqual => "<=",
        GreaterUnsigned | GreaterSigned | FloatGreater => ">",
        GreaterEqualUnsigned | GreaterEqualSigned | FloatGreaterEqual => ">=",
    }
}
