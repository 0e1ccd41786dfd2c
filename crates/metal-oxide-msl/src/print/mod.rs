//! The text of functions: headers, statements, and the names of variables, which are given as they are declared.

mod header;
mod hints;
mod lines;

use std::collections::HashMap;

use metal_oxide_ir::{Constant, Coordinate, InstructionId, Operation, SiteId, ValueId};

pub(crate) use header::argument_block;

use crate::abi::Layout;
use crate::expression::{Level, VariableType, Writer, zero};
use crate::flow::coalesce::{Source, VariableId};
use crate::flow::fold::Form;
use crate::frame::Shared;
use crate::infer::Unit;
use crate::names::Scope;
use crate::scalar::Scalar;
use crate::structure::{Condition, Loop, Statement, leaves};
use crate::support::Support;

/// The text of a function. `sites` gives the numbers of its failure sites.
pub(crate) fn function(shared: Shared<'_>, unit: &mut Unit<'_>, sites: &HashMap<SiteId, u32>) -> String {
    let header = header::header(shared, unit);
    let hints = hints::hints(shared.module, &unit.lowered);
    let mut scope = std::mem::replace(&mut unit.frame.scope, Scope::new(unit.names));
    let statements = std::mem::take(&mut unit.lowered.statements);
    let result = shared.program.signature(unit.id).result.clone();
    let body = unit.frame.with_writer(shared, unit.id, &unit.lowered, |writer| {
        let keeps_state = unit.frame.kernel.is_none() || calls_that_fail(writer);
        let mut printer = Printer {
            writer,
            scope: &mut scope,
            hints: &hints,
            sites,
            result: result.as_ref(),
            kernel: unit.frame.kernel.as_ref().map(|(layout, _)| layout),
            keeps_state,
            proceed: &unit.frame.proceed,
            text: String::new(),
            depth: 1,
        };
        printer.opening(&statements);
        printer.list(&statements);
        printer.ending(&statements);
        printer.text
    });
    format!("{header} {{\n{body}}}\n\n")
}

/// Whether a function calls one that can fail.
fn calls_that_fail(writer: &Writer<'_>) -> bool {
    writer.function.blocks.iter().flat_map(|block| &block.instructions).any(|&id| match writer.function.instruction(id).operation {
        Operation::Call(callee, _) => writer.program.signature(callee).can_fail,
        _ => false,
    })
}

struct Printer<'a, 'w, 'n> {
    writer: &'a mut Writer<'w>,
    scope: &'a mut Scope<'n>,
    /// What variables would like to be called.
    hints: &'a [String],
    sites: &'a HashMap<SiteId, u32>,
    result: Option<&'a VariableType>,
    kernel: Option<&'a Layout>,
    /// Failures go through a state, because functions that are called may fail too.
    keeps_state: bool,
    proceed: &'a str,
    text: String,
    depth: usize,
}

