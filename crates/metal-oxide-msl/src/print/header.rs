//! The first lines of functions, and the argument blocks of kernels.

use std::fmt::Write as _;

use crate::abi::{self, Entry, Layout};
use crate::expression::{Pointee, PointerType, VariableType};
use crate::frame::{Shared, innermost};
use crate::infer::Unit;
use crate::support::Support;
use metal_oxide_ir::Space;

/// Parameters that do not fit into a line of this length stand below one another.
const LINE: usize = 140;

/// A function's first line or lines, without the brace.
pub(crate) fn header(shared: Shared<'_>, unit: &Unit<'_>) -> String {
    let signature = shared.program.signature(unit.id);
    let structs = &shared.program.structs;
    let Some((layout, _)) = &unit.frame.kernel else {
        let mut parameters: Vec<String> = signature
            .parameters
            .iter()
            .zip(&unit.frame.parameters)
            .map(|(ty, name)| match ty {
                VariableType::Scalar(ty) => format!("{} {name}", ty.name()),
                VariableType::Pointer(ty) => format!("{}{name}", structs.pointer_name(shared.module, ty)),
                VariableType::Memory(ty) => structs.declaration(shared.module, *ty, name),
            })
            .collect();
        parameters.extend(unit.frame.coordinates.iter().map(|(coordinate, name)| format!("{} {name}", abi::coordinate_type(*coordinate))));
        if signature.can_fail {
            let state = shared.supports.use_of(Support::FailureState);
            parameters.push(format!("thread {state} &{}", unit.frame.failure));
        }
        let result = match &signature.result {
            None => "void ".to_owned(),
            Some(VariableType::Scalar(ty)) => format!("{} ", ty.name()),
            Some(VariableType::Pointer(ty)) => structs.pointer_name(shared.module, ty),
            Some(VariableType::Memory(ty)) => structs.declaration(shared.module, *ty, ""),
        };
        return list(&format!("static {result}{}(", signature.name), &parameters);
    };

    let mut parameters: Vec<String> = Vec::new();
    for entry in &layout.entries {
        if let Entry::Buffer { name, element, writable, slot } = entry {
            let pointee = Pointee::Memory(innermost(shared.module, *element));
            let ty = PointerType { space: Space::Device, pointee, read_only: !writable };
            parameters.push(format!("{}{name} [[buffer({slot})]]", structs.pointer_name(shared.module, &ty)));
        }
    }
    if !layout.members.is_empty() {
        parameters.push(format!("constant {} &{} [[buffer({})]]", signature.args_name, layout.args_name, layout.args_slot));
    }
    if signature.can_fail {
        shared.supports.use_of(Support::Failure);
        parameters.push(format!("device Failure *{} [[buffer({})]]", layout.failure_name, layout.failure_slot));
    }
    for (coordinate, name) in &layout.coordinates {
        parameters.push(format!("{} {name} [[{}]]", abi::coordinate_type(*coordinate), abi::coordinate_attribute(*coordinate)));
    }
    list(&format!("kernel void {}(", signature.name), &parameters)
}

/// The declaration of a kernel's argument block, if it has one.
pub(crate) fn argument_block(shared: Shared<'_>, name: &str, layout: &Layout) -> String {
    if layout.members.is_empty() {
        return String::new();
    }
    let mut text = format!("struct {name} {{\n");
    let mut end = 0;
    for member in &layout.members {
        // Falling alignments leave no gaps, except behind a type whose size is not a multiple of the next alignment.
        if end < member.offset {
            let _ = writeln!(text, "    uchar padding_{end}_[{}];", member.offset - end);
        }
        match member.ty {
            None => {
                let _ = writeln!(text, "    ulong {};", member.name);
                end = member.offset + 8;
            }
            Some(ty) => {
                let _ = writeln!(text, "    {};", shared.program.structs.declaration(shared.module, ty, &member.name));
                end = member.offset + shared.module.ty(ty).size;
            }
        }
    }
    text.push_str("};\n\n");
    text
}

fn list(start: &str, parameters: &[String]) -> String {
    let line = format!("{start}{})", parameters.join(", "));
    if line.len() <= LINE || parameters.is_empty() {
        return line;
    }
    format!("{start}\n    {}\n)", parameters.join(",\n    "))
}
