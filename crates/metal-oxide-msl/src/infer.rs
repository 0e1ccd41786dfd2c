//! The types of variables and of functions' parameters: what pointers point at, and which integers have a sign.
//! Pointers are settled for the whole file at once, since they flow through calls both ways; signs go from callees to callers.

use metal_oxide_ir::{
    BinaryOperator, CastOperator, CompareOperator, FunctionId, InstructionId, Operation, Space, Terminator, Type, UnaryOperator,
    ValueDefinition, ValueId,
};

use crate::expression::{Access, Pointee, PointerType, VariableType, Writer};
use crate::flow::coalesce::{VariableId, VariableKind};
use crate::flow::fold::{Form, jump_operands};
use crate::flow::memory::is_function_parameter;
use crate::frame::{Frame, Shared, written_pointers};
use crate::lower::Lowered;
use crate::names::Names;
use crate::program::Program;
use crate::scalar::Scalar;
use crate::support::Supports;

/// A function and how it refers to its parameters.
pub(crate) struct Unit<'a> {
    pub(crate) id: FunctionId,
    pub(crate) lowered: Lowered,
    pub(crate) frame: Frame<'a>,
    pub(crate) names: &'a Names,
}

/// Settles the types of all variables and signatures. The units come callees first.
pub(crate) fn infer(module: &metal_oxide_ir::Module, program: &mut Program, units: &mut [Unit<'_>], math: metal_oxide_artifact::MathMode) {
    start(program, units);
    let supports = Supports::default();
    // Each round either settles a pointer or is the last; a pointer changes at most twice.
    loop {
        let mut changed = false;
        for index in (0..units.len()).rev() {
            let shared = Shared { module, program, supports: &supports, math };
            let found = pointees(shared, &units[index]);
            changed |= apply(program, &mut units[index], found);
        }
        if !changed {
            break;
        }
    }
    for unit in units {
        let pointers = unit.lowered.types.iter_mut().chain(&mut program.signatures[unit.id.index()].parameters);
        pointers.for_each(settle);
        program.signatures[unit.id.index()].result.iter_mut().for_each(settle);
        let shared = Shared { module, program, supports: &supports, math };
        let votes = unit.frame.with_writer(shared, unit.id, &unit.lowered, |writer| Votes::count(writer, &unit.lowered));
        votes.apply(program, unit);
    }
}

fn settle(ty: &mut VariableType) {
    if let VariableType::Pointer(PointerType { pointee, .. }) = ty
        && *pointee == Pointee::Unknown
    {
        *pointee = Pointee::Bytes;
    }
}

/// The types as far as they are known without looking at uses.
fn start(program: &mut Program, units: &mut [Unit<'_>]) {
    let mut writes: Vec<Vec<bool>> = vec![Vec::new(); program.signatures.len()];
    for unit in units {
        let function = &unit.lowered.function;
        let written = written_pointers(&unit.lowered, &|callee, index| writes[callee.index()].get(index).copied().unwrap_or(true));
        writes[unit.id.index()] = function.parameters().iter().map(|value| written.contains(value)).collect();
        let of = |ty: Type, read_only: bool| match ty {
            Type::Pointer(space) => {
                VariableType::Pointer(PointerType { space, pointee: Pointee::Unknown, read_only: read_only || space == Space::Constant })
            }
            _ => VariableType::Scalar(Scalar::of(ty, false)),
        };
        let signature = &mut program.signatures[unit.id.index()];
        signature.parameters = function.parameters().iter().map(|&value| of(function.ty(value), !written.contains(&value))).collect();
        signature.result = function.result.map(|ty| of(ty, false));
        let variables = &unit.lowered.variables;
        let mut types: Vec<VariableType> = Vec::new();
        for variable in variables.ids() {
            types.push(match variables.kind(variable) {
                VariableKind::Values(values) => {
                    let ty = values.first().map_or(Type::I32, |&value| function.ty(value));
                    of(ty, !values.iter().any(|value| written.contains(value)))
                }
                VariableKind::Temporary(of) => types[of.index()].clone(),
                VariableKind::Slot(slot) => match function.instruction(*slot).operation {
                    Operation::Slot(ty) => VariableType::Memory(ty),
                    _ => VariableType::Scalar(Scalar::UINT),
                },
                VariableKind::Flag => VariableType::Scalar(Scalar::Bool),
            });
        }
        unit.lowered.types = types;
    }
}

/// What a round found out about the pointers of one function.
#[derive(Default)]
struct Found {
    variables: Vec<(VariableId, Pointee)>,
    arguments: Vec<(FunctionId, usize, Pointee)>,
    results: Vec<Pointee>,
}

fn pointees(shared: Shared<'_>, unit: &Unit<'_>) -> Found {
    unit.frame.with_writer(shared, unit.id, &unit.lowered, |writer| {
        let mut found = Found::default();
        let (function, variables) = (writer.function, writer.variables);
        for variable in variables.ids() {
            let VariableKind::Values(values) = variables.kind(variable) else { continue };
            for &value in values {
                if !function.ty(value).is_pointer() {
                    continue;
                }
                match function.definition(value) {
                    ValueDefinition::Instruction { instruction, .. } => {
                        let pointee = match &function.instruction(instruction).operation {
                            Operation::Select(_, a, b) => writer.joined(writer.pointee(*a), writer.pointee(*b)),
                            Operation::Call(callee, _) => match shared.program.signature(*callee).result {
                                Some(VariableType::Pointer(ty)) => ty.pointee,
                                _ => Pointee::Unknown,
                            },
                            _ => Pointee::Unknown,
                        };
                        found.variables.push((variable, pointee));
                    }
                    ValueDefinition::Parameter { .. } | ValueDefinition::Constant(_) => {}
                }
            }
        }
        for &id in unit.lowered.flow.control.reverse_postorder() {
            let block = function.block(id);
            for &instruction in &block.instructions {
                if let Operation::Call(callee, arguments) = &function.instruction(instruction).operation {
                    for (index, &argument) in arguments.iter().enumerate() {
                        if function.ty(argument).is_pointer() {
                            found.arguments.push((*callee, index, writer.pointee(argument)));
                        }
                    }
                }
            }
            if let Terminator::Return(Some(value)) = block.terminator
                && function.ty(value).is_pointer()
            {
                found.results.push(writer.pointee(value));
            }
            for target in block.terminator.targets() {
                for (parameter, argument) in jump_operands(function, target) {
                    let Some(parameter) = parameter else {
                        if function.ty(argument).is_pointer() {
                            found.results.push(writer.pointee(argument));
                        }
                        continue;
                    };
                    if function.ty(parameter).is_pointer()
                        && let Some(variable) = variables.of(parameter)
                    {
                        found.variables.push((variable, writer.pointee(argument)));
                    }
                }
            }
        }
        // Joins everything that meets in one place.
        let mut joined = Found::default();
        for (variable, pointee) in found.variables {
            let known = match &writer.types[variable.index()] {
                VariableType::Pointer(ty) => ty.pointee,
                _ => continue,
            };
            match joined.variables.iter_mut().find(|(other, _)| *other == variable) {
                Some((_, old)) => *old = writer.joined(*old, pointee),
                None => joined.variables.push((variable, writer.joined(known, pointee))),
            }
        }
        for (callee, index, pointee) in found.arguments {
            let known = match &shared.program.signature(callee).parameters[index] {
                VariableType::Pointer(ty) => ty.pointee,
                _ => continue,
            };
            match joined.arguments.iter_mut().find(|(other, place, _)| (*other, *place) == (callee, index)) {
                Some((_, _, old)) => *old = writer.joined(*old, pointee),
                None => joined.arguments.push((callee, index, writer.joined(known, pointee))),
            }
        }
        if let Some(VariableType::Pointer(known)) = &shared.program.signature(unit.id).result {
            joined.results.push(found.results.into_iter().fold(known.pointee, |a, b| writer.joined(a, b)));
        }
        joined
    })
}

fn apply(program: &mut Program, unit: &mut Unit<'_>, found: Found) -> bool {
    let mut changed = false;
    let mut set = |ty: &mut VariableType, pointee: Pointee| {
        if let VariableType::Pointer(ty) = ty
            && ty.pointee != pointee
        {
            ty.pointee = pointee;
            changed = true;
        }
    };
    for (variable, pointee) in found.variables {
        set(&mut unit.lowered.types[variable.index()], pointee);
    }
    // Temporaries follow the variables whose values they keep.
    for variable in unit.lowered.variables.ids() {
        if let VariableKind::Temporary(of) = unit.lowered.variables.kind(variable) {
            unit.lowered.types[variable.index()] = unit.lowered.types[of.index()].clone();
        }
    }
    for (callee, index, pointee) in found.arguments {
        set(&mut program.signatures[callee.index()].parameters[index], pointee);
    }
    for pointee in found.results {
        if let Some(result) = &mut program.signatures[unit.id.index()].result {
            set(result, pointee);
        }
    }
    changed
}

/// For each integer, how much speaks for a sign (positive) or against one.
struct Votes {
    variables: Vec<i32>,
    parameters: Vec<i32>,
    result: i32,
}

/// Where a value would rather have no cast.
const OPERAND: i32 = 2;
/// Where a cast would not show much.
const WEAK: i32 = 1;

impl Votes {
    fn count(writer: &Writer<'_>, lowered: &Lowered) -> Self {
        let function = writer.function;
        let mut votes = Votes { variables: vec![0; writer.variables.len()], parameters: vec![0; function.parameters().len()], result: 0 };
        for &id in lowered.flow.control.reverse_postorder() {
            let block = function.block(id);
            for &instruction in &block.instructions {
                votes.instruction(writer, instruction);
            }
            if let Terminator::Return(Some(value)) = block.terminator {
                votes.result += votes.leaning(writer, value);
            }
        }
        votes
    }

    fn apply(self, program: &mut Program, unit: &mut Unit<'_>) {
        let choose = |ty: &mut VariableType, votes: i32| {
            if let VariableType::Scalar(scalar @ Scalar::Integer { .. }) = ty {
                *scalar = Scalar::Integer { bits: scalar.bits(), signed: votes > 0 };
            }
        };
        for (ty, votes) in unit.lowered.types.iter_mut().zip(&self.variables) {
            choose(ty, *votes);
        }
        for variable in unit.lowered.variables.ids() {
            if let VariableKind::Temporary(of) = unit.lowered.variables.kind(variable) {
                unit.lowered.types[variable.index()] = unit.lowered.types[of.index()].clone();
            }
        }
        let signature = &mut program.signatures[unit.id.index()];
        for (ty, votes) in signature.parameters.iter_mut().zip(&self.parameters) {
            choose(ty, *votes);
        }
        signature.result.iter_mut().for_each(|ty| choose(ty, self.result));
    }

    fn vote(&mut self, writer: &Writer<'_>, value: ValueId, weight: i32) {
        let function = writer.function;
        if !function.ty(value).is_integer() || weight == 0 {
            return;
        }
        match writer.forms.of(function, value) {
            Form::Variable => {
                if let Some(variable) = writer.variables.of(value) {
                    self.variables[variable.index()] += weight;
                }
            }
            Form::Leaf if is_function_parameter(function, value) => {
                if let Some(index) = function.parameters().iter().position(|&parameter| parameter == value) {
                    self.parameters[index] += weight;
                }
            }
            // These have the sign of their operands.
            Form::Folded => match function.defining_operation(value) {
                Some(Operation::Binary(BinaryOperator::And | BinaryOperator::Or | BinaryOperator::Xor, a, b)) => {
                    self.vote(writer, *a, weight);
                    self.vote(writer, *b, weight);
                }
                Some(Operation::Select(_, a, b)) => {
                    self.vote(writer, *a, weight);
                    self.vote(writer, *b, weight);
                }
                Some(Operation::Unary(UnaryOperator::Not, a)) => self.vote(writer, *a, weight),
                _ => {}
            },
            Form::Leaf | Form::Slot | Form::Absent => {}
        }
    }

    /// What a returned value was found to be so far.
    fn leaning(&self, writer: &Writer<'_>, value: ValueId) -> i32 {
        match writer.forms.of(writer.function, value) {
            Form::Variable => writer.variables.of(value).map_or(0, |variable| self.variables[variable.index()].signum()),
            Form::Folded => match writer.function.defining_operation(value) {
                Some(operation) => sign_of_result(operation).signum(),
                None => 0,
            },
            _ => 0,
        }
    }

    fn instruction(&mut self, writer: &Writer<'_>, id: InstructionId) {
        let function = writer.function;
        let instruction = function.instruction(id);
        if instruction.result.is_some_and(|value| writer.forms.of(function, value) == Form::Absent) {
            return;
        }
        let steady = instruction.result.is_some_and(|value| writer.steady.contains(&value));
        let operation = &instruction.operation;
        let operands = match operation {
            _ if steady => 0,
            Operation::Binary(operator, a, _) => {
                let (weight, left_only) = binary(*operator, function.ty(*a));
                if left_only {
                    self.vote(writer, *a, weight);
                    0
                } else {
                    weight
                }
            }
            Operation::Unary(operator, _) => unary(*operator),
            Operation::Compare(operator, ..) => compare(*operator),
            Operation::Cast(CastOperator::SignExtend | CastOperator::SignedToFloat, _) => OPERAND,
            Operation::Cast(CastOperator::ZeroExtend | CastOperator::UnsignedToFloat, _) => -OPERAND,
            Operation::Store { pointer, value } => {
                self.vote(writer, *value, self.declared(writer, *pointer, function.ty(*value)));
                0
            }
            Operation::Call(callee, arguments) => {
                for (ty, &argument) in writer.program.signature(*callee).parameters.iter().zip(arguments) {
                    if let VariableType::Scalar(Scalar::Integer { signed, .. }) = ty {
                        self.vote(writer, argument, if *signed { WEAK } else { -WEAK });
                    }
                }
                0
            }
            _ => 0,
        };
        if operands != 0 {
            operation.operands(|value| self.vote(writer, value, operands));
        }
        let Some(result) = instruction.result else { return };
        let weight = match operation {
            _ if steady => 0,
            Operation::Load(pointer) => 2 * self.declared(writer, *pointer, function.ty(result)),
            Operation::Call(callee, _) => match &writer.program.signature(*callee).result {
                Some(VariableType::Scalar(Scalar::Integer { signed, .. })) => {
                    if *signed {
                        OPERAND
                    } else {
                        -OPERAND
                    }
                }
                _ => 0,
            },
            _ => sign_of_result(operation),
        };
        if writer.forms.of(function, result) == Form::Variable {
            self.vote(writer, result, weight);
        }
    }

    /// What the declared type of memory says.
    fn declared(&self, writer: &Writer<'_>, pointer: ValueId, ty: Type) -> i32 {
        if !ty.is_integer() {
            return 0;
        }
        match writer.access(writer.address(pointer), ty) {
            Access::Object { scalar: Scalar::Integer { signed: true, .. }, .. } => WEAK,
            Access::Object { scalar: Scalar::Integer { signed: false, .. }, .. } => -WEAK,
            _ => 0,
        }
    }
}

/// What an operator wants its operands to be, and whether only the left one counts.
fn binary(operator: BinaryOperator, ty: Type) -> (i32, bool) {
    use BinaryOperator::*;
    match operator {
        // Narrow types are computed as `int` either way.
        Add | Sub | Mul if ty.bits() < 32 => (0, false),
        Add | Sub | Mul => (-WEAK, false),
        ShiftLeft | ShiftRightUnsigned => (-OPERAND, true),
        ShiftRightSigned => (OPERAND, true),
        MulHighUnsigned
        | DivUnsigned
        | RemUnsigned
        | MinUnsigned
        | MaxUnsigned
        | AddSaturatingUnsigned
        | SubSaturatingUnsigned
        | RotateLeft => (-OPERAND, false),
        MulHighSigned | DivSigned | RemSigned | MinSigned | MaxSigned | AddSaturatingSigned | SubSaturatingSigned => (OPERAND, false),
        _ => (0, false),
    }
}

fn unary(operator: UnaryOperator) -> i32 {
    use UnaryOperator::*;
    match operator {
        Neg | ReverseBits | SwapBytes | CountOnes | LeadingZeros | TrailingZeros => -WEAK,
        _ => 0,
    }
}

fn compare(operator: CompareOperator) -> i32 {
    use CompareOperator::*;
    match operator {
        LessSigned | LessEqualSigned | GreaterSigned | GreaterEqualSigned => OPERAND,
        LessUnsigned | LessEqualUnsigned | GreaterUnsigned | GreaterEqualUnsigned => -OPERAND,
        _ => 0,
    }
}

/// The sign that C++ gives an operation's result.
fn sign_of_result(operation: &Operation) -> i32 {
    match operation {
        Operation::Binary(operator, ..) => binary(*operator, Type::I32).0,
        Operation::Unary(operator, _) => unary(*operator),
        Operation::Cast(CastOperator::SignExtend | CastOperator::FloatToSigned, _) => OPERAND,
        Operation::Cast(CastOperator::ZeroExtend | CastOperator::FloatToUnsigned, _) => -OPERAND,
        Operation::Coordinate(..) => -OPERAND,
        _ => 0,
    }
}
