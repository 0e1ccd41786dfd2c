//! Failures: Rust's panics, with their kind, their message where it is constant, and the place that Rust would report.

use metal_oxide_ir::{FailureKind, Location, Site, Terminator};
use rustc_hir::LangItem;
use rustc_middle::mir::interpret::{GlobalAlloc, Scalar};
use rustc_middle::mir::{self, AssertKind, BinOp, ConstValue, StatementKind, TerminatorKind};
use rustc_middle::ty::{self, Instance, InstanceKind};
use rustc_span::source_map::Spanned;
use rustc_span::sym;

use super::body::FunctionImporter;
use super::context::Import;

/// How many assignments a message is traced back through.
const TRACE_LIMIT: usize = 16;

impl<'tcx> FunctionImporter<'_, 'tcx> {
    /// Whether an instance is one of `core`'s functions that only panic.
    ///
    /// They are recognised by what they are, not by a list: functions of `core` that never return. All of them exist to panic, except
    /// the intrinsics and the promise that a place is not reached.
    pub fn is_failure(&self, instance: Instance<'tcx>) -> bool {
        let tcx = self.tcx();
        let InstanceKind::Item(id) = instance.def else { return false };
        tcx.crate_name(id.krate) == sym::core
            && tcx.def_kind(id).is_fn_like()
            && !tcx.is_closure_like(id)
            && tcx.fn_sig(id).skip_binder().output().skip_binder().is_never()
            && tcx.item_name(id).as_str() != "unreachable_unchecked"
    }

    /// Ends the block with the failure that a call of a panicking function is.
    pub fn fail_call(&mut self, instance: Instance<'tcx>, arguments: &[Spanned<mir::Operand<'tcx>>]) -> Import<()> {
        let id = instance.def_id();
        let name = self.tcx().item_name(id);
        let path = self.tcx().def_path_str(id);
        let kind = kind_of(name.as_str(), &path);
        let message = match known_message(name.as_str()) {
            Some(message) => message.to_owned(),
            None => arguments.iter().find_map(|argument| self.message(&argument.node, TRACE_LIMIT)).unwrap_or_default(),
        };
        // A function that does not follow its caller reports a place of its own, inside `core`.
        let location =
            if instance.def.requires_caller_location(self.tcx()) { self.failure_location() } else { self.cx.location(self.source.span) };
        self.fail(kind, message, location);
        Ok(())
    }

    /// Ends the block with the failure of one of MIR's own checks.
    pub fn fail_assertion(&mut self, message: &mir::AssertMessage<'tcx>) {
        let kind = match message {
            AssertKind::BoundsCheck { .. } => FailureKind::Bounds,
            AssertKind::DivisionByZero(_) | AssertKind::RemainderByZero(_) => FailureKind::DivisionByZero,
            AssertKind::Overflow(..) | AssertKind::OverflowNeg(_) => FailureKind::Overflow,
            _ => FailureKind::Panic,
        };
        let text = match message {
            AssertKind::BoundsCheck { .. } => String::new(),
            AssertKind::Overflow(operator, ..) => overflow_message(*operator).to_owned(),
            AssertKind::OverflowNeg(_) => "attempt to negate with overflow".to_owned(),
            AssertKind::DivisionByZero(_) => "attempt to divide by zero".to_owned(),
            AssertKind::RemainderByZero(_) => "attempt to calculate the remainder with a divisor of zero".to_owned(),
            AssertKind::MisalignedPointerDereference { .. } => "misaligned pointer dereference".to_owned(),
            AssertKind::NullPointerDereference => "null pointer dereference occurred".to_owned(),
            _ => String::new(),
        };
        let location = self.failure_location();
        self.fail(kind, text, location);
    }

    /// Ends the block with a failure.
    pub fn fail(&mut self, kind: FailureKind, message: String, location: Option<metal_oxide_ir::LocationId>) {
        let place = location.map(|id| self.cx.module.locations[id.index()].clone());
        let location = place.unwrap_or_else(|| Location { file: String::new(), line: 0, column: 0 });
        let site = self.cx.site(Site { location, kind, message });
        self.terminate(Terminator::Fail(site));
    }

    /// The arguments of a call that are string constants.
    pub fn constant_strings(&self, instance: Instance<'tcx>, arguments: &[Spanned<mir::Operand<'tcx>>]) -> Vec<(usize, String)> {
        if !instance.def.requires_caller_location(self.tcx()) {
            return Vec::new();
        }
        let is_string = |argument: &Spanned<mir::Operand<'tcx>>| {
            let ty = self.monomorphize(argument.node.ty(self.body, self.tcx()));
            ty.builtin_deref(true).is_some_and(|ty| ty.is_str())
        };
        let strings = arguments.iter().enumerate().filter(|(_, argument)| is_string(argument));
        strings.filter_map(|(index, argument)| Some((index, self.message(&argument.node, TRACE_LIMIT)?))).collect()
    }

    /// The text that an operand holds or formats, if it is constant: traced back through the assignments of this function.
    fn message(&self, operand: &mir::Operand<'tcx>, limit: usize) -> Option<String> {
        let limit = limit.checked_sub(1)?;
        match operand {
            mir::Operand::Constant(constant) => self.constant_message(constant),
            mir::Operand::Copy(place) | mir::Operand::Move(place) => self.local_message(place.local, limit),
            mir::Operand::RuntimeChecks(_) => None,
        }
    }

    fn constant_message(&self, constant: &mir::ConstOperand<'tcx>) -> Option<String> {
        let pointee = self.monomorphize(constant.ty()).builtin_deref(true)?;
        let is_template = matches!(pointee.kind(), ty::Array(element, _) if *element == self.tcx().types.u8);
        if !is_template && !pointee.is_str() {
            return None;
        }
        let value = self.evaluate(constant).ok()?;
        if is_template {
            return template_text(&self.array_bytes(value, self.cx.layout(pointee).ok()?.size.bytes_usize())?);
        }
        let bytes = match value {
            ConstValue::Slice { alloc_id, meta } => {
                let GlobalAlloc::Memory(memory) = self.tcx().global_alloc(alloc_id) else { return None };
                let length = usize::try_from(meta).ok()?;
                memory.inner().inspect_with_uninit_and_ptr_outside_interpreter(0..length).to_vec()
            }
            other => other.try_get_slice_bytes_for_diagnostics(self.tcx())?.to_vec(),
        };
        String::from_utf8(bytes).ok()
    }

    /// The bytes of the array that a constant points to.
    fn array_bytes(&self, value: ConstValue, length: usize) -> Option<Vec<u8>> {
        let ConstValue::Scalar(Scalar::Ptr(pointer, _)) = value else { return None };
        let (provenance, offset) = pointer.prov_and_relative_offset();
        let GlobalAlloc::Memory(memory) = self.tcx().global_alloc(provenance.alloc_id()) else { return None };
        let start = offset.bytes_usize();
        let memory = memory.inner();
        (start + length <= memory.len()).then(|| memory.inspect_with_uninit_and_ptr_outside_interpreter(start..start + length).to_vec())
    }

    /// The text that a local holds, from the one place that assigns it.
    fn local_message(&self, local: mir::Local, limit: usize) -> Option<String> {
        if let Some(index) = self.body.args_iter().position(|argument| argument == local) {
            return self.key.strings.iter().find(|(known, _)| *known == index).map(|(_, text)| text.clone());
        }
        for block in self.body.basic_blocks.iter() {
            for statement in &block.statements {
                if let StatementKind::Assign(assignment) = &statement.kind
                    && assignment.0.local == local
                    && let Some(text) = self.rvalue_message(&assignment.1, limit)
                {
                    return Some(text);
                }
            }
            if let Some(terminator) = &block.terminator
                && let TerminatorKind::Call { func, args, destination, .. } = &terminator.kind
                && destination.local == local
                && self.makes_arguments(func)
            {
                return args.iter().find_map(|argument| self.message(&argument.node, limit));
            }
        }
        None
    }

    fn rvalue_message(&self, rvalue: &mir::Rvalue<'tcx>, limit: usize) -> Option<String> {
        match rvalue {
            mir::Rvalue::Use(operand) | mir::Rvalue::Cast(_, operand, _) => self.message(operand, limit),
            mir::Rvalue::Aggregate(_, operands) => operands.iter().find_map(|operand| self.message(operand, limit)),
            mir::Rvalue::Ref(_, _, place) | mir::Rvalue::RawPtr(_, place) | mir::Rvalue::CopyForDeref(place) => {
                self.local_message(place.local, limit.checked_sub(1)?)
            }
            _ => None,
        }
    }

    /// Whether a function makes `fmt::Arguments` of a string.
    fn makes_arguments(&self, callee: &mir::Operand<'tcx>) -> bool {
        let ty::FnDef(id, _) = *self.monomorphize(callee.ty(self.body, self.tcx())).kind() else { return false };
        let lang_item = self.tcx().lang_items().get(LangItem::FormatArguments);
        let owner = self.tcx().inherent_impl_of_assoc(id);
        owner.is_some_and(|owner| self.tcx().type_of(owner).skip_binder().ty_adt_def().map(|adt| adt.did()) == lang_item)
    }
}

