//! Builds sequences of instructions for passes, in the middle of blocks that they rewrite.
//! The caller puts the finished sequence into a block.

use crate::{
    BinaryOperator, CastOperator, CompareOperator, Constant, Function, InstructionId, LocationId, Operation, Type, TypeId, UnaryOperator,
    ValueId,
};

/// A sequence of instructions under construction.
#[derive(Debug, Default)]
pub(super) struct Sequence {
    /// The instructions so far.
    pub instructions: Vec<InstructionId>,
    /// Where the next instructions come from.
    pub location: Option<LocationId>,
}

impl Sequence {
    /// Appends an instruction with a result.
    pub fn value(&mut self, function: &mut Function, operation: Operation, ty: Type) -> ValueId {
        let id = function.create_instruction(operation, Some(ty), self.location);
        self.instructions.push(id);
        function.instruction(id).result.expect("the instruction was made with a result")
    }

    /// Appends an instruction without result.
    pub fn effect(&mut self, function: &mut Function, operation: Operation) {
        let id = function.create_instruction(operation, None, self.location);
        self.instructions.push(id);
    }

    /// Appends arithmetic on two values.
    pub fn binary(&mut self, function: &mut Function, operator: BinaryOperator, a: ValueId, b: ValueId) -> ValueId {
        let ty = function.ty(a);
        self.value(function, Operation::Binary(operator, a, b), ty)
    }

    /// Appends arithmetic on one value.
    pub fn unary(&mut self, function: &mut Function, operator: UnaryOperator, a: ValueId) -> ValueId {
        let ty = function.ty(a);
        self.value(function, Operation::Unary(operator, a), ty)
    }

    /// Appends a comparison.
    pub fn compare(&mut self, function: &mut Function, operator: CompareOperator, a: ValueId, b: ValueId) -> ValueId {
        self.value(function, Operation::Compare(operator, a, b), Type::Bool)
    }

    /// Appends a selection.
    pub fn select(&mut self, function: &mut Function, condition: ValueId, then: ValueId, otherwise: ValueId) -> ValueId {
        let ty = function.ty(then);
        self.value(function, Operation::Select(condition, then, otherwise), ty)
    }

    /// Appends a conversion.
    pub fn cast(&mut self, function: &mut Function, operator: CastOperator, value: ValueId, ty: Type) -> ValueId {
        self.value(function, Operation::Cast(operator, value), ty)
    }

    /// Appends the address of an element at a constant index.
    pub fn element(&mut self, function: &mut Function, base: ValueId, index: u64, ty: TypeId) -> ValueId {
        let index = function.add_constant(Constant::integer(Type::I64, index.into()));
        let pointer = function.ty(base);
        self.value(function, Operation::Element { base, index, ty }, pointer)
    }

    /// Appends a value of another type with the same size and the same bits. `bool` takes the place of an `i8`.
    pub fn reinterpret(&mut self, function: &mut Function, value: ValueId, to: Type) -> ValueId {
        let from = function.ty(value);
        match (from, to) {
            _ if from == to => value,
            (Type::Bool, _) => {
                let byte = self.cast(function, CastOperator::ZeroExtend, value, Type::I8);
                self.reinterpret(function, byte, to)
            }
            (_, Type::Bool) => self.cast(function, CastOperator::Truncate, value, Type::Bool),
            (Type::Pointer(_), Type::Pointer(_)) => self.convert_pointer(function, value, to),
            (Type::Pointer(_), _) => {
                let address = self.cast(function, CastOperator::PointerToInteger, value, Type::I64);
                self.reinterpret(function, address, to)
            }
            (_, Type::Pointer(_)) => {
                let address = self.reinterpret(function, value, Type::I64);
                self.cast(function, CastOperator::IntegerToPointer, address, to)
            }
            _ => self.cast(function, CastOperator::Bitcast, value, to),
        }
    }

    /// Appends the same address as a pointer into another space.
    fn convert_pointer(&mut self, function: &mut Function, value: ValueId, to: Type) -> ValueId {
        let generic = Type::Pointer(crate::Space::Generic);
        if function.ty(value) == generic || to == generic {
            return self.cast(function, CastOperator::Space, value, to);
        }
        let value = self.cast(function, CastOperator::Space, value, generic);
        self.cast(function, CastOperator::Space, value, to)
    }
}
