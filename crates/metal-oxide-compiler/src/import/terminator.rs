//! How blocks end: jumps, checks, drops and returns. Calls have a file of their own.
//! Unwinding does not exist on the device, so unwind edges are not followed.

use metal_oxide_ir::{CompareOperator, Operation, Target, Terminator, Type};
use rustc_middle::mir::{self, SwitchTargets, TerminatorKind};
use rustc_middle::ty::{self, Instance, InstanceKind};

use super::body::FunctionImporter;
use super::context::Import;
use super::types::Class;
use super::unsupported::Reason;
use super::value::{Operand, Value};

impl<'tcx> FunctionImporter<'_, 'tcx> {
    /// Imports the end of a block.
    pub fn terminator(&mut self, terminator: &mir::Terminator<'tcx>) -> Import<()> {
        match &terminator.kind {
            TerminatorKind::Goto { target } => {
                let target = self.block_for(*target);
                self.branch(target);
            }
            TerminatorKind::FalseEdge { real_target, .. } | TerminatorKind::FalseUnwind { real_target, .. } => {
                let target = self.block_for(*real_target);
                self.branch(target);
            }
            TerminatorKind::SwitchInt { discr, targets } => self.switch(discr, targets)?,
            TerminatorKind::Return => self.return_value()?,
            TerminatorKind::Unreachable | TerminatorKind::UnwindResume | TerminatorKind::UnwindTerminate(_) => {
                self.terminate(Terminator::Unreachable);
            }
            TerminatorKind::Drop { place, target, .. } => self.drop_place(*place, *target)?,
            TerminatorKind::Assert { cond, expected, msg, target, .. } => self.assert(cond, *expected, msg, *target)?,
            TerminatorKind::Call { func, args, destination, target, fn_span, .. } => {
                self.source = mir::SourceInfo { span: *fn_span, ..terminator.source_info };
                self.call(func, args, *destination, *target)?;
            }
            TerminatorKind::TailCall { func, args, fn_span } => {
                self.source = mir::SourceInfo { span: *fn_span, ..terminator.source_info };
                let result = mir::Place::return_place();
                self.call(func, args, result, None)?;
                self.return_value()?;
            }
            TerminatorKind::InlineAsm { .. } => self.unsupported(Reason::Assembly),
            TerminatorKind::Yield { .. } | TerminatorKind::CoroutineDrop => self.unsupported(Reason::Coroutine),
        }
        Ok(())
    }

    fn switch(&mut self, discriminant: &mir::Operand<'tcx>, targets: &SwitchTargets) -> Import<()> {
        let value = self.operand(discriminant)?.value.scalar();
        if let Some(known) = self.known(value) {
            let target = self.block_for(targets.target_for_value(known));
            self.branch(target);
            return Ok(());
        }
        let ty = self.function.ty(value);
        let otherwise_unreachable = self.body.basic_blocks[targets.otherwise()].is_empty_unreachable();
        let mut cases = targets.iter();
        match (cases.next(), cases.next(), cases.next()) {
            (Some((case, target)), None, None) => {
                let otherwise = targets.otherwise();
                self.two_way(value, case, target, otherwise);
            }
            (Some((case, target)), Some((_, other)), None) if otherwise_unreachable => self.two_way(value, case, target, other),
            _ if ty == Type::Bool => {
                let (yes, no) = (targets.target_for_value(1), targets.target_for_value(0));
                self.two_way(value, 0, no, yes);
            }
            _ => {
                let mut imported = Vec::new();
                for (case, target) in targets.iter() {
                    let block = self.block_for(target);
                    imported.push((case & (u128::MAX >> (128 - ty.bits())), Target::new(block, Vec::new())));
                }
                let default = self.block_for(targets.otherwise());
                self.terminate(Terminator::Switch { value, cases: imported, default: Target::new(default, Vec::new()) });
            }
        }
        Ok(())
    }

    /// Goes to `target` if the value equals `case`, else to `otherwise`.
    fn two_way(&mut self, value: metal_oxide_ir::ValueId, case: u128, target: mir::BasicBlock, otherwise: mir::BasicBlock) {
        let (target, otherwise) = (self.block_for(target), self.block_for(otherwise));
        if self.function.ty(value) == Type::Bool {
            if case == 0 {
                self.branch_if(value, otherwise, target)
            } else {
                self.branch_if(value, target, otherwise)
            }
            return;
        }
        let ty = self.function.ty(value);
        let case = self.integer(ty, case);
        let equal = self.compare(CompareOperator::Equal, value, case);
        self.branch_if(equal, target, otherwise);
    }

    fn return_value(&mut self) -> Import<()> {
        if self.function.result.is_none() {
            if let Some(pointer) = self.result_pointer
                && let super::body::LocalValue::Operand(operand) = self.locals[mir::RETURN_PLACE]
            {
                // The result is a value that the caller wants in memory.
                let place = super::value::Place::new(pointer, operand.layout);
                self.store_operand(operand, place)?;
            }
            self.terminate(Terminator::Return(None));
            return Ok(());
        }
        let operand = self.consume(mir::Place::return_place().as_ref())?;
        let value = match operand.value {
            Value::Scalar(value) => Some(value),
            _ => None,
        };
        self.terminate(Terminator::Return(value));
        Ok(())
    }

    fn assert(
        &mut self,
        condition: &mir::Operand<'tcx>,
        expected: bool,
        message: &mir::AssertMessage<'tcx>,
        target: mir::BasicBlock,
    ) -> Import<()> {
        let target = self.block_for(target);
        // Functions of `core` that inherit the overflow checks of their callers were compiled with them.
        if !self.tcx().sess.overflow_checks() && message.is_optional_overflow_check() {
            self.branch(target);
            return Ok(());
        }
        let condition = self.operand(condition)?.value.scalar();
        if self.known(condition) == Some(u128::from(expected)) {
            self.branch(target);
            return Ok(());
        }
        let failure = self.function.add_block();
        if expected {
            self.branch_if(condition, target, failure)
        } else {
            self.branch_if(condition, failure, target)
        }
        self.block = failure;
        self.fail_assertion(message);
        Ok(())
    }

    fn drop_place(&mut self, place: mir::Place<'tcx>, target: mir::BasicBlock) -> Import<()> {
        let ty = self.place_type(place.as_ref());
        let glue = Instance::resolve_drop_in_place(self.tcx(), ty);
        let after = self.block_for(target);
        if let InstanceKind::DropGlue(_, None) = glue.def {
            self.branch(after);
            return Ok(());
        }
        if let ty::Dynamic(..) = ty.kind() {
            self.unsupported(Reason::TraitObject("dropping a trait object"));
            return Ok(());
        }
        let place = self.place(place.as_ref())?;
        let layout = self.cx.layout(ty::Ty::new_mut_ptr(self.tcx(), ty))?;
        let value = match self.class(layout) {
            Class::Pair(..) => place.reference(),
            _ => Value::Scalar(place.address.pointer),
        };
        self.call_instance(glue, vec![Operand { value, layout }], Vec::new(), None)?;
        self.branch(after);
        Ok(())
    }

    /// What a pointer operand points to.
    pub fn pointee(&self, operand: Operand<'tcx>) -> Import<rustc_middle::ty::layout::TyAndLayout<'tcx>> {
        self.cx.layout(operand.layout.ty.builtin_deref(true).unwrap_or(self.tcx().types.u8))
    }

    /// Appends a call of a function of the module.
    pub fn emit_call(
        &mut self,
        function: metal_oxide_ir::FunctionId,
        arguments: Vec<metal_oxide_ir::ValueId>,
    ) -> Option<metal_oxide_ir::ValueId> {
        let operation = Operation::Call(function, arguments);
        match self.cx.module.function(function).result {
            Some(ty) => Some(self.emit(operation, ty)),
            None => {
                self.effect(operation);
                None
            }
        }
    }
}
