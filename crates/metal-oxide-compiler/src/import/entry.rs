//! Kernel entry points: functions that take what the host binds, state what it has checked, and call the user's function.

use metal_oxide_artifact::Relation;
use metal_oxide_ir::{
    CastOperator, Function, FunctionId, FunctionKind, KernelParameter, KernelParameterKind, MemoryKind, Operation, Space, Terminator, Type,
    ValueId,
};
use rustc_middle::ty::{Instance, Ty};

use super::context::{Context, FunctionKey, Import};
use super::origin::CallEdge;
use super::requires::Assumptions;
use super::types::{Class, POINTER, class, scalar_type};

/// A kernel whose signature has been checked.
pub struct Kernel<'tcx> {
    /// The name of its launch function.
    pub name: String,
    /// The user's function.
    pub instance: Instance<'tcx>,
    /// The parameters: their names and how they arrive.
    pub parameters: Vec<(String, ParameterKind<'tcx>)>,
    /// What the host checks before each launch.
    pub requires: Vec<Relation>,
}

/// How a parameter arrives.
#[derive(Clone, Copy, Debug)]
pub enum ParameterKind<'tcx> {
    /// A device buffer.
    Buffer {
        /// The type of its elements.
        element: Ty<'tcx>,
        /// Whether the kernel may write it.
        writable: bool,
    },
    /// A value.
    Value(Ty<'tcx>),
}

/// Imports the entry point of a kernel; the user's function is put in the queue.
pub fn import_kernel<'tcx>(cx: &mut Context<'tcx>, kernel: &Kernel<'tcx>) -> Import<FunctionId> {
    let mut parameters = Vec::new();
    let mut types = Vec::new();
    for (name, kind) in &kernel.parameters {
        let kind = parameter_kind(cx, *kind)?;
        match kind {
            KernelParameterKind::Buffer { .. } => types.extend([Type::Pointer(Space::Device), Type::I64]),
            KernelParameterKind::Scalar { ty } => types.extend(kind_type(cx, ty)),
            KernelParameterKind::Aggregate { .. } => types.push(Type::Pointer(Space::Constant)),
        }
        parameters.push(KernelParameter { name: name.clone(), kind });
    }
    let name = cx.unique_name(&kernel.name);
    let function = Function::new(name, FunctionKind::Kernel { parameters }, &types, None);
    let id = cx.module.add_function(function.clone());
    cx.origins.add_place(id, cx.position(cx.tcx.def_span(kernel.instance.def_id())));
    cx.origins.add_function(id, format!("`{}`", kernel.name));
    let key = FunctionKey { instance: kernel.instance, caller: None, strings: Vec::new() };
    let callee = cx.function(key, CallEdge { caller: id, frames: Vec::new() })?;
    let mut entry = Entry { cx, function, arguments: Vec::new() };
    let quantities = entry.parameters(kernel)?;
    Assumptions::new(&mut entry.function, &quantities).state(&kernel.requires);
    let block = entry.function.entry();
    let arguments = std::mem::take(&mut entry.arguments);
    entry.function.append_effect(block, Operation::Call(callee, arguments), None);
    entry.function.terminate(block, Terminator::Return(None), None);
    let function = entry.function;
    cx.module.functions[id.index()] = function;
    Ok(id)
}

fn parameter_kind<'tcx>(cx: &mut Context<'tcx>, kind: ParameterKind<'tcx>) -> Import<KernelParameterKind> {
    match kind {
        ParameterKind::Buffer { element, writable } => {
            let layout = cx.layout(element)?;
            Ok(KernelParameterKind::Buffer { element: cx.memory_type(layout)?, writable })
        }
        ParameterKind::Value(ty) => {
            let layout = cx.layout(ty)?;
            let memory = cx.memory_type(layout)?;
            let scalar = ty.is_primitive() && matches!(cx.module.ty(memory).kind, MemoryKind::Scalar { .. });
            Ok(if scalar { KernelParameterKind::Scalar { ty: memory } } else { KernelParameterKind::Aggregate { ty: memory } })
        }
    }
}

fn kind_type(cx: &Context<'_>, ty: metal_oxide_ir::TypeId) -> Option<Type> {
    match cx.module.ty(ty).kind {
        MemoryKind::Scalar { ty, .. } => Some(ty),
        _ => None,
    }
}

/// An entry point as it grows.
struct Entry<'a, 'tcx> {
    cx: &'a mut Context<'tcx>,
    function: Function,
    arguments: Vec<ValueId>,
}

impl<'tcx> Entry<'_, 'tcx> {
    /// Turns the host's parameters into the arguments of the user's function, and says which values relations speak of.
    fn parameters(&mut self, kernel: &Kernel<'tcx>) -> Import<Vec<Option<(ValueId, bool)>>> {
        let mut values = self.function.parameters().to_vec().into_iter();
        let mut quantities = Vec::new();
        for (name, kind) in &kernel.parameters {
            let Some(value) = values.next() else { break };
            self.function.set_name(value, name.clone());
            match *kind {
                ParameterKind::Buffer { .. } => {
                    let Some(length) = values.next() else { break };
                    self.function.set_name(length, format!("{name}_length"));
                    let pointer = self.generic(value);
                    self.arguments.extend([pointer, length]);
                    quantities.push(Some((length, false)));
                }
                ParameterKind::Value(ty) if self.function.ty(value).is_pointer() => {
                    self.aggregate(value, ty)?;
                    quantities.push(None);
                }
                ParameterKind::Value(ty) => {
                    self.arguments.push(value);
                    quantities.push(ty.is_integral().then(|| (value, ty.is_signed())));
                }
            }
        }
        Ok(quantities)
    }

    /// Passes a value that stands in the argument block.
    fn aggregate(&mut self, pointer: ValueId, ty: Ty<'tcx>) -> Import<()> {
        let layout = self.cx.layout(ty)?;
        let block = self.function.entry();
        let source = self.generic(pointer);
        match class(self.cx, layout) {
            Class::ZeroSized => {}
            Class::Scalar(scalar) => {
                let value = self.function.append(block, Operation::Load(source), scalar_type(scalar), None);
                self.arguments.push(value);
            }
            Class::Pair(first, second, offset) => {
                let low = self.function.append(block, Operation::Load(source), scalar_type(first), None);
                let bytes = self.function.add_constant(metal_oxide_ir::Constant::integer(Type::I64, offset.bytes().into()));
                let place = self.function.append(block, Operation::Offset { base: source, bytes }, POINTER, None);
                let high = self.function.append(block, Operation::Load(place), scalar_type(second), None);
                self.arguments.extend([low, high]);
            }
            Class::Memory => {
                // The user's function may change its copy.
                let ty = self.cx.memory_type(layout)?;
                let copy = self.function.append(block, Operation::Slot(ty), POINTER, None);
                let operation = Operation::Copy { to: copy, from: source, bytes: layout.size.bytes(), align: layout.align.abi.bytes() };
                self.function.append_effect(block, operation, None);
                self.arguments.push(copy);
            }
        }
        Ok(())
    }

    fn generic(&mut self, pointer: ValueId) -> ValueId {
        let block = self.function.entry();
        self.function.append(block, Operation::Cast(CastOperator::Space, pointer), POINTER, None)
    }
}
