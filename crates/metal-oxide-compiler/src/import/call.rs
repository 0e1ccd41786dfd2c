//! Calls: finding out what is called, passing arguments and receiving results.

use metal_oxide_ir::{Terminator, ValueId};
use rustc_abi::ExternAbi;
use rustc_middle::mir;
use rustc_middle::ty::{self, Instance, InstanceKind};
use rustc_span::source_map::Spanned;

use super::abi;
use super::body::{FunctionImporter, LocalValue};
use super::context::{FunctionKey, Import};
use super::origin::CallEdge;
use super::redirect;
use super::types::Class;
use super::unsupported::Reason;
use super::value::{Operand, Place, Value};

impl<'tcx> FunctionImporter<'_, 'tcx> {
    /// Imports a call terminator.
    pub fn call(
        &mut self,
        callee: &mir::Operand<'tcx>,
        arguments: &[Spanned<mir::Operand<'tcx>>],
        destination: mir::Place<'tcx>,
        target: Option<mir::BasicBlock>,
    ) -> Import<()> {
        let callee_ty = self.monomorphize(callee.ty(self.body, self.tcx()));
        let ty::FnDef(id, generics) = *callee_ty.kind() else {
            self.unsupported(Reason::FunctionPointer("calling through a function pointer"));
            return self.leave_call(target);
        };
        let instance = Instance::expect_resolve(self.tcx(), self.cx.typing_env(), id, generics, self.source.span);
        if let InstanceKind::DropGlue(_, None) = instance.def {
            return self.leave_call(target);
        }
        if self.is_failure(instance) {
            self.fail_call(instance, arguments)?;
            return Ok(());
        }
        let operands = self.call_operands(arguments, callee_ty)?;
        if let Some(done) = self.device_call(instance, &operands)? {
            return self.receive(done, destination, target);
        }
        if let InstanceKind::Intrinsic(_) = instance.def {
            let layout = self.cx.layout(self.place_type(destination.as_ref()))?;
            return match self.intrinsic(instance, &operands, layout)? {
                Some(result) => self.receive(result, destination, target),
                None => {
                    // The intrinsic has a body in `core` that does the same.
                    let body = Instance { def: InstanceKind::Item(instance.def_id()), args: instance.args };
                    self.finish_call(body, operands, Vec::new(), destination, target)
                }
            };
        }
        let instance = redirect::without_recursion(self.tcx(), instance);
        let strings = self.constant_strings(instance, arguments);
        self.finish_call(instance, operands, strings, destination, target)
    }

    /// Calls an instance and goes on at the target.
    fn finish_call(
        &mut self,
        instance: Instance<'tcx>,
        operands: Vec<Operand<'tcx>>,
        strings: Vec<(usize, String)>,
        destination: mir::Place<'tcx>,
        target: Option<mir::BasicBlock>,
    ) -> Import<()> {
        let layout = self.cx.layout(self.place_type(destination.as_ref()))?;
        let in_memory = matches!(self.class(layout), Class::Pair(..) | Class::Memory) && !layout.is_uninhabited();
        let place = if !in_memory {
            None
        } else {
            match destination.as_local().map(|local| self.locals[local]) {
                Some(LocalValue::Pending | LocalValue::Operand(_)) => Some(self.allocate(layout)?),
                _ => Some(self.place(destination.as_ref())?),
            }
        };
        let result = self.call_instance(instance, operands, strings, place)?;
        let direct = destination.as_local().is_some_and(|local| matches!(self.locals[local], LocalValue::Place(_)))
            || destination.as_local().is_none();
        let operand = match (result, place) {
            (Some(value), _) => Operand { value: Value::Scalar(value), layout },
            // The callee has written the result where it belongs.
            (None, Some(_)) if direct => return self.leave_call(target),
            (None, Some(place)) => self.load_operand(place)?,
            (None, None) => self.undefined(layout)?,
        };
        self.receive(operand, destination, target)
    }

    /// Calls an instance; a result that is not one scalar goes to `result`.
    pub fn call_instance(
        &mut self,
        instance: Instance<'tcx>,
        operands: Vec<Operand<'tcx>>,
        strings: Vec<(usize, String)>,
        result: Option<Place<'tcx>>,
    ) -> Import<Option<ValueId>> {
        if let Some(reason) = self.obstacle(instance) {
            self.unsupported(reason.borrow());
            return Ok(None);
        }
        let signature = abi::signature(self.cx, instance)?;
        let mut values = Vec::new();
        if signature.result_in_memory {
            let place = match result {
                Some(place) => place.address.pointer,
                None => self.dangling(8),
            };
            values.push(place);
        }
        for operand in operands {
            match operand.value {
                Value::ZeroSized => {}
                Value::Scalar(value) => values.push(value),
                Value::Pair(low, high) => values.extend([low, high]),
                Value::Memory(address) => values.push(address.pointer),
            }
        }
        let follows_caller = instance.def.requires_caller_location(self.tcx());
        let caller = if follows_caller { self.failure_location() } else { None };
        let strings = if follows_caller { strings } else { Vec::new() };
        let edge = CallEdge { caller: self.id, frames: self.frames(self.source) };
        let function = self.cx.function(FunctionKey { instance, caller, strings }, edge)?;
        Ok(self.emit_call(function, values))
    }

    /// Why an instance has no body to import, if it has none.
    fn obstacle(&self, instance: Instance<'tcx>) -> Option<OwnedReason> {
        let tcx = self.tcx();
        match instance.def {
            InstanceKind::Virtual(id, _) => Some(OwnedReason::TraitObject(format!("calling `{}` on a trait object", tcx.item_name(id)))),
            InstanceKind::Item(id) if tcx.is_foreign_item(id) => Some(OwnedReason::Foreign(tcx.item_name(id).to_string())),
            InstanceKind::Item(id) if !tcx.is_mir_available(id) && !tcx.is_constructor(id) => {
                Some(OwnedReason::Foreign(tcx.def_path_str(id)))
            }
            InstanceKind::ThreadLocalShim(_) => Some(OwnedReason::ThreadLocal),
            InstanceKind::FnPtrShim(_, ty) if ty.is_fn_ptr() => {
                Some(OwnedReason::FunctionPointer("calling through a function pointer".to_owned()))
            }
            InstanceKind::AsyncDropGlue(..) | InstanceKind::AsyncDropGlueCtorShim(..) | InstanceKind::FutureDropPollShim(..) => {
                Some(OwnedReason::Coroutine)
            }
            _ => None,
        }
    }

    /// The arguments, with the last one of closure calls taken apart.
    fn call_operands(&mut self, arguments: &[Spanned<mir::Operand<'tcx>>], callee: ty::Ty<'tcx>) -> Import<Vec<Operand<'tcx>>> {
        let untuple = callee.fn_sig(self.tcx()).abi() == ExternAbi::RustCall;
        let mut operands = Vec::new();
        for (index, argument) in arguments.iter().enumerate() {
            let operand = self.operand(&argument.node)?;
            if untuple && index + 1 == arguments.len() {
                for field in 0..operand.layout.fields.count() {
                    let field = self.extract_field(operand, field)?;
                    operands.push(self.given_up(field)?);
                }
            } else {
                let moved = matches!(argument.node, mir::Operand::Move(_));
                operands.push(if moved { operand } else { self.given_up(operand)? });
            }
        }
        Ok(operands)
    }

    /// A value that the callee may overwrite.
    fn given_up(&mut self, operand: Operand<'tcx>) -> Import<Operand<'tcx>> {
        match operand.value {
            Value::Memory(address) => {
                let copy = self.allocate(operand.layout)?;
                self.copy(copy.address, address, operand.layout.size);
                Ok(Operand { value: Value::Memory(copy.address), ..operand })
            }
            _ => Ok(operand),
        }
    }

    /// Puts the result of a call where it belongs and goes on.
    fn receive(&mut self, result: Operand<'tcx>, destination: mir::Place<'tcx>, target: Option<mir::BasicBlock>) -> Import<()> {
        if target.is_some() {
            match destination.as_local() {
                Some(local) if matches!(self.locals[local], LocalValue::Pending) => self.define_local(local, result),
                Some(local) if matches!(self.locals[local], LocalValue::Operand(_)) => {}
                _ => {
                    let place = self.place(destination.as_ref())?;
                    self.store_operand(result, place)?;
                }
            }
        }
        self.leave_call(target)
    }

    fn leave_call(&mut self, target: Option<mir::BasicBlock>) -> Import<()> {
        match target {
            Some(target) => {
                let block = self.block_for(target);
                self.branch(block);
            }
            None => self.terminate(Terminator::Unreachable),
        }
        Ok(())
    }
}

/// A reason that owns its words.
enum OwnedReason {
    TraitObject(String),
    Foreign(String),
    FunctionPointer(String),
    ThreadLocal,
    Coroutine,
}

impl OwnedReason {
    fn borrow(&self) -> Reason<'_> {
        match self {
            OwnedReason::TraitObject(what) => Reason::TraitObject(what),
            OwnedReason::Foreign(name) => Reason::Foreign(name),
            OwnedReason::FunctionPointer(what) => Reason::FunctionPointer(what),
            OwnedReason::ThreadLocal => Reason::ThreadLocal,
            OwnedReason::Coroutine => Reason::Coroutine,
        }
    }
}
