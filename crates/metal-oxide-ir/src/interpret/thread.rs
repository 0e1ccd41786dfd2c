//! One thread: its calls, its values and its own memory. It advances a step at a time, so that threads can be interleaved.

use std::collections::HashMap;

use super::arithmetic;
use super::machine::{Machine, OWN_START};
use super::memory::{Arena, ObjectId, Value};
use super::violation::{Place, Violation, ViolationKind};
use crate::{
    Axis, BinaryOperator, BlockId, Constant, Coordinate, Function, FunctionId, InstructionId, Module, Operation, SiteId, Space, Target,
    Terminator, Type, ValueDefinition, ValueId,
};

/// Threads in a SIMD-group.
const SIMD_WIDTH: u32 = 32;

/// What a step led to.
pub(super) enum Step {
    /// There is more to do.
    Next,
    /// The kernel returned.
    Finished,
    /// A check failed.
    Failed(SiteId),
}

pub(super) struct Thread<'a> {
    module: &'a Module,
    calls: Vec<Call<'a>>,
    memory: Arena,
    position: [u32; 3],
    block: [u32; 3],
}

/// An active call.
struct Call<'a> {
    function: &'a Function,
    block: BlockId,
    /// The instruction that comes next; behind the last one stands the terminator.
    next: usize,
    values: Vec<Value>,
    /// The memory of each slot that was reached.
    slots: HashMap<InstructionId, usize>,
}

impl<'a> Thread<'a> {
    /// A thread at the start of a kernel.
    pub(super) fn new(module: &'a Module, kernel: FunctionId, arguments: &[Value], position: [u32; 3], block: [u32; 3]) -> Self {
        let mut thread = Thread { module, calls: Vec::new(), memory: Arena::new(OWN_START), position, block };
        thread.enter(kernel, arguments);
        thread
    }

    /// A violation at the thread's point of execution.
    pub(super) fn violation(&self, kind: ViolationKind) -> Violation {
        let place = self.calls.last().map(|call| {
            let block = call.function.block(call.block);
            let location = match block.instructions.get(call.next) {
                Some(&instruction) => call.function.instruction(instruction).location,
                None => block.location,
            };
            Box::new(Place {
                function: call.function.name.clone(),
                block: call.block,
                instruction: call.next,
                location: location.map(|id| self.module.locations[id.index()].clone()),
                thread: self.position,
                thread_block: self.block,
            })
        });
        Violation { kind, place }
    }

    /// Executes one instruction or terminator. After an error the thread stays where it was.
    pub(super) fn step(&mut self, machine: &mut Machine<'a>) -> Result<Step, ViolationKind> {
        let Some(call) = self.calls.last() else { return Ok(Step::Finished) };
        let function = call.function;
        let block = function.block(call.block);
        match block.instructions.get(call.next) {
            Some(&instruction) => {
                self.instruction(machine, instruction)?;
                Ok(Step::Next)
            }
            None => self.terminator(machine, &block.terminator),
        }
    }

    fn enter(&mut self, function: FunctionId, arguments: &[Value]) {
        let function = self.module.function(function);
        let mut values = vec![Value::Undefined; function.value_count()];
        for (parameter, &argument) in function.parameters().iter().zip(arguments) {
            values[parameter.index()] = argument;
        }
        self.calls.push(Call { function, block: function.entry(), next: 0, values, slots: HashMap::new() });
    }

