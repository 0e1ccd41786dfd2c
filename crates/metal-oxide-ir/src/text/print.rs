//! Prints modules.
//! Unreachable blocks are left out; values and blocks are numbered in the order in which they are printed.

use std::collections::HashMap;
use std::fmt::{self, Write};

use crate::{
    BlockId, Constant, Function, FunctionKind, KernelParameterKind, LocationId, MemoryKind, Module, Operation, Target, Terminator, Type,
    ValueId,
};

/// The text of a module.
pub fn print(module: &Module) -> String {
    let mut out = String::new();
    print_tables(&mut out, module).expect("writing to a string succeeds");
    for function in &module.functions {
        if !out.is_empty() {
            out.push('\n');
        }
        out.push_str(&print_function(module, function));
    }
    out
}

/// The text of one function of a module.
pub fn print_function(module: &Module, function: &Function) -> String {
    let mut printer = Printer { module, function, out: String::new(), values: HashMap::new(), blocks: HashMap::new() };
    printer.number();
    printer.function().expect("writing to a string succeeds");
    printer.out
}

/// A string as the text form quotes it.
pub(super) fn quote(text: &str) -> String {
    format!("{text:?}")
}

fn print_tables(out: &mut String, module: &Module) -> fmt::Result {
    for (index, location) in module.locations.iter().enumerate() {
        writeln!(out, "location loc{index} = {} {} {}", quote(&location.file), location.line, location.column)?;
    }
    for (index, site) in module.sites.iter().enumerate() {
        let location = &site.location;
        let (file, message) = (quote(&location.file), quote(&site.message));
        writeln!(out, "site site{index} = {} {file} {} {} {message}", site.kind.keyword(), location.line, location.column)?;
    }
    for (index, unsupported) in module.unsupported.iter().enumerate() {
        writeln!(out, "unsupported unsupported{index} = {} {}", quote(&unsupported.code), quote(&unsupported.message))?;
    }
    for (index, ty) in module.types.iter().enumerate() {
        write!(out, "type type{index} = {} size {} align {} ", quote(&ty.name), ty.size, ty.align)?;
        match &ty.kind {
            MemoryKind::Scalar { ty, signed } => writeln!(out, "scalar {ty}{}", if *signed { " signed" } else { "" })?,
            MemoryKind::Array { element, count } => writeln!(out, "array {element} {count}")?,
            MemoryKind::Struct { fields } => {
                let fields: Vec<_> = fields.iter().map(|field| format!("{} {} {}", quote(&field.name), field.offset, field.ty)).collect();
                writeln!(out, "struct {{ {} }}", fields.join(", "))?;
            }
            MemoryKind::Opaque => writeln!(out, "opaque")?,
        }
    }
    for (index, global) in module.globals.iter().enumerate() {
        write!(out, "global global{index} = {} {} \"", quote(&global.name), global.ty)?;
        for byte in &global.bytes {
            write!(out, "{byte:02x}")?;
        }
        out.push('"');
        for relocation in &global.relocations {
            write!(out, " {}: {} + {}", relocation.offset, relocation.target, relocation.addend)?;
        }
        out.push('\n');
    }
    Ok(())
}

struct Printer<'a> {
    module: &'a Module,
    function: &'a Function,
    out: String,
    values: HashMap<ValueId, usize>,
    blocks: HashMap<BlockId, usize>,
}