impl Printer<'_, '_, '_> {
    /// What stands in front of the first statement.
    fn opening(&mut self, statements: &[Statement]) {
        if let Some(layout) = self.kernel
            && self.keeps_state
        {
            let state = self.writer.support(Support::FailureState);
            let name = self.writer.failure.to_owned();
            let (thread, block) = self.failure_position();
            let record = layout.failure_name.clone();
            self.line(&format!("{state} {name} = {{{record}, {thread}, {block}, false}};"));
        }
        if may_run_forever(statements) {
            self.line("// Without a volatile variable in it, C++ may assume that a loop ends.");
            self.line(&format!("volatile bool {} = true;", self.proceed));
        }
    }

    /// Returns something where control cannot come to, as C++ wants it.
    fn ending(&mut self, statements: &[Statement]) {
        if self.result.is_some() && !leaves(statements) {
            self.return_nothing();
        }
    }

    fn list(&mut self, statements: &[Statement]) {
        for statement in statements {
            self.statement(statement);
        }
    }

    fn braces(&mut self, statements: &[Statement]) {
        let mark = self.scope.enter();
        self.depth += 1;
        self.list(statements);
        self.depth -= 1;
        self.scope.leave(mark);
    }

    fn statement(&mut self, statement: &Statement) {
        match statement {
            Statement::Instruction(id) => self.instruction(*id, false),
            Statement::Assign { to, from } => self.assign(*to, *from, false),
            Statement::Choose { .. } => self.choose(statement, false),
            Statement::SetFlag { flag, on } => {
                let text = format!("{} = {on};", self.writer.variable_name(*flag));
                self.line(&text);
            }
            Statement::Define(inner) => match &**inner {
                Statement::Instruction(id) => self.instruction(*id, true),
                Statement::Assign { to, from } => self.assign(*to, *from, true),
                Statement::SetFlag { flag, on } => {
                    let name = self.declare(*flag);
                    self.line(&format!("bool {name} = {on};"));
                }
                other => self.choose(other, true),
            },
            Statement::Declare(variable) => {
                let name = self.declare(*variable);
                let text = self.declaration(*variable, &name);
                self.line(&format!("{text};"));
            }
            Statement::If { condition, then, otherwise } => self.choice(condition, then, otherwise),
            Statement::Switch { value, cases, default } => self.switch(*value, cases, default),
            Statement::Loop(each) => self.loop_statement(each),
            Statement::Break => self.line("break;"),
            Statement::Continue => self.line("continue;"),
            Statement::Return(None) => self.line("return;"),
            Statement::Return(Some(value)) => {
                let text = match self.result {
                    Some(VariableType::Scalar(ty)) => self.writer.converted(*value, *ty),
                    Some(VariableType::Pointer(ty)) => self.writer.pointer(*value, ty),
                    _ => String::new(),
                };
                self.line(&format!("return {text};"));
            }
            Statement::Fail(site) => self.fail(*site),
            Statement::Unreachable if self.result.is_some() => self.return_nothing(),
            Statement::Unreachable => self.line("return;"),
            // Lowered before.
            Statement::Block { body, .. } => self.list(body),
            Statement::Jump(_) => {}
        }
    }

    fn instruction(&mut self, id: InstructionId, defines: bool) {
        let function = self.writer.function;
        let instruction = function.instruction(id);
        match &instruction.operation {
            Operation::Store { pointer, value } => {
                let text = self.writer.store(*pointer, *value);
                self.line(&format!("{text};"));
            }
            Operation::Copy { to, from, bytes, align } => {
                for text in self.writer.copy(*to, *from, *bytes, *align) {
                    self.line(&format!("{text};"));
                }
            }
            operation => {
                let variable = instruction.result.and_then(|value| self.writer.variables.of(value));
                match (variable, instruction.result) {
                    (Some(variable), Some(value)) => self.set_to_operation(variable, value, defines),
                    _ => {
                        if let Operation::Call(callee, arguments) = operation {
                            let text = self.writer.call(*callee, arguments).text;
                            self.line(&format!("{text};"));
                        }
                    }
                }
                if let Operation::Call(callee, _) = operation
                    && self.writer.program.signature(*callee).can_fail
                {
                    let text = format!("if ({}.failed) {{", self.writer.failure);
                    self.line(&text);
                    self.depth += 1;
                    self.leave();
                    self.depth -= 1;
                    self.line("}");
                }
            }
        }
    }

    /// Sets a variable to the result of the instruction that it holds.
    fn set_to_operation(&mut self, variable: VariableId, value: ValueId, defines: bool) {
        let text = match &self.writer.types[variable.index()] {
            VariableType::Pointer(ty) => self.writer.pointer_result(value, ty),
            VariableType::Scalar(ty) => {
                if !defines && let Some(text) = self.compound(variable, value, *ty, true) {
                    return self.line(&format!("{text};"));
                }
                self.writer.result(value, *ty)
            }
            VariableType::Memory(_) => return,
        };
        self.set(variable, &text, defines);
    }

    fn assign(&mut self, to: VariableId, from: Source, defines: bool) {
        if let (VariableType::Scalar(ty), Source::Value(value), false) = (&self.writer.types[to.index()], from, defines)
            && let Some(text) = self.compound(to, value, *ty, false)
        {
            return self.line(&format!("{text};"));
        }
        let text = self.source(to, from);
        self.set(to, &text, defines);
    }

    fn choose(&mut self, statement: &Statement, defines: bool) {
        let Statement::Choose { to, condition, then, otherwise } = statement else { return };
        let condition = self.writer.condition(condition).within(Level::Or);
        let (then, otherwise) = (self.exact_source(*to, *then), self.exact_source(*to, *otherwise));
        self.set(*to, &format!("{condition} ? {then} : {otherwise}"), defines);
    }

    /// One side of a choice: both sides must have the type of the variable, since C++ would bring them to a common one first.
    fn exact_source(&self, to: VariableId, source: Source) -> String {
        match (&self.writer.types[to.index()], source) {
            (VariableType::Scalar(ty), Source::Value(value)) => {
                let expression = match self.writer.function.constant(value) {
                    Some(_) if ty.is_integer() && ty.bits() <= 32 => return self.writer.converted(value, *ty),
                    _ => self.writer.exact(value, *ty),
                };
                expression.within(Level::Or)
            }
            _ => self.source(to, source),
        }
    }

    fn source(&self, to: VariableId, from: Source) -> String {
        match &self.writer.types[to.index()] {
            VariableType::Scalar(ty) => self.writer.source(from, *ty),
            VariableType::Pointer(ty) => self.writer.pointer_source(from, ty),
            VariableType::Memory(_) => String::new(),
        }
    }

    /// `x += y` for a variable. An instruction whose result is the variable is looked at as if it were folded.
    fn compound(&self, variable: VariableId, value: ValueId, ty: Scalar, own: bool) -> Option<String> {
        let writer = &self.writer;
        let is_target = |operand: ValueId| {
            writer.forms.of(writer.function, operand) == Form::Variable && writer.variables.of(operand) == Some(variable)
        };
        writer.compound_assignment(writer.variable_name(variable), ty, value, own, &is_target)
    }

    fn set(&mut self, variable: VariableId, text: &str, defines: bool) {
        if defines {
            // The name is visible only behind its declaration.
            let name = self.declare(variable);
            let declaration = self.declaration(variable, &name);
            self.line(&format!("{declaration} = {text};"));
        } else {
            let line = format!("{} = {text};", self.writer.variable_name(variable));
            self.line(&line);
        }
    }

    fn choice(&mut self, condition: &Condition, then: &[Statement], otherwise: &[Statement]) {
        let text = format!("if ({}) {{", self.writer.condition(condition).text);
        self.line(&text);
        self.braces(then);
        let mut rest = otherwise;
        // `else { if … }` with nothing else in it.
        while let [Statement::If { condition, then, otherwise }] = rest {
            let text = format!("}} else if ({}) {{", self.writer.condition(condition).text);
            self.line(&text);
            self.braces(then);
            rest = otherwise;
        }
        if !rest.is_empty() {
            self.line("} else {");
            self.braces(rest);
        }
        self.line("}");
    }

    fn switch(&mut self, value: ValueId, cases: &[(Vec<u128>, Vec<Statement>)], default: &[Statement]) {
        let ty = self.writer.function.ty(value);
        let scalar = self.writer.exact_type(value, ty);
        let text = format!("switch ({}) {{", self.writer.exact(value, scalar).text);
        self.line(&text);
        for (list, body) in cases {
            for (position, &case) in list.iter().enumerate() {
                let constant = Constant::Bits { ty, bits: case };
                let brace = if position + 1 == list.len() { " {" } else { "" };
                let text = format!("case {}:{brace}", self.writer.plain_literal(constant, scalar).text);
                self.line(&text);
            }
            self.arm(body);
        }
        if !default.is_empty() {
            self.line("default: {");
            self.arm(default);
        }
        self.line("}");
    }

    fn arm(&mut self, body: &[Statement]) {
        self.braces(body);
        if !leaves(body) {
            self.depth += 1;
            self.line("break;");
            self.depth -= 1;
        }
        self.line("}");
    }

    fn loop_statement(&mut self, each: &Loop) {
        if let Some(again) = &each.again {
            self.line("do {");
            self.braces(&each.body);
            let again = self.writer.condition(again);
            let again = if each.ends { again.text } else { format!("{} && {}", self.proceed, again.within(Level::And)) };
            return self.line(&format!("}} while ({again});"));
        }
        let mark = self.scope.enter();
        let start = each.start.map(|(variable, from)| {
            let text = self.source(variable, from);
            if each.declares {
                let name = self.declare(variable);
                format!("{} = {text}", self.declaration(variable, &name))
            } else {
                format!("{} = {text}", self.writer.variable_name(variable))
            }
        });
        let condition = each.condition.as_ref().map(|condition| self.writer.condition(condition));
        let condition = match (condition, each.ends) {
            (Some(condition), true) => condition.text,
            (Some(condition), false) => format!("{} && {}", self.proceed, condition.within(Level::And)),
            (None, true) => "true".to_owned(),
            (None, false) => self.proceed.to_owned(),
        };
        let header = match each.step {
            Some((variable, from)) => {
                let step = match (&self.writer.types[variable.index()], from) {
                    (VariableType::Scalar(ty), Source::Value(value)) => self.compound(variable, value, *ty, false),
                    _ => None,
                };
                let step = step.unwrap_or_else(|| format!("{} = {}", self.writer.variable_name(variable), self.source(variable, from)));
                format!("for ({}; {}; {step}) {{", start.unwrap_or_default(), if condition == "true" { "" } else { &condition })
            }
            None => format!("while ({condition}) {{"),
        };
        self.line(&header);
        self.braces(&each.body);
        self.line("}");
        self.scope.leave(mark);
    }

    fn fail(&mut self, site: SiteId) {
        let number = self.sites.get(&site).copied().unwrap_or_default();
        let name = self.writer.support(Support::Failure);
        let text = match self.kernel {
            Some(layout) if !self.keeps_state => {
                let record = layout.failure_name.clone();
                let (thread, block) = self.failure_position();
                format!("{name}({record}, {number}, {thread}, {block});")
            }
            _ => {
                self.writer.support(Support::FailureState);
                format!("{name}({}, {number});", self.writer.failure)
            }
        };
        self.line(&text);
        self.leave();
    }

    /// The names of the coordinates that a failure is reported with.
    fn failure_position(&self) -> (String, String) {
        ((self.writer.coordinates)(Coordinate::ThreadInBlock), (self.writer.coordinates)(Coordinate::BlockInGrid))
    }

    fn leave(&mut self) {
        if self.result.is_some() { self.return_nothing() } else { self.line("return;") }
    }

    fn return_nothing(&mut self) {
        let text = match self.result {
            Some(VariableType::Scalar(ty)) => zero(*ty),
            _ => "nullptr".to_owned(),
        };
        self.line(&format!("return {text};"));
    }

    fn declare(&mut self, variable: VariableId) -> String {
        let name = self.scope.local(&self.hints[variable.index()]);
        self.writer.names[variable.index()].clone_from(&name);
        name
    }

    fn declaration(&self, variable: VariableId, name: &str) -> String {
        let (module, structs) = (self.writer.module, &self.writer.program.structs);
        match &self.writer.types[variable.index()] {
            VariableType::Scalar(ty) => format!("{} {name}", ty.name()),
            VariableType::Pointer(ty) => format!("{}{name}", structs.pointer_name(module, ty)),
            VariableType::Memory(ty) => structs.declaration(module, *ty, name),
        }
    }

    fn line(&mut self, text: &str) {
        self.text.push_str(&lines::lines(text, self.depth * 4));
    }
}

fn may_run_forever(statements: &[Statement]) -> bool {
    statements.iter().any(|statement| match statement {
        Statement::Loop(each) => !each.ends || may_run_forever(&each.body),
        Statement::If { then, otherwise, .. } => may_run_forever(then) || may_run_forever(otherwise),
        Statement::Switch { cases, default, .. } => cases.iter().any(|(_, body)| may_run_forever(body)) || may_run_forever(default),
        _ => false,
    })
}
