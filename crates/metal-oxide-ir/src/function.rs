//! Functions: blocks, instructions, terminators and values, with the operations that importers and passes build on.

use std::collections::HashMap;

use crate::{BlockId, Constant, InstructionId, LocationId, Operation, SiteId, Type, TypeId, UnsupportedId, ValueId};

/// A function. The first block is the entry; its parameters are the function's.
#[derive(Clone, Debug)]
pub struct Function {
    /// The name, unique in the module; the MSL name derives from it.
    pub name: String,
    /// Whether it is a kernel, and what the host passes to it.
    pub kind: FunctionKind,
    /// The type of the result, if it returns one.
    pub result: Option<Type>,
    /// The blocks; [`BlockId`] indexes them. Blocks that are not reachable from the first have no meaning.
    pub blocks: Vec<Block>,
    /// The instructions; [`InstructionId`] indexes them. Those that are in no block have no meaning.
    pub instructions: Vec<Instruction>,
    values: Vec<ValueDefinition>,
    names: HashMap<ValueId, String>,
    constants: HashMap<Constant, ValueId>,
}

/// How a function is used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FunctionKind {
    /// Called by other functions.
    Helper {
        /// It should stay a function: `#[inline(never)]`.
        keep: bool,
    },
    /// Launched by the host.
    Kernel {
        /// The Rust function's parameters, in order.
        parameters: Vec<KernelParameter>,
    },
}

/// What the host passes for one parameter of the Rust function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KernelParameter {
    /// The name in the source.
    pub name: String,
    /// How it arrives.
    pub kind: KernelParameterKind,
}

/// How a kernel's parameter arrives in the entry block's parameters, which follow one another in the order of the kernel's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KernelParameterKind {
    /// A device buffer: takes a `ptr<device>` and its element count, an `i64`.
    Buffer {
        /// The type of an element.
        element: TypeId,
        /// Whether the kernel may write it.
        writable: bool,
    },
    /// A scalar: takes one value of the scalar memory type `ty`.
    Scalar {
        /// Its memory type.
        ty: TypeId,
    },
    /// An aggregate: takes a `ptr<constant>` to its bytes in the argument block.
    Aggregate {
        /// Its memory type.
        ty: TypeId,
    },
}

/// A basic block.
#[derive(Clone, Debug, PartialEq)]
pub struct Block {
    /// Its parameters.
    pub parameters: Vec<ValueId>,
    /// Its instructions, in order.
    pub instructions: Vec<InstructionId>,
    /// How it ends.
    pub terminator: Terminator,
    /// Where the terminator comes from.
    pub location: Option<LocationId>,
}

/// An instruction in its place.
#[derive(Clone, Debug, PartialEq)]
pub struct Instruction {
    /// What it does.
    pub operation: Operation,
    /// Its result.
    pub result: Option<ValueId>,
    /// Where it comes from.
    pub location: Option<LocationId>,
}

/// Where a value comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValueDefinition {
    /// A parameter of a block.
    Parameter {
        /// The block.
        block: BlockId,
        /// Its type.
        ty: Type,
    },
    /// The result of an instruction.
    Instruction {
        /// The instruction.
        instruction: InstructionId,
        /// Its type.
        ty: Type,
    },
    /// A constant, known everywhere.
    Constant(Constant),
}

/// A jump to a block with arguments for its parameters.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Target {
    /// The block.
    pub block: BlockId,
    /// One argument for each of its parameters.
    pub arguments: Vec<ValueId>,
}

/// How a block ends.
#[derive(Clone, Debug, PartialEq)]
pub enum Terminator {
    /// Goes to a block.
    Branch(Target),
    /// Goes to one of two blocks.
    CondBranch {
        /// A `bool`.
        condition: ValueId,
        /// Taken when it is true.
        then: Target,
        /// Taken when it is false.
        otherwise: Target,
    },
    /// Goes to the block of the case that equals an integer, else to the default.
    Switch {
        /// The integer.
        value: ValueId,
        /// Distinct cases, as bits.
        cases: Vec<(u128, Target)>,
        /// Taken when no case matches.
        default: Target,
    },
    /// Returns to the caller, or ends the kernel.
    Return(Option<ValueId>),
    /// Reports a failure and ends the thread's work.
    Fail(SiteId),
    /// Code that the device cannot express.
    Unsupported(UnsupportedId),
    /// Never executed.
    Unreachable,
}

