//! Constant tables: initialised variables in the constant address space.

use std::fmt::Write as _;

use metal_oxide_ir::{Global, GlobalId, MemoryKind, Module, TypeId};

use crate::expression::table_literal;
use crate::program::Program;

/// The longest line of an initialiser.
const LINE: usize = 120;

/// The declaration of a table.
pub(crate) fn table(module: &Module, program: &Program, id: GlobalId) -> String {
    let global = &module.globals[id.index()];
    let name = program.global_name(id);
    if !global.relocations.is_empty() {
        return in_pieces(program, module, name, global);
    }
    let mut items = String::new();
    initialiser(module, program, global.ty, &global.bytes, &mut items);
    let declaration = program.structs.declaration(module, global.ty, name);
    format!("constant {declaration} = {};\n\n", wrapped(&items))
}

/// The initialiser of bytes with a memory type.
fn initialiser(module: &Module, program: &Program, ty: TypeId, bytes: &[u8], out: &mut String) {
    let memory = module.ty(ty);
    match &memory.kind {
        MemoryKind::Scalar { ty, signed } => {
            let mut bits = [0; 16];
            let size = ty.size() as usize;
            bits[..size].copy_from_slice(&bytes[..size]);
            out.push_str(&table_literal(u128::from_le_bytes(bits), *ty, *signed));
        }
        MemoryKind::Array { element, count } => {
            let size = module.ty(*element).size as usize;
            out.push('{');
            for index in 0..*count as usize {
                if index > 0 {
                    out.push_str(", ");
                }
                initialiser(module, program, *element, &bytes[index * size..][..size], out);
            }
            out.push('}');
        }
        MemoryKind::Struct { fields } if !program.structs.is_bytes(ty) => {
            out.push('{');
            for (position, member) in program.structs.members(module, ty).into_iter().enumerate() {
                if position > 0 {
                    out.push_str(", ");
                }
                match member {
                    Some(index) => {
                        let field = &fields[index];
                        let inner = &bytes[field.offset as usize..][..module.ty(field.ty).size as usize];
                        initialiser(module, program, field.ty, inner, out);
                    }
                    None => out.push_str("{}"),
                }
            }
            out.push('}');
        }
        MemoryKind::Struct { .. } | MemoryKind::Opaque => {
            let list: Vec<String> = bytes.iter().map(u8::to_string).collect();
            let _ = write!(out, "{{{{{}}}}}", list.join(", "));
        }
    }
}

/// A table with addresses inside: a struct of its own, with a member for each address and for the bytes between them.
fn in_pieces(program: &Program, module: &Module, name: &str, global: &Global) -> String {
    let align = module.ty(global.ty).align.max(8);
    let mut members = String::new();
    let mut values: Vec<String> = Vec::new();
    let bytes = |from: u64, to: u64, members: &mut String, values: &mut Vec<String>| {
        if from < to {
            let _ = writeln!(members, "    uchar bytes_{from}[{}];", to - from);
            let list: Vec<String> = global.bytes[from as usize..to as usize].iter().map(u8::to_string).collect();
            values.push(format!("{{{}}}", list.join(", ")));
        }
    };
    let mut end = 0;
    for relocation in &global.relocations {
        bytes(end, relocation.offset, &mut members, &mut values);
        let _ = writeln!(members, "    constant uchar *address_{};", relocation.offset);
        let start = format!("(constant uchar *)&{}", program.global_name(relocation.target));
        values.push(if relocation.addend == 0 { start } else { format!("{start} + {}", relocation.addend) });
        end = relocation.offset + 8;
    }
    bytes(end, global.bytes.len() as u64, &mut members, &mut values);
    format!("constant struct alignas({align}) {{\n{members}}} {name} = {};\n\n", wrapped(&format!("{{{}}}", values.join(", "))))
}

/// Breaks a long list into lines.
fn wrapped(items: &str) -> String {
    if items.len() <= LINE || !items.starts_with('{') {
        return items.to_owned();
    }
    let inner = &items[1..items.len() - 1];
    let mut out = String::from("{\n");
    let mut line = String::from("   ");
    for item in inner.split(", ") {
        if line.len() + item.len() + 2 > LINE {
            let _ = writeln!(out, "{line}");
            line = String::from("   ");
        }
        let _ = write!(line, " {item},");
    }
    let _ = write!(out, "{}\n}}", line.trim_end_matches(','));
    out
}