    fn call(&mut self) -> &mut Call<'a> {
        self.calls.last_mut().expect("a call is active while a thread executes")
    }

    fn function(&self) -> &'a Function {
        self.calls.last().expect("a call is active while a thread executes").function
    }

    fn value(&self, machine: &Machine<'a>, value: ValueId) -> Value {
        let call = self.calls.last().expect("a call is active while a thread executes");
        match call.function.definition(value) {
            ValueDefinition::Constant(Constant::Bits { bits, .. }) => Value::bits(bits),
            ValueDefinition::Constant(Constant::Global(global)) => machine.global(global),
            ValueDefinition::Constant(Constant::Undef(_)) => Value::Undefined,
            _ => call.values[value.index()],
        }
    }

    fn defined(&self, machine: &Machine<'a>, value: ValueId, user: &'static str) -> Result<u128, ViolationKind> {
        match self.value(machine, value) {
            Value::Known { bits, .. } => Ok(bits),
            Value::Undefined => Err(ViolationKind::UndefinedValue(user)),
        }
    }

    fn instruction(&mut self, machine: &mut Machine<'a>, id: InstructionId) -> Result<(), ViolationKind> {
        let instruction = self.function().instruction(id);
        let ty = instruction.result.map(|value| self.function().ty(value));
        if let Operation::Call(callee, arguments) = &instruction.operation {
            // The call itself moves on when the callee returns.
            if self.calls.len() == machine.limits.depth {
                return Err(ViolationKind::Depth);
            }
            let arguments: Vec<_> = arguments.iter().map(|&value| self.value(machine, value)).collect();
            self.enter(*callee, &arguments);
            return Ok(());
        }
        let result = self.operation(machine, id, &instruction.operation, ty)?;
        let call = self.call();
        if let Some(value) = instruction.result {
            call.values[value.index()] = result;
        }
        call.next += 1;
        Ok(())
    }

    fn operation(
        &mut self,
        machine: &mut Machine<'a>,
        id: InstructionId,
        operation: &'a Operation,
        ty: Option<Type>,
    ) -> Result<Value, ViolationKind> {
        let result = || ty.expect("a valid operation of this kind has a result");
        Ok(match operation {
            Operation::Binary(operator, a, b) => self.binary(machine, *operator, result(), *a, *b)?,
            Operation::Unary(operator, a) => match self.value(machine, *a) {
                Value::Undefined => Value::Undefined,
                Value::Known { bits, .. } => Value::bits(arithmetic::unary(*operator, result(), bits)),
            },
            Operation::Compare(operator, a, b) => {
                let operands = self.function().ty(*a);
                match (self.value(machine, *a), self.value(machine, *b)) {
                    (Value::Known { bits: a, .. }, Value::Known { bits: b, .. }) => {
                        Value::bits(arithmetic::compare(*operator, operands, a, b).into())
                    }
                    _ => Value::Undefined,
                }
            }
            Operation::Select(condition, a, b) => match self.value(machine, *condition) {
                Value::Undefined => Value::Undefined,
                Value::Known { bits, .. } => self.value(machine, if bits != 0 { *a } else { *b }),
            },
            Operation::Cast(operator, a) => {
                let from = self.function().ty(*a);
                match self.value(machine, *a) {
                    Value::Undefined => Value::Undefined,
                    Value::Known { bits, object } => {
                        let object = object.filter(|_| result().size() == 8);
                        Value::Known { bits: arithmetic::cast(*operator, from, result(), bits), object }
                    }
                }
            }
            Operation::Math(function, operands) => {
                let operands: Option<Vec<u128>> = operands
                    .iter()
                    .map(|&operand| match self.value(machine, operand) {
                        Value::Known { bits, .. } => Some(bits),
                        Value::Undefined => None,
                    })
                    .collect();
                operands.map_or(Value::Undefined, |operands| Value::bits(arithmetic::math(*function, result(), &operands)))
            }
            Operation::Slot(ty) => self.slot(id, machine.module.ty(*ty).size, machine.module.ty(*ty).align),
            Operation::Load(pointer) => {
                let (pointer, space) = (self.value(machine, *pointer), space(self.function().ty(*pointer)));
                machine.view(&mut self.memory).load(pointer, space, result())?
            }
            Operation::Store { pointer, value } => {
                let stored = self.function().ty(*value);
                let value = self.value(machine, *value);
                let (pointer, space) = (self.value(machine, *pointer), space(self.function().ty(*pointer)));
                machine.view(&mut self.memory).store(pointer, space, stored, value)?;
                Value::Undefined
            }
            Operation::Copy { to, from, bytes, align } => {
                let place = |value| (self.value(machine, value), space(self.function().ty(value)));
                let (to, from) = (place(*to), place(*from));
                machine.view(&mut self.memory).copy(to, from, *bytes, *align)?;
                Value::Undefined
            }
            Operation::Element { base, index, ty } => self.offset(machine, *base, Some(*index), i128::from(machine.module.ty(*ty).size)),
            Operation::Field { base, ty, field } => {
                let crate::MemoryKind::Struct { fields } = &machine.module.ty(*ty).kind else {
                    unreachable!("a field belongs to a struct")
                };
                self.offset(machine, *base, None, i128::from(fields[*field as usize].offset))
            }
            Operation::Offset { base, bytes } => self.offset(machine, *base, Some(*bytes), 1),
            Operation::Coordinate(coordinate, axis) => Value::bits(self.coordinate(machine, *coordinate, *axis).into()),
            Operation::Assume(condition) => match self.defined(machine, *condition, "an assumption")? {
                0 => return Err(ViolationKind::Assumption),
                _ => Value::Undefined,
            },
            Operation::Call(..) => unreachable!("calls are entered by the caller of this function"),
        })
    }

    fn binary(&self, machine: &Machine<'a>, operator: BinaryOperator, ty: Type, a: ValueId, b: ValueId) -> Result<Value, ViolationKind> {
        use BinaryOperator::{DivSigned, DivUnsigned, RemSigned, RemUnsigned};
        if matches!(operator, DivSigned | DivUnsigned | RemSigned | RemUnsigned) {
            self.defined(machine, b, "a division")?;
        }
        let (Value::Known { bits: a, object: first }, Value::Known { bits: b, object: second }) =
            (self.value(machine, a), self.value(machine, b))
        else {
            return Ok(Value::Undefined);
        };
        // An integer made from a pointer stays one under arithmetic with plain integers.
        let object = if first.is_some() && second.is_some() { None } else { first.or(second) };
        Ok(Value::Known { bits: arithmetic::binary(operator, ty, a, b)?, object })
    }

    /// The memory of a slot, uninitialised.
    fn slot(&mut self, id: InstructionId, size: u64, align: u64) -> Value {
        let known = self.call().slots.get(&id).copied();
        let index = match known {
            Some(index) => {
                let object = &mut self.memory.objects[index];
                object.defined.fill(false);
                object.pointers.clear();
                index
            }
            None => {
                let index = self.memory.add(vec![0; size as usize], false, align, Space::Thread, true);
                self.call().slots.insert(id, index);
                index
            }
        };
        Value::Known { bits: self.memory.objects[index].base.into(), object: Some(ObjectId::Own(index)) }
    }

    /// The address `base + index * scale`, where a missing index is one.
    fn offset(&self, machine: &Machine<'a>, base: ValueId, index: Option<ValueId>, scale: i128) -> Value {
        let index = match index.map(|value| self.value(machine, value)) {
            None => 1,
            Some(Value::Known { bits, .. }) => i128::from(bits as u64 as i64),
            Some(Value::Undefined) => return Value::Undefined,
        };
        match self.value(machine, base) {
            Value::Undefined => Value::Undefined,
            Value::Known { bits, object } => {
                let address = (bits as i128).wrapping_add(index.wrapping_mul(scale)) as u64;
                Value::Known { bits: address.into(), object }
            }
        }
    }

    fn coordinate(&self, machine: &Machine<'a>, coordinate: Coordinate, axis: Axis) -> u32 {
        let axis = match axis {
            Axis::X => 0,
            Axis::Y => 1,
            Axis::Z => 2,
        };
        let extent = machine.launch.block;
        let linear = || (self.position[2] * extent[1] + self.position[1]) * extent[0] + self.position[0];
        match coordinate {
            Coordinate::ThreadInGrid => self.block[axis].wrapping_mul(extent[axis]).wrapping_add(self.position[axis]),
            Coordinate::ThreadInBlock => self.position[axis],
            Coordinate::BlockInGrid => self.block[axis],
            Coordinate::BlockSize => extent[axis],
            Coordinate::GridSize => machine.launch.grid[axis],
            Coordinate::LaneInSimdGroup => linear() % SIMD_WIDTH,
            Coordinate::SimdGroupInBlock => linear() / SIMD_WIDTH,
        }
    }

    fn terminator(&mut self, machine: &Machine<'a>, terminator: &'a Terminator) -> Result<Step, ViolationKind> {
        match terminator {
            Terminator::Branch(target) => self.jump(machine, target),
            Terminator::CondBranch { condition, then, otherwise } => {
                let taken = self.defined(machine, *condition, "a branch")? != 0;
                self.jump(machine, if taken { then } else { otherwise });
            }
            Terminator::Switch { value, cases, default } => {
                let value = self.defined(machine, *value, "a branch")?;
                let case = cases.iter().find(|(case, _)| *case == value);
                self.jump(machine, case.map_or(default, |(_, target)| target));
            }
            Terminator::Return(value) => {
                let result = value.map(|value| self.value(machine, value));
                return Ok(self.leave(result));
            }
            Terminator::Fail(site) => return Ok(Step::Failed(*site)),
            Terminator::Unsupported(reason) => {
                let reason = &machine.module.unsupported[reason.index()];
                return Err(ViolationKind::Unsupported(reason.message.clone()));
            }
            Terminator::Unreachable => return Err(ViolationKind::Unreachable),
        }
        Ok(Step::Next)
    }

    fn jump(&mut self, machine: &Machine<'a>, target: &Target) {
        // All arguments are read before any parameter is written: a loop may exchange its parameters.
        let arguments: Vec<_> = target.arguments.iter().map(|&value| self.value(machine, value)).collect();
        let call = self.call();
        for (parameter, argument) in call.function.block(target.block).parameters.iter().zip(arguments) {
            call.values[parameter.index()] = argument;
        }
        call.block = target.block;
        call.next = 0;
    }

    fn leave(&mut self, result: Option<Value>) -> Step {
        let left = self.calls.pop().expect("a call is active while a thread executes");
        for object in left.slots.into_values() {
            self.memory.objects[object].alive = false;
        }
        let Some(call) = self.calls.last_mut() else { return Step::Finished };
        let instruction = call.function.block(call.block).instructions[call.next];
        if let (Some(value), Some(result)) = (call.function.instruction(instruction).result, result) {
            call.values[value.index()] = result;
        }
        call.next += 1;
        Step::Next
    }
}

fn space(pointer: Type) -> Space {
    match pointer {
        Type::Pointer(space) => space,
        _ => unreachable!("memory is accessed through pointers"),
    }
}