impl Printer<'_> {
    /// Numbers the reachable blocks by their position, and values in the order of their definitions.
    fn number(&mut self) {
        let mut reachable = vec![false; self.function.blocks.len()];
        let mut pending = vec![self.function.entry()];
        while let Some(block) = pending.pop() {
            if !std::mem::replace(&mut reachable[block.index()], true) {
                pending.extend(self.function.block(block).terminator.targets().map(|target| target.block));
            }
        }
        for id in self.function.block_ids().filter(|id| reachable[id.index()]) {
            self.blocks.insert(id, self.blocks.len());
            let block = self.function.block(id);
            let results = block.instructions.iter().filter_map(|&instruction| self.function.instruction(instruction).result);
            for value in block.parameters.iter().copied().chain(results) {
                self.values.insert(value, self.values.len());
            }
        }
    }

    fn function(&mut self) -> fmt::Result {
        match &self.function.kind {
            FunctionKind::Helper { keep } => {
                write!(self.out, "function {}@{}", if *keep { "keep " } else { "" }, self.function.name)?;
            }
            FunctionKind::Kernel { parameters } => {
                let parameters: Vec<_> = parameters.iter().map(|p| format!("{}: {}", p.name, kernel_parameter(p.kind))).collect();
                write!(self.out, "kernel @{}({})", self.function.name, parameters.join(", "))?;
            }
        }
        if let Some(result) = self.function.result {
            write!(self.out, " -> {result}")?;
        }
        self.out.push_str(" {\n");
        for id in self.function.block_ids().filter(|id| self.blocks.contains_key(id)).collect::<Vec<_>>() {
            self.block(id)?;
        }
        self.out.push_str("}\n");
        Ok(())
    }

    fn block(&mut self, id: BlockId) -> fmt::Result {
        let block = self.function.block(id);
        write!(self.out, "block{}", self.blocks[&id])?;
        if !block.parameters.is_empty() {
            let parameters: Vec<_> =
                block.parameters.iter().map(|&value| format!("{}: {}", self.defined(value), self.function.ty(value))).collect();
            write!(self.out, "({})", parameters.join(", "))?;
        }
        self.out.push_str(":\n");
        for &instruction in &block.instructions {
            let instruction = self.function.instruction(instruction);
            self.out.push_str("    ");
            if let Some(result) = instruction.result {
                write!(self.out, "{} = ", self.defined(result))?;
            }
            let text = self.operation(&instruction.operation, instruction.result.map(|value| self.function.ty(value)));
            self.out.push_str(&text);
            self.location(instruction.location)?;
        }
        let text = self.terminator(&block.terminator);
        write!(self.out, "    {text}")?;
        self.location(block.location)
    }

    fn location(&mut self, location: Option<LocationId>) -> fmt::Result {
        match location {
            Some(location) => writeln!(self.out, " !{location}"),
            None => writeln!(self.out),
        }
    }

    fn operation(&self, operation: &Operation, result: Option<Type>) -> String {
        let ty = result.map(|ty| ty.to_string()).unwrap_or_default();
        match operation {
            Operation::Binary(operator, a, b) => format!("{} {ty} {}, {}", operator.keyword(), self.bare(*a), self.bare(*b)),
            Operation::Unary(operator, a) => format!("{} {ty} {}", operator.keyword(), self.bare(*a)),
            Operation::Compare(operator, a, b) => {
                format!("{} {} {}, {}", operator.keyword(), self.function.ty(*a), self.bare(*a), self.bare(*b))
            }
            Operation::Select(c, a, b) => format!("select {ty} {}, {}, {}", self.bare(*c), self.bare(*a), self.bare(*b)),
            Operation::Cast(operator, a) => {
                format!("{} {} {} to {ty}", operator.keyword(), self.function.ty(*a), self.bare(*a))
            }
            Operation::Math(function, operands) => {
                let operands: Vec<_> = operands.iter().map(|&value| self.bare(value)).collect();
                format!("{} {ty} {}", function.keyword(), operands.join(", "))
            }
            Operation::Slot(slot) => format!("slot {ty} {slot}"),
            Operation::Load(pointer) => format!("load {ty} {}", self.typed(*pointer)),
            Operation::Store { pointer, value } => {
                format!("store {} {}, {}", self.function.ty(*value), self.bare(*value), self.typed(*pointer))
            }
            Operation::Copy { to, from, bytes, align } => {
                format!("copy {bytes} align {align} {}, {}", self.typed(*to), self.typed(*from))
            }
            Operation::Element { base, index, ty: element } => {
                format!("element {ty} {element}, {}, {}", self.typed(*base), self.bare(*index))
            }
            Operation::Field { base, ty: of, field } => format!("field {ty} {of}.{field}, {}", self.typed(*base)),
            Operation::Offset { base, bytes } => format!("offset {ty} {}, {}", self.typed(*base), self.bare(*bytes)),
            Operation::Call(function, arguments) => {
                let space = if ty.is_empty() { "" } else { " " };
                format!("call {ty}{space}@{}({})", self.module.function(*function).name, self.list(arguments))
            }
            Operation::Coordinate(coordinate, axis) => format!("coordinate {}.{}", coordinate.keyword(), axis.keyword()),
            Operation::Assume(condition) => format!("assume {}", self.bare(*condition)),
        }
    }

    fn terminator(&self, terminator: &Terminator) -> String {
        match terminator {
            Terminator::Branch(target) => format!("br {}", self.target(target)),
            Terminator::CondBranch { condition, then, otherwise } => {
                format!("cond_br {}, {}, {}", self.bare(*condition), self.target(then), self.target(otherwise))
            }
            Terminator::Switch { value, cases, default } => {
                let ty = self.function.ty(*value);
                let mut text = format!("switch {ty} {}", self.bare(*value));
                for (bits, target) in cases {
                    let case = constant(Constant::Bits { ty, bits: *bits });
                    let _ = write!(text, ", {case}: {}", self.target(target));
                }
                text + ", default: " + &self.target(default)
            }
            Terminator::Return(None) => "return".into(),
            Terminator::Return(Some(value)) => format!("return {}", self.typed(*value)),
            Terminator::Fail(site) => format!("fail {site}"),
            Terminator::Unsupported(reason) => format!("unsupported {reason}"),
            Terminator::Unreachable => "unreachable".into(),
        }
    }

    fn target(&self, target: &Target) -> String {
        let block = self.blocks[&target.block];
        if target.arguments.is_empty() { format!("block{block}") } else { format!("block{block}({})", self.list(&target.arguments)) }
    }

    fn list(&self, values: &[ValueId]) -> String {
        values.iter().map(|&value| self.typed(value)).collect::<Vec<_>>().join(", ")
    }

    /// A value where it is defined: with its name.
    fn defined(&self, value: ValueId) -> String {
        match self.function.name(value) {
            Some(name) => format!("{}.{name}", self.bare(value)),
            None => self.bare(value),
        }
    }

    /// An operand whose type the operation names.
    fn bare(&self, value: ValueId) -> String {
        match (self.function.constant(value), self.values.get(&value)) {
            (Some(known), _) => constant(known),
            (None, Some(number)) => format!("%{number}"),
            // Only an invalid function refers to a value that is defined nowhere; show it rather than hide it.
            (None, None) => format!("%missing{}", value.index()),
        }
    }

    /// An operand whose type the operation does not name.
    fn typed(&self, value: ValueId) -> String {
        match self.function.constant(value) {
            Some(Constant::Global(global)) => global.to_string(),
            Some(known) => format!("{}:{}", constant(known), known.ty()),
            None => self.bare(value),
        }
    }
}

fn kernel_parameter(kind: KernelParameterKind) -> String {
    match kind {
        KernelParameterKind::Buffer { element, writable } => format!("buffer {}{element}", if writable { "mut " } else { "" }),
        KernelParameterKind::Scalar { ty } => format!("scalar {ty}"),
        KernelParameterKind::Aggregate { ty } => format!("aggregate {ty}"),
    }
}

fn constant(constant: Constant) -> String {
    match constant {
        Constant::Undef(_) => "undef".into(),
        Constant::Global(global) => global.to_string(),
        Constant::Bits { ty: Type::Bool, bits } => (bits != 0).to_string(),
        Constant::Bits { ty: Type::F32, bits } if f32::from_bits(bits as u32).is_finite() => format!("{:?}", f32::from_bits(bits as u32)),
        Constant::Bits { ty, bits } if ty.is_float() || ty.is_pointer() => format!("{bits:#x}"),
        Constant::Bits { .. } => constant.as_signed().unwrap_or_default().to_string(),
    }
}