/// The text of a format template, with `{}` where values would stand. The encoding is described at `core::fmt::Arguments`.
fn template_text(template: &[u8]) -> Option<String> {
    let mut text = Vec::new();
    let mut bytes = template.iter().copied();
    loop {
        let length = match bytes.next()? {
            0 => break,
            0x80 => usize::from(u16::from_le_bytes([bytes.next()?, bytes.next()?])),
            length @ 1..0x80 => usize::from(length),
            placeholder => {
                // Flags, width, precision and the argument's number follow where their bits are set.
                let fields = [(1, 4), (2, 2), (4, 2), (8, 2)];
                let skipped: usize = fields.iter().filter(|(bit, _)| placeholder & bit != 0).map(|(_, bytes)| bytes).sum();
                for _ in 0..skipped {
                    bytes.next()?;
                }
                text.extend_from_slice(b"{}");
                continue;
            }
        };
        for _ in 0..length {
            text.push(bytes.next()?);
        }
    }
    String::from_utf8(text).ok()
}

fn overflow_message(operator: BinOp) -> &'static str {
    match operator {
        BinOp::Add => "attempt to add with overflow",
        BinOp::Sub => "attempt to subtract with overflow",
        BinOp::Mul => "attempt to multiply with overflow",
        BinOp::Div => "attempt to divide with overflow",
        BinOp::Rem => "attempt to calculate the remainder with overflow",
        BinOp::Shl => "attempt to shift left with overflow",
        BinOp::Shr => "attempt to shift right with overflow",
        _ => "attempt to compute with overflow",
    }
}

