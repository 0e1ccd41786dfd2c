//! Small helpers that append instructions to the current block.
//! They fold only what would make the imported code unreadable.

use metal_oxide_ir::{
    BinaryOperator, BlockId, CastOperator, CompareOperator, Constant, Operation, Target, Terminator, Type, TypeId, UnaryOperator, ValueId,
};

use super::body::FunctionImporter;
use super::types::POINTER;

impl FunctionImporter<'_, '_> {
    /// Appends an instruction with a result.
    pub fn emit(&mut self, operation: Operation, ty: Type) -> ValueId {
        let location = self.location();
        let value = self.function.append(self.block, operation, ty, location);
        self.note_type(value);
        value
    }

    /// Appends an instruction without result.
    pub fn effect(&mut self, operation: Operation) {
        let location = self.location();
        self.function.append_effect(self.block, operation, location);
    }

    /// Ends the current block.
    pub fn terminate(&mut self, terminator: Terminator) {
        let location = self.location();
        self.function.terminate(self.block, terminator, location);
    }

    /// Jumps to a block.
    pub fn branch(&mut self, block: BlockId) {
        self.terminate(Terminator::branch(block));
    }

    /// Jumps to one of two blocks.
    pub fn branch_if(&mut self, condition: ValueId, then: BlockId, otherwise: BlockId) {
        let (then, otherwise) = (Target::new(then, Vec::new()), Target::new(otherwise, Vec::new()));
        self.terminate(Terminator::CondBranch { condition, then, otherwise });
    }

    /// Goes on in a new block that nothing leads to: what follows is never executed.
    pub fn go_on_unreached(&mut self) {
        self.block = self.function.add_block();
    }

    /// An integer constant.
    pub fn integer(&mut self, ty: Type, value: u128) -> ValueId {
        self.function.add_constant(Constant::integer(ty, value as i128))
    }

    /// A `usize` constant.
    pub fn word(&mut self, value: u64) -> ValueId {
        self.integer(Type::I64, value.into())
    }

    /// A `bool` constant.
    pub fn boolean(&mut self, value: bool) -> ValueId {
        self.function.add_constant(Constant::bool(value))
    }

    /// Any value.
    pub fn undef(&mut self, ty: Type) -> ValueId {
        self.function.add_constant(Constant::Undef(ty))
    }

    /// The bits of a constant.
    pub fn known(&self, value: ValueId) -> Option<u128> {
        self.function.constant(value).and_then(Constant::as_unsigned)
    }

    /// Thread memory, which the entry block provides.
    pub fn slot(&mut self, ty: TypeId) -> ValueId {
        let location = self.location();
        self.function.append(self.function.entry(), Operation::Slot(ty), POINTER, location)
    }

    /// Arithmetic on two values.
    pub fn binary(&mut self, operator: BinaryOperator, left: ValueId, right: ValueId) -> ValueId {
        let ty = self.function.ty(left);
        self.emit(Operation::Binary(operator, left, right), ty)
    }

    /// Arithmetic on one value.
    pub fn unary(&mut self, operator: UnaryOperator, value: ValueId) -> ValueId {
        let ty = self.function.ty(value);
        self.emit(Operation::Unary(operator, value), ty)
    }

    /// A comparison.
    pub fn compare(&mut self, operator: CompareOperator, left: ValueId, right: ValueId) -> ValueId {
        self.emit(Operation::Compare(operator, left, right), Type::Bool)
    }

    /// A choice.
    pub fn select(&mut self, condition: ValueId, then: ValueId, otherwise: ValueId) -> ValueId {
        let ty = self.function.ty(then);
        self.emit(Operation::Select(condition, then, otherwise), ty)
    }

    /// A conversion; none if the type is right already.
    pub fn cast(&mut self, operator: CastOperator, value: ValueId, ty: Type) -> ValueId {
        if self.function.ty(value) == ty {
            return value;
        }
        self.emit(Operation::Cast(operator, value), ty)
    }

    /// An integer or `bool` as another integer type.
    pub fn integer_cast(&mut self, value: ValueId, ty: Type, signed: bool) -> ValueId {
        let from = self.function.ty(value);
        if let Some(constant) = self.function.constant(value)
            && from.is_integer()
            && let (Some(unsigned), Some(signed_bits)) = (constant.as_unsigned(), constant.as_signed())
        {
            return self.function.add_constant(Constant::integer(ty, if signed { signed_bits } else { unsigned as i128 }));
        }
        let operator = match (from.bits().cmp(&ty.bits()), signed && from != Type::Bool) {
            (std::cmp::Ordering::Greater, _) => CastOperator::Truncate,
            (std::cmp::Ordering::Less, true) => CastOperator::SignExtend,
            _ => CastOperator::ZeroExtend,
        };
        self.cast(operator, value, ty)
    }

    /// The address of a field.
    pub fn field_address(&mut self, base: ValueId, ty: TypeId, field: u32) -> ValueId {
        self.emit(Operation::Field { base, ty, field }, POINTER)
    }

    /// The address of an element.
    pub fn element_address(&mut self, base: ValueId, ty: TypeId, index: ValueId) -> ValueId {
        self.emit(Operation::Element { base, index, ty }, POINTER)
    }

    /// An address some bytes on.
    pub fn offset_by(&mut self, base: ValueId, bytes: u64) -> ValueId {
        if bytes == 0 {
            return base;
        }
        let bytes = self.word(bytes);
        self.emit(Operation::Offset { base, bytes }, POINTER)
    }

    /// An address as a number.
    pub fn address_bits(&mut self, pointer: ValueId) -> ValueId {
        self.cast(CastOperator::PointerToInteger, pointer, Type::I64)
    }

    /// A pointer that points nowhere.
    pub fn dangling(&mut self, address: u64) -> ValueId {
        self.function.add_constant(Constant::Bits { ty: POINTER, bits: address.into() })
    }

    /// Runs `body` for each index below `count`.
    pub fn count_up<E>(&mut self, count: ValueId, body: impl FnOnce(&mut Self, ValueId) -> Result<(), E>) -> Result<(), E> {
        let (head, inside, after) = (self.function.add_block(), self.function.add_block(), self.function.add_block());
        let index = self.function.add_parameter(head, Type::I64);
        let zero = self.word(0);
        self.terminate(Terminator::Branch(Target::new(head, vec![zero])));
        self.block = head;
        let more = self.compare(CompareOperator::LessUnsigned, index, count);
        self.branch_if(more, inside, after);
        self.block = inside;
        body(self, index)?;
        let one = self.word(1);
        let next = self.binary(BinaryOperator::Add, index, one);
        self.terminate(Terminator::Branch(Target::new(head, vec![next])));
        self.block = after;
        Ok(())
    }

    /// Runs `body` for each index below `count`, from the last to the first.
    pub fn count_down<E>(&mut self, count: ValueId, body: impl FnOnce(&mut Self, ValueId) -> Result<(), E>) -> Result<(), E> {
        let (head, inside, after) = (self.function.add_block(), self.function.add_block(), self.function.add_block());
        let left = self.function.add_parameter(head, Type::I64);
        self.terminate(Terminator::Branch(Target::new(head, vec![count])));
        self.block = head;
        let zero = self.word(0);
        let more = self.compare(CompareOperator::NotEqual, left, zero);
        self.branch_if(more, inside, after);
        self.block = inside;
        let one = self.word(1);
        let index = self.binary(BinaryOperator::Sub, left, one);
        body(self, index)?;
        self.terminate(Terminator::Branch(Target::new(head, vec![index])));
        self.block = after;
        Ok(())
    }
}
