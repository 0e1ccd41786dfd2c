//! The parameters of a function's text, and the writer of its expressions.

use std::collections::HashSet;

use metal_oxide_artifact::{KernelAbi, MathMode};
use metal_oxide_ir::{Coordinate, FunctionId, FunctionKind, KernelParameterKind, MemoryKind, Module, Space, Type, TypeId, ValueId};

use crate::abi::{self, Entry, Layout};
use crate::expression::{Expression, Parameter, Pointee, PointerType, VariableType, Writer};
use crate::lower::Lowered;
use crate::names::{Names, Scope};
use crate::program::Program;
use crate::scalar::Scalar;
use crate::support::Supports;

/// How a function's text refers to what it is given.
#[derive(Debug)]
pub(crate) struct Frame<'a> {
    pub(crate) scope: Scope<'a>,
    /// Only kernels have one.
    pub(crate) kernel: Option<(Layout, KernelAbi)>,
    /// The names of a helper's parameters.
    pub(crate) parameters: Vec<String>,
    pub(crate) coordinates: Vec<(Coordinate, String)>,
    /// The name of the state of failures.
    pub(crate) failure: String,
    /// The name of the variable that keeps loops from being taken for finite.
    pub(crate) proceed: String,
}

/// What all functions share while they are written.
#[derive(Clone, Copy)]
pub(crate) struct Shared<'a> {
    pub(crate) module: &'a Module,
    pub(crate) program: &'a Program,
    pub(crate) supports: &'a Supports,
    pub(crate) math: MathMode,
}

impl<'a> Frame<'a> {
    pub(crate) fn new(module: &Module, program: &Program, names: &'a Names, id: FunctionId, lowered: &Lowered) -> Self {
        let mut scope = Scope::new(names);
        let signature = program.signature(id);
        let function = &lowered.function;
        if function.is_kernel() {
            let is_used = |value| lowered.is_used(value);
            let (layout, abi) = abi::layout(module, function, &is_used, &signature.coordinates, signature.can_fail, &mut scope);
            let coordinates = layout.coordinates.clone();
            let failure = scope.local("failure_state");
            let proceed = scope.local("proceed");
            return Frame { scope, kernel: Some((layout, abi)), parameters: Vec::new(), coordinates, failure, proceed };
        }
        let parameters = function
            .parameters()
            .iter()
            .enumerate()
            .map(|(index, &value)| match function.name(value) {
                Some(name) => scope.local(name),
                None => scope.local(&format!("argument_{index}")),
            })
            .collect();
        let coordinates =
            signature.coordinates.iter().map(|&coordinate| (coordinate, scope.local(abi::coordinate_name(coordinate)))).collect();
        let failure = scope.local("failure_state");
        let proceed = scope.local("proceed");
        Frame { scope, kernel: None, parameters, coordinates, failure, proceed }
    }

    /// What the values of the entry block's parameters look like.
    pub(crate) fn appearances(&self, shared: Shared<'_>, id: FunctionId, lowered: &Lowered) -> Vec<(ValueId, Parameter)> {
        let values = lowered.function.parameters().iter().copied();
        let Some((layout, _)) = &self.kernel else {
            let types = &shared.program.signature(id).parameters;
            return values
                .zip(&self.parameters)
                .zip(types)
                .map(|((value, name), ty)| {
                    let parameter = match ty {
                        VariableType::Pointer(ty) => Parameter::Pointer { text: name.clone(), ty: *ty },
                        VariableType::Scalar(ty) => Parameter::Scalar(Expression::atom(name.clone(), *ty)),
                        VariableType::Memory(ty) => Parameter::Aggregate { text: name.clone(), ty: *ty },
                    };
                    (value, parameter)
                })
                .collect();
        };
        let kinds = entry_kinds(&lowered.function.kind);
        let mut found = Vec::new();
        for ((value, entry), kind) in values.zip(&layout.entries).zip(kinds) {
            match entry {
                Entry::Buffer { name, element, writable, .. } => {
                    let pointee = Pointee::Memory(innermost(shared.module, *element));
                    let ty = PointerType { space: Space::Device, pointee, read_only: !writable };
                    found.push((value, Parameter::Pointer { text: name.clone(), ty }));
                }
                Entry::Member(None) => {}
                Entry::Member(Some(index)) => {
                    let member = &layout.members[*index];
                    let text = format!("{}.{}", layout.args_name, member.name);
                    let parameter = match (member.ty, kind) {
                        (Some(ty), KernelParameterKind::Aggregate { .. }) => Parameter::Aggregate { text, ty },
                        (Some(ty), _) => Parameter::Scalar(Expression::atom(text, declared_scalar(shared.module, ty))),
                        (None, _) => Parameter::Scalar(Expression::atom(text, Scalar::ULONG)),
                    };
                    found.push((value, parameter));
                }
            }
        }
        found
    }