impl Function {
    /// A function whose entry block has one parameter of each type and no terminator yet (it is `unreachable`).
    pub fn new(name: impl Into<String>, kind: FunctionKind, parameters: &[Type], result: Option<Type>) -> Self {
        let mut function = Function {
            name: name.into(),
            kind,
            result,
            blocks: Vec::new(),
            instructions: Vec::new(),
            values: Vec::new(),
            names: HashMap::new(),
            constants: HashMap::new(),
        };
        let entry = function.add_block();
        for &ty in parameters {
            function.add_parameter(entry, ty);
        }
        function
    }

    /// The entry block.
    pub fn entry(&self) -> BlockId {
        BlockId::new(0)
    }

    /// The function's parameters.
    pub fn parameters(&self) -> &[ValueId] {
        &self.blocks[0].parameters
    }

    /// Whether the host launches it.
    pub fn is_kernel(&self) -> bool {
        matches!(self.kind, FunctionKind::Kernel { .. })
    }

    /// The block with this identifier.
    pub fn block(&self, id: BlockId) -> &Block {
        &self.blocks[id.index()]
    }

    /// The block with this identifier.
    pub fn block_mut(&mut self, id: BlockId) -> &mut Block {
        &mut self.blocks[id.index()]
    }

    /// The instruction with this identifier.
    pub fn instruction(&self, id: InstructionId) -> &Instruction {
        &self.instructions[id.index()]
    }

    /// The instruction with this identifier.
    pub fn instruction_mut(&mut self, id: InstructionId) -> &mut Instruction {
        &mut self.instructions[id.index()]
    }

    /// All block identifiers.
    pub fn block_ids(&self) -> impl DoubleEndedIterator<Item = BlockId> + use<> {
        (0..self.blocks.len()).map(BlockId::new)
    }

    /// How many values there are; identifiers are below this.
    pub fn value_count(&self) -> usize {
        self.values.len()
    }

    /// Where a value comes from.
    pub fn definition(&self, value: ValueId) -> ValueDefinition {
        self.values[value.index()]
    }

    /// The instruction that computes a value, if one does.
    pub fn defining_instruction(&self, value: ValueId) -> Option<InstructionId> {
        match self.definition(value) {
            ValueDefinition::Instruction { instruction, .. } => Some(instruction),
            _ => None,
        }
    }

    /// The operation that computes a value, if one does.
    pub fn defining_operation(&self, value: ValueId) -> Option<&Operation> {
        self.defining_instruction(value).map(|id| &self.instruction(id).operation)
    }

    /// The constant that a value is, if it is one.
    pub fn constant(&self, value: ValueId) -> Option<Constant> {
        match self.definition(value) {
            ValueDefinition::Constant(constant) => Some(constant),
            _ => None,
        }
    }

    /// The type of a value.
    pub fn ty(&self, value: ValueId) -> Type {
        match self.definition(value) {
            ValueDefinition::Parameter { ty, .. } | ValueDefinition::Instruction { ty, .. } => ty,
            ValueDefinition::Constant(constant) => constant.ty(),
        }
    }

    /// Changes the type of a parameter or an instruction's result. Users of the value must be adapted by the caller.
    ///
    /// # Panics
    /// If the value is a constant.
    pub fn set_type(&mut self, value: ValueId, new: Type) {
        match &mut self.values[value.index()] {
            ValueDefinition::Parameter { ty, .. } | ValueDefinition::Instruction { ty, .. } => *ty = new,
            ValueDefinition::Constant(_) => panic!("the type of a constant is part of it"),
        }
    }

    /// The name of the variable that a value stands for in the source, if known.
    pub fn name(&self, value: ValueId) -> Option<&str> {
        self.names.get(&value).map(String::as_str)
    }

    /// Gives a value the name of a variable of the source.
    pub fn set_name(&mut self, value: ValueId, name: impl Into<String>) {
        self.names.insert(value, name.into());
    }

    /// Adds an empty block that ends in `unreachable`.
    pub fn add_block(&mut self) -> BlockId {
        self.blocks.push(Block { parameters: Vec::new(), instructions: Vec::new(), terminator: Terminator::Unreachable, location: None });
        BlockId::new(self.blocks.len() - 1)
    }

    /// Appends a parameter to a block. The block's predecessors must be given an argument for it by the caller.
    pub fn add_parameter(&mut self, block: BlockId, ty: Type) -> ValueId {
        let value = self.add_value(ValueDefinition::Parameter { block, ty });
        self.block_mut(block).parameters.push(value);
        value
    }

    /// The value of a constant.
    pub fn add_constant(&mut self, constant: Constant) -> ValueId {
        if let Some(&value) = self.constants.get(&constant) {
            return value;
        }
        let value = self.add_value(ValueDefinition::Constant(constant));
        self.constants.insert(constant, value);
        value
    }

