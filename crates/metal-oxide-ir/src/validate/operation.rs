//! Checks the types of one operation's operands and result.

use super::Stage;
use super::names::Names;
use crate::{
    Axis, CastOperator, CompareOperator, Constant, Coordinate, Function, FunctionKind, MemoryKind, Module, Operation, Space, Type, TypeId,
    ValueId,
};

/// What an operation needs to know of its surroundings.
pub(super) struct Checker<'a> {
    pub(super) module: &'a Module,
    pub(super) function: &'a Function,
    pub(super) stage: Stage,
    pub(super) names: &'a Names,
}

type Checked = Result<(), String>;

impl Checker<'_> {
    /// The type of an operand, which is checked itself.
    pub(super) fn operand(&self, value: ValueId) -> Result<Type, String> {
        if value.index() >= self.function.value_count() {
            return Err(format!("the value {value} does not exist"));
        }
        let ty = self.function.ty(value);
        match self.function.constant(value) {
            Some(Constant::Bits { bits, .. }) if bits > u128::MAX >> (128 - ty.bits()) => {
                return Err(format!("the constant {bits:#x} has bits that {ty} has not"));
            }
            Some(Constant::Global(global)) if global.index() >= self.module.globals.len() => {
                return Err(format!("{global} does not exist"));
            }
            _ => {}
        }
        self.value_type(ty)?;
        Ok(ty)
    }

    /// Checks that values of a type may exist at this stage.
    pub(super) fn value_type(&self, ty: Type) -> Checked {
        if self.stage == Stage::Optimized && matches!(ty, Type::Pointer(Space::Generic) | Type::I128 | Type::F64) {
            return Err(format!("a value of type {ty} survives optimisation"));
        }
        Ok(())
    }

    pub(super) fn operation(&self, operation: &Operation, result: Option<Type>) -> Checked {
        if let Some(ty) = result {
            self.value_type(ty)?;
        }
        match self.result(operation, result)? {
            Expected::Nothing if result.is_some() => Err("it has no result".into()),
            Expected::Something if result.is_none() => Err("its result is missing".into()),
            Expected::Exactly(ty) if result != Some(ty) => Err(format!("its result is {ty}, not {}", shown(result))),
            _ => Ok(()),
        }
    }

    /// Checks the operands and says what the result must be.
    fn result(&self, operation: &Operation, result: Option<Type>) -> Result<Expected, String> {
        match operation {
            Operation::Binary(operator, a, b) => {
                let ty = self.operand(*a)?;
                self.same(ty, *b)?;
                if operator.accepts(ty) { Ok(Expected::Exactly(ty)) } else { Err(format!("it does not take {ty}")) }
            }
            Operation::Unary(operator, a) => {
                let ty = self.operand(*a)?;
                if operator.accepts(ty) { Ok(Expected::Exactly(ty)) } else { Err(format!("it does not take {ty}")) }
            }
            Operation::Compare(operator, a, b) => {
                let ty = self.operand(*a)?;
                self.same(ty, *b)?;
                if !compares(*operator, ty) {
                    return Err(format!("it does not take {ty}"));
                }
                Ok(Expected::Exactly(Type::Bool))
            }
            Operation::Select(condition, a, b) => {
                self.same(Type::Bool, *condition)?;
                let ty = self.operand(*a)?;
                self.same(ty, *b)?;
                Ok(Expected::Exactly(ty))
            }
            Operation::Cast(operator, a) => {
                let from = self.operand(*a)?;
                let Some(to) = result else { return Ok(Expected::Something) };
                if !self.casts(*operator, from, to) {
                    return Err(format!("it does not go from {from} to {to}"));
                }
                Ok(Expected::Something)
            }
            Operation::Math(function, operands) => {
                if operands.len() != function.arity() {
                    return Err(format!("it takes {} operands, not {}", function.arity(), operands.len()));
                }
                let ty = self.operand(operands[0])?;
                operands.iter().try_for_each(|&operand| self.same(ty, operand))?;
                if ty.is_float() { Ok(Expected::Exactly(ty)) } else { Err(format!("it does not take {ty}")) }
            }
            Operation::Slot(ty) => {
                self.memory_type(*ty)?;
                match result {
                    Some(Type::Pointer(Space::Generic | Space::Thread)) => Ok(Expected::Something),
                    _ => Err(format!("its result is a pointer to thread memory, not {}", shown(result))),
                }
            }
            Operation::Load(pointer) => {
                self.pointer(*pointer)?;
                Ok(Expected::Something)
            }
            Operation::Store { pointer, value } => {
                self.written(*pointer)?;
                self.operand(*value)?;
                Ok(Expected::Nothing)
            }
            Operation::Copy { to, from, align, .. } => {
                self.written(*to)?;
                self.pointer(*from)?;
                if align.is_power_of_two() { Ok(Expected::Nothing) } else { Err(format!("{align} is no alignment")) }
            }
            Operation::Element { base, index, ty } => {
                self.memory_type(*ty)?;
                self.same(Type::I64, *index)?;
                Ok(Expected::Exactly(self.pointer(*base)?))
            }
            Operation::Field { base, ty, field } => {
                self.memory_type(*ty)?;
                match &self.module.ty(*ty).kind {
                    MemoryKind::Struct { fields } if (*field as usize) < fields.len() => Ok(Expected::Exactly(self.pointer(*base)?)),
                    MemoryKind::Struct { fields } => Err(format!("{ty} has {} fields, there is no field {field}", fields.len())),
                    _ => Err(format!("{ty} is not a struct")),
                }
            }
            Operation::Offset { base, bytes } => {
                self.same(Type::I64, *bytes)?;
                Ok(Expected::Exactly(self.pointer(*base)?))
            }
            Operation::Call(callee, arguments) => {
                let Some(callee) = self.module.functions.get(callee.index()) else { return Err(format!("{callee} does not exist")) };
                if matches!(callee.kind, FunctionKind::Kernel { .. }) {
                    return Err(format!("@{} is a kernel, which only the host launches", callee.name));
                }
                if callee.parameters().len() != arguments.len() {
                    return Err(format!("@{} takes {} arguments, not {}", callee.name, callee.parameters().len(), arguments.len()));
                }
                for (&argument, &parameter) in arguments.iter().zip(callee.parameters()) {
                    self.same(callee.ty(parameter), argument)?;
                }
                Ok(callee.result.map_or(Expected::Nothing, Expected::Exactly))
            }
            Operation::Coordinate(Coordinate::LaneInSimdGroup | Coordinate::SimdGroupInBlock, Axis::Y | Axis::Z) => {
                Err("it has only an x component".into())
            }
            Operation::Coordinate(..) => Ok(Expected::Exactly(Type::I32)),
            Operation::Assume(condition) => {
                self.same(Type::Bool, *condition)?;
                Ok(Expected::Nothing)
            }
        }
    }

    fn casts(&self, operator: CastOperator, from: Type, to: Type) -> bool {
        let narrow = |ty: Type| ty.is_integer() || ty == Type::Bool;
        match operator {
            CastOperator::Truncate => from.is_integer() && narrow(to) && to.bits() < from.bits(),
            CastOperator::ZeroExtend => narrow(from) && to.is_integer() && from.bits() < to.bits(),
            CastOperator::SignExtend => from.is_integer() && to.is_integer() && from.bits() < to.bits(),
            CastOperator::FloatToUnsigned | CastOperator::FloatToSigned => from.is_float() && to.is_integer(),
            CastOperator::UnsignedToFloat | CastOperator::SignedToFloat => from.is_integer() && to.is_float(),
            CastOperator::FloatToFloat => from.is_float() && to.is_float() && from != to,
            CastOperator::Bitcast => {
                !from.is_pointer() && !to.is_pointer() && from != Type::Bool && to != Type::Bool && from != to && from.bits() == to.bits()
            }
            CastOperator::PointerToInteger => from.is_pointer() && to == Type::I64,
            CastOperator::IntegerToPointer => from == Type::I64 && to.is_pointer(),
            CastOperator::Space => {
                self.stage == Stage::Imported
                    && from.is_pointer()
                    && to.is_pointer()
                    && from != to
                    && (from == Type::Pointer(Space::Generic) || to == Type::Pointer(Space::Generic))
            }
        }
    }

    /// Checks that an operand has a type.
    pub(super) fn same(&self, expected: Type, value: ValueId) -> Checked {
        let ty = self.operand(value)?;
        if ty == expected { Ok(()) } else { Err(format!("{} is {ty}, not {expected}", self.names.value(self.function, value))) }
    }

    fn pointer(&self, value: ValueId) -> Result<Type, String> {
        let ty = self.operand(value)?;
        if ty.is_pointer() { Ok(ty) } else { Err(format!("{} is {ty}, not a pointer", self.names.value(self.function, value))) }
    }

    /// Checks that an operand is a pointer through which the operation may write.
    fn written(&self, value: ValueId) -> Checked {
        match self.pointer(value)? {
            Type::Pointer(Space::Constant) => {
                Err(format!("{} points to constant memory, which nobody writes", self.names.value(self.function, value)))
            }
            _ => Ok(()),
        }
    }

    fn memory_type(&self, ty: TypeId) -> Checked {
        if ty.index() < self.module.types.len() { Ok(()) } else { Err(format!("{ty} does not exist")) }
    }
}

/// What an operation's result must be.
enum Expected {
    Nothing,
    Something,
    Exactly(Type),
}

fn compares(operator: CompareOperator, ty: Type) -> bool {
    match operator {
        CompareOperator::Equal | CompareOperator::NotEqual => !ty.is_float(),
        _ if operator.is_float() => ty.is_float(),
        _ => ty.is_integer() || ty.is_pointer(),
    }
}

fn shown(ty: Option<Type>) -> String {
    ty.map_or_else(|| "nothing".into(), |ty| ty.to_string())
}