    /// Calls `run` with a writer of the function's expressions.
    pub(crate) fn with_writer<R>(
        &self,
        shared: Shared<'_>,
        id: FunctionId,
        lowered: &Lowered,
        run: impl FnOnce(&mut Writer<'_>) -> R,
    ) -> R {
        let appearances = self.appearances(shared, id, lowered);
        let coordinates = |wanted: Coordinate| {
            let found = self.coordinates.iter().find(|(coordinate, _)| *coordinate == wanted);
            found.map_or_else(|| abi::coordinate_name(wanted).to_owned(), |(_, name)| name.clone())
        };
        let mut writer = Writer {
            module: shared.module,
            program: shared.program,
            function: &lowered.function,
            forms: &lowered.forms,
            variables: &lowered.variables,
            types: &lowered.types,
            steady: &lowered.steady,
            names: vec![String::new(); lowered.variables.len()],
            parameters: &appearances,
            coordinates: &coordinates,
            failure: &self.failure,
            math: shared.math,
            supports: shared.supports,
        };
        run(&mut writer)
    }
}

/// The kind of kernel parameter that each parameter of the entry block belongs to.
fn entry_kinds(kind: &FunctionKind) -> Vec<KernelParameterKind> {
    let FunctionKind::Kernel { parameters } = kind else { return Vec::new() };
    let mut kinds = Vec::new();
    for parameter in parameters {
        kinds.push(parameter.kind);
        if matches!(parameter.kind, KernelParameterKind::Buffer { .. }) {
            kinds.push(parameter.kind);
        }
    }
    kinds
}

/// The type of the innermost elements of an array, or the type itself.
pub(crate) fn innermost(module: &Module, mut ty: TypeId) -> TypeId {
    while let MemoryKind::Array { element, .. } = module.ty(ty).kind {
        ty = element;
    }
    ty
}

fn declared_scalar(module: &Module, ty: TypeId) -> Scalar {
    match module.ty(ty).kind {
        MemoryKind::Scalar { ty, signed } => Scalar::of(ty, signed),
        _ => Scalar::of(Type::I64, false),
    }
}

/// The values through which a function writes memory, as far back as it can see where they come from.
pub(crate) fn written_pointers(lowered: &Lowered, writes: &dyn Fn(FunctionId, usize) -> bool) -> HashSet<ValueId> {
    use metal_oxide_ir::{Operation, Terminator, ValueDefinition};
    let function = &lowered.function;
    let mut written = HashSet::new();
    let mut work: Vec<ValueId> = Vec::new();
    for &id in lowered.flow.control.reverse_postorder() {
        let block = function.block(id);
        for &instruction in &block.instructions {
            match &function.instruction(instruction).operation {
                Operation::Store { pointer, .. } => work.push(*pointer),
                Operation::Copy { to, .. } => work.push(*to),
                Operation::Call(callee, arguments) => {
                    work.extend(arguments.iter().enumerate().filter(|(index, _)| writes(*callee, *index)).map(|(_, &value)| value));
                }
                _ => {}
            }
        }
        // Callers may write through what they get.
        if let Terminator::Return(Some(value)) = block.terminator {
            work.push(value);
        }
    }
    while let Some(value) = work.pop() {
        if !function.ty(value).is_pointer() || !written.insert(value) {
            continue;
        }
        match function.definition(value) {
            ValueDefinition::Constant(_) => {}
            ValueDefinition::Instruction { instruction, .. } => match &function.instruction(instruction).operation {
                Operation::Element { base, .. } | Operation::Field { base, .. } | Operation::Offset { base, .. } => work.push(*base),
                Operation::Select(_, a, b) => work.extend([*a, *b]),
                Operation::Cast(_, a) => work.push(*a),
                _ => {}
            },
            ValueDefinition::Parameter { block, .. } => {
                let Some(index) = function.block(block).parameters.iter().position(|&parameter| parameter == value) else { continue };
                for edge in lowered.flow.control.edges(block) {
                    let target = function.block(edge.from).terminator.targets().nth(edge.index);
                    work.extend(target.map(|target| target.arguments[index]));
                }
            }
        }
    }
    written
}