    /// Makes an instruction with a result of type `result`, or without result, that stands in no block yet.
    pub fn create_instruction(&mut self, operation: Operation, result: Option<Type>, location: Option<LocationId>) -> InstructionId {
        let id = InstructionId::new(self.instructions.len());
        let result = result.map(|ty| self.add_value(ValueDefinition::Instruction { instruction: id, ty }));
        self.instructions.push(Instruction { operation, result, location });
        id
    }

    /// Appends an instruction to a block and returns its result.
    ///
    /// # Panics
    /// If the operation has no result.
    pub fn append(&mut self, block: BlockId, operation: Operation, result: Type, location: Option<LocationId>) -> ValueId {
        let id = self.create_instruction(operation, Some(result), location);
        self.block_mut(block).instructions.push(id);
        self.instruction(id).result.expect("the instruction was made with a result")
    }

    /// Appends an instruction without result to a block.
    pub fn append_effect(&mut self, block: BlockId, operation: Operation, location: Option<LocationId>) -> InstructionId {
        let id = self.create_instruction(operation, None, location);
        self.block_mut(block).instructions.push(id);
        id
    }

    /// Ends a block.
    pub fn terminate(&mut self, block: BlockId, terminator: Terminator, location: Option<LocationId>) {
        let block = self.block_mut(block);
        block.terminator = terminator;
        block.location = location;
    }

    /// Rewrites every operand of every instruction and terminator in blocks.
    pub fn rewrite_operands(&mut self, mut rewrite: impl FnMut(ValueId) -> ValueId) {
        for block in &mut self.blocks {
            for &id in &block.instructions {
                self.instructions[id.index()].operation.operands_mut(|value| *value = rewrite(*value));
            }
            block.terminator.operands_mut(|value| *value = rewrite(*value));
        }
    }

    fn add_value(&mut self, definition: ValueDefinition) -> ValueId {
        self.values.push(definition);
        ValueId::new(self.values.len() - 1)
    }
}

impl Target {
    /// A jump.
    pub fn new(block: BlockId, arguments: Vec<ValueId>) -> Self {
        Target { block, arguments }
    }
}

impl Terminator {
    /// A jump without arguments.
    pub fn branch(block: BlockId) -> Self {
        Terminator::Branch(Target::new(block, Vec::new()))
    }

    /// The jumps it may take, in order.
    pub fn targets(&self) -> impl Iterator<Item = &Target> {
        let (first, second, cases): (_, _, &[(u128, Target)]) = match self {
            Terminator::Branch(target) => (Some(target), None, &[]),
            Terminator::CondBranch { then, otherwise, .. } => (Some(then), Some(otherwise), &[]),
            Terminator::Switch { cases, default, .. } => (None, Some(default), cases),
            _ => (None, None, &[]),
        };
        first.into_iter().chain(cases.iter().map(|(_, target)| target)).chain(second)
    }

    /// The jumps it may take, in the order of [`Terminator::targets`].
    pub fn targets_mut(&mut self) -> impl Iterator<Item = &mut Target> {
        let (first, second, cases): (_, _, &mut [(u128, Target)]) = match self {
            Terminator::Branch(target) => (Some(target), None, &mut []),
            Terminator::CondBranch { then, otherwise, .. } => (Some(then), Some(otherwise), &mut []),
            Terminator::Switch { cases, default, .. } => (None, Some(default), cases),
            _ => (None, None, &mut []),
        };
        first.into_iter().chain(cases.iter_mut().map(|(_, target)| target)).chain(second)
    }

    /// Calls `visit` with each operand: first the condition or value, then the jumps' arguments.
    pub fn operands(&self, mut visit: impl FnMut(ValueId)) {
        match self {
            Terminator::CondBranch { condition: value, .. } | Terminator::Switch { value, .. } | Terminator::Return(Some(value)) => {
                visit(*value)
            }
            _ => {}
        }
        self.targets().for_each(|target| target.arguments.iter().copied().for_each(&mut visit));
    }

    /// Calls `visit` with a mutable reference to each operand, in the order of [`Terminator::operands`].
    pub fn operands_mut(&mut self, mut visit: impl FnMut(&mut ValueId)) {
        match self {
            Terminator::CondBranch { condition: value, .. } | Terminator::Switch { value, .. } | Terminator::Return(Some(value)) => {
                visit(value)
            }
            _ => {}
        }
        self.targets_mut().for_each(|target| target.arguments.iter_mut().for_each(&mut visit));
    }
}