/// The kind of failure that a panicking function of `core` reports.
fn kind_of(name: &str, path: &str) -> FailureKind {
    if name.starts_with("panic_const_") {
        return if name.ends_with("_by_zero") { FailureKind::DivisionByZero } else { FailureKind::Overflow };
    }
    if name.contains("bounds_check") || path.contains("slice::index") || name.contains("len_mismatch_fail") || name.contains("slice_error")
    {
        return FailureKind::Bounds;
    }
    if matches!(name, "unwrap_failed" | "expect_failed") {
        return FailureKind::Unwrap;
    }
    if path.contains("overflow_panic") {
        return FailureKind::Overflow;
    }
    FailureKind::Panic
}

/// The messages that belong to functions without arguments.
fn known_message(name: &str) -> Option<&'static str> {
    Some(match name {
        "panic_const_add_overflow" => "attempt to add with overflow",
        "panic_const_sub_overflow" => "attempt to subtract with overflow",
        "panic_const_mul_overflow" => "attempt to multiply with overflow",
        "panic_const_div_overflow" => "attempt to divide with overflow",
        "panic_const_rem_overflow" => "attempt to calculate the remainder with overflow",
        "panic_const_neg_overflow" => "attempt to negate with overflow",
        "panic_const_shr_overflow" => "attempt to shift right with overflow",
        "panic_const_shl_overflow" => "attempt to shift left with overflow",
        "panic_const_div_by_zero" => "attempt to divide by zero",
        "panic_const_rem_by_zero" => "attempt to calculate the remainder with a divisor of zero",
        _ => return None,
    })
}
