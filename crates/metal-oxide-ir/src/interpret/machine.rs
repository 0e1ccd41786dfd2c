//! The launch: what all threads share, and who runs when.

use std::collections::HashMap;

use super::memory::{Arena, ObjectId, Value, View};
use super::thread::{Step, Thread};
use super::violation::{Violation, ViolationKind};
use super::{Failure, Launch, Limits, Outcome};
use crate::{FunctionId, FunctionKind, GlobalId, KernelParameterKind, Module, Space};

pub(super) struct Machine<'a> {
    pub(super) module: &'a Module,
    pub(super) launch: Launch,
    pub(super) limits: Limits,
    pub(super) shared: Arena,
    /// Where each constant table stands.
    pub(super) globals: Vec<usize>,
    kernel: FunctionId,
    /// The objects of the buffers, in order.
    buffers: Vec<usize>,
    /// The arguments of the kernel's entry block.
    arguments: Vec<Value>,
}

/// Where the memory that all threads see starts, and where a thread's own.
const SHARED_START: u64 = 0x1_0000_0000;
pub(super) const OWN_START: u64 = 0x7000_0000_0000;

impl<'a> Machine<'a> {
    pub(super) fn new(
        module: &'a Module,
        kernel: &str,
        buffers: &[Vec<u8>],
        values: &[Vec<u8>],
        launch: Launch,
        limits: Limits,
    ) -> Result<Self, Violation> {
        let wrong = |message: String| Violation { kind: ViolationKind::Arguments(message), place: None };
        let (kernel, function) = module
            .kernels()
            .find(|(_, function)| function.name == kernel)
            .ok_or_else(|| wrong(format!("there is no kernel `{kernel}`")))?;
        let FunctionKind::Kernel { parameters } = &function.kind else { unreachable!("`kernels` yields kernels") };

        let mut shared = Arena::new(SHARED_START);
        let globals = add_globals(module, &mut shared);
        let (mut buffers, mut values) = (buffers.iter(), values.iter());
        let (mut objects, mut arguments) = (Vec::new(), Vec::new());
        for parameter in parameters {
            let missing = || wrong(format!("there is no argument for `{}`", parameter.name));
            match parameter.kind {
                KernelParameterKind::Buffer { element, writable } => {
                    let bytes = buffers.next().ok_or_else(missing)?;
                    let ty = module.ty(element);
                    let length = (bytes.len() as u64).checked_div(ty.size).unwrap_or(0);
                    let object = shared.add(bytes.clone(), true, ty.align, Space::Device, writable);
                    objects.push(object);
                    arguments.extend([address(&shared, object), Value::bits(length.into())]);
                }
                KernelParameterKind::Scalar { ty } | KernelParameterKind::Aggregate { ty } => {
                    let bytes = values.next().ok_or_else(missing)?;
                    let (size, align) = (module.ty(ty).size, module.ty(ty).align);
                    if bytes.len() as u64 != size {
                        return Err(wrong(format!("`{}` has {size} bytes, not {}", parameter.name, bytes.len())));
                    }
                    arguments.push(if matches!(parameter.kind, KernelParameterKind::Scalar { .. }) {
                        Value::bits(bytes.iter().rev().fold(0, |bits, &byte| bits << 8 | u128::from(byte)))
                    } else {
                        let object = shared.add(bytes.clone(), true, align, Space::Constant, false);
                        address(&shared, object)
                    });
                }
            }
        }
        if buffers.next().is_some() || values.next().is_some() {
            return Err(wrong("there are more arguments than parameters".into()));
        }
        Ok(Machine { module, launch, limits, shared, globals, kernel, buffers: objects, arguments })
    }

    /// Runs all threads of all blocks, one after another.
    pub(super) fn run(&mut self) -> Result<Outcome, Violation> {
        let mut outcome = Outcome::default();
        for block in positions(self.launch.grid) {
            for position in positions(self.launch.block) {
                let mut thread = Thread::new(self.module, self.kernel, &self.arguments, position, block);
                loop {
                    if outcome.steps == self.limits.steps {
                        return Err(thread.violation(ViolationKind::Steps));
                    }
                    outcome.steps += 1;
                    match thread.step(self) {
                        Ok(Step::Next) => {}
                        Ok(Step::Finished) => break,
                        Ok(Step::Failed(site)) => {
                            outcome.failures.push(Failure { site, thread: position, block });
                            break;
                        }
                        Err(kind) => return Err(thread.violation(kind)),
                    }
                }
            }
        }
        let undefined = |&object: &usize| {
            let defined = self.shared.objects[object].defined.iter().enumerate();
            defined.filter(|(_, defined)| !**defined).map(|(offset, _)| offset).collect()
        };
        outcome.undefined = self.buffers.iter().map(undefined).collect();
        Ok(outcome)
    }

    /// Copies the buffers' contents out.
    pub(super) fn write_back(&mut self, buffers: &mut [Vec<u8>]) {
        for (buffer, &object) in buffers.iter_mut().zip(&self.buffers) {
            std::mem::swap(buffer, &mut self.shared.objects[object].bytes);
        }
    }

    /// The memory that a thread with this own memory sees.
    pub(super) fn view<'b>(&'b mut self, own: &'b mut Arena) -> View<'b> {
        View { shared: &mut self.shared, own }
    }

    /// The address of a constant table.
    pub(super) fn global(&self, global: GlobalId) -> Value {
        address(&self.shared, self.globals[global.index()])
    }
}

/// All positions in an extent, `x` running fastest.
fn positions([x, y, z]: [u32; 3]) -> impl Iterator<Item = [u32; 3]> {
    (0..z).flat_map(move |z| (0..y).flat_map(move |y| (0..x).map(move |x| [x, y, z])))
}

fn address(shared: &Arena, object: usize) -> Value {
    Value::Known { bits: shared.objects[object].base.into(), object: Some(ObjectId::Shared(object)) }
}

fn add_globals(module: &Module, shared: &mut Arena) -> Vec<usize> {
    let add = |global: &crate::Global| shared.add(global.bytes.clone(), true, module.ty(global.ty).align, Space::Constant, false);
    let objects: Vec<usize> = module.globals.iter().map(add).collect();
    let bases: Vec<u64> = objects.iter().map(|&object| shared.objects[object].base).collect();
    for (global, &object) in module.globals.iter().zip(&objects) {
        for relocation in &global.relocations {
            let target = relocation.target.index();
            let (start, bytes) = (relocation.offset as usize, (bases[target] + relocation.addend).to_le_bytes());
            let object = &mut shared.objects[object];
            object.bytes[start..start + 8].copy_from_slice(&bytes);
            let pointers: HashMap<_, _> = (start..start + 8).map(|offset| (offset, ObjectId::Shared(objects[target]))).collect();
            object.pointers.extend(pointers);
        }
    }
    objects
}
