//! What variables would like to be called: as in the source where the IR knows it, else after what they hold.

use std::collections::{HashMap, HashSet};

use metal_oxide_ir::{BinaryOperator, CastOperator, Function, MemoryKind, Module, Operation, Type, UnaryOperator, ValueId};

use crate::flow::coalesce::{VariableId, VariableKind};
use crate::flow::fold::Form;
use crate::flow::memory::{Origin, origin};
use crate::lower::Lowered;
use crate::structure::Statement;

/// A name for each variable. Conflicts are settled where the names are used.
pub(crate) fn hints(module: &Module, lowered: &Lowered) -> Vec<String> {
    let function = &lowered.function;
    let mut given = passed_on(lowered);
    let mut counters = HashSet::new();
    find_counters(&lowered.statements, &mut counters);
    let mut hints: Vec<String> = Vec::new();
    for variable in lowered.variables.ids() {
        let hint = match lowered.variables.kind(variable) {
            VariableKind::Flag => "done".to_owned(),
            VariableKind::Temporary(of) => format!("old_{}", hints[of.index()]),
            VariableKind::Slot(slot) => {
                function.instruction(*slot).result.and_then(|value| function.name(value)).map_or_else(|| "local".to_owned(), str::to_owned)
            }
            VariableKind::Values(values) => {
                // Parameters of blocks come first in a class: they are what the source calls a variable.
                let named = values.iter().find_map(|&value| function.name(value).map(str::to_owned).or_else(|| given.remove(&value)));
                named.unwrap_or_else(|| {
                    if counters.contains(&variable) {
                        return "i".to_owned();
                    }
                    values.iter().find_map(|&value| described(module, function, value)).unwrap_or_else(|| by_type(function, values[0]))
                })
            }
        };
        hints.push(hint);
    }
    hints
}

/// Names that values get from conversions of them, which have no variable of their own.
fn passed_on(lowered: &Lowered) -> HashMap<ValueId, String> {
    let function = &lowered.function;
    let mut names = HashMap::new();
    for block in &function.blocks {
        for &id in &block.instructions {
            let instruction = function.instruction(id);
            if let (Operation::Cast(CastOperator::ZeroExtend | CastOperator::SignExtend, from), Some(result)) =
                (&instruction.operation, instruction.result)
                && lowered.forms.of(function, result) == Form::Folded
                && let Some(name) = function.name(result)
            {
                names.entry(*from).or_insert_with(|| name.to_owned());
            }
        }
    }
    names
}

/// The variables that `for` loops count.
fn find_counters(statements: &[Statement], found: &mut HashSet<VariableId>) {
    for statement in statements {
        match statement {
            Statement::Loop(each) => {
                found.extend(each.step.map(|(variable, _)| variable));
                find_counters(&each.body, found);
            }
            Statement::If { then, otherwise, .. } => {
                find_counters(then, found);
                find_counters(otherwise, found);
            }
            Statement::Switch { cases, default, .. } => {
                cases.iter().for_each(|(_, body)| find_counters(body, found));
                find_counters(default, found);
            }
            _ => {}
        }
    }
}

/// What an instruction's result is.
fn described(module: &Module, function: &Function, value: ValueId) -> Option<String> {
    use BinaryOperator::*;
    let text = match function.defining_operation(value)? {
        Operation::Load(pointer) => return Some(loaded(module, function, *pointer)),
        Operation::Call(callee, _) => return Some(format!("{}_result", module.function(*callee).name)),
        Operation::Math(math, _) => return Some(format!("{}_value", math.keyword())),
        Operation::Cast(_, from) => return function.name(*from).map(str::to_owned).or_else(|| described(module, function, *from)),
        Operation::Coordinate(_, axis) => axis.keyword(),
        Operation::Compare(..) => "condition",
        Operation::Select(..) => "chosen",
        Operation::Binary(And | Or | Xor, ..) if function.ty(value) == Type::Bool => "condition",
        Operation::Binary(operator, ..) => match operator {
            Add | FloatAdd | AddSaturatingUnsigned | AddSaturatingSigned => "sum",
            Sub | FloatSub | SubSaturatingUnsigned | SubSaturatingSigned => "difference",
            Mul | FloatMul | MulHighUnsigned | MulHighSigned => "product",
            DivUnsigned | DivSigned | FloatDiv => "quotient",
            RemUnsigned | RemSigned | FloatRem => "remainder",
            MinUnsigned | MinSigned | FloatMin => "smaller",
            MaxUnsigned | MaxSigned | FloatMax => "larger",
            ShiftLeft | ShiftRightUnsigned | ShiftRightSigned => "shifted",
            RotateLeft => "rotated",
            And | Or | Xor => "bits",
            CopySign => "value",
        },
        Operation::Unary(operator, _) => match operator {
            UnaryOperator::Not => "inverse",
            UnaryOperator::Neg | UnaryOperator::FloatNeg => "negative",
            UnaryOperator::FloatAbs => "magnitude",
            UnaryOperator::Sqrt => "root",
            UnaryOperator::Floor | UnaryOperator::Ceil | UnaryOperator::Truncate | UnaryOperator::Round | UnaryOperator::RoundEven => {
                "rounded"
            }
            UnaryOperator::CountOnes | UnaryOperator::LeadingZeros | UnaryOperator::TrailingZeros => "count",
            UnaryOperator::ReverseBits | UnaryOperator::SwapBytes => "reversed",
        },
        _ => return None,
    };
    Some(text.to_owned())
}

/// What memory at an address would be called.
fn loaded(module: &Module, function: &Function, pointer: ValueId) -> String {
    if let Some(Operation::Field { ty, field, .. }) = function.defining_operation(pointer)
        && let MemoryKind::Struct { fields } = &module.ty(*ty).kind
    {
        return fields[*field as usize].name.clone();
    }
    let named = match origin(function, pointer) {
        Origin::Slot(slot) => function.instruction(slot).result,
        Origin::Value(value) => Some(value),
    };
    match named.and_then(|value| function.name(value)) {
        Some(name) => format!("{name}_element"),
        None => "element".to_owned(),
    }
}

fn by_type(function: &Function, value: ValueId) -> String {
    match function.ty(value) {
        Type::Bool => "condition",
        Type::Pointer(_) => "pointer",
        _ => "value",
    }
    .to_owned()
}
