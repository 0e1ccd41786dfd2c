//! Which variables the text of a statement mentions.

use metal_oxide_ir::{Function, Operation, ValueId};

use super::tree::{Condition, Loop, Statement};
use crate::flow::coalesce::{Source, VariableId, Variables};
use crate::flow::fold::Forms;
use crate::flow::liveness::variables_of;

/// Answers for one function.
#[derive(Clone, Copy)]
pub(super) struct Mentions<'a> {
    pub(super) function: &'a Function,
    pub(super) forms: &'a Forms,
    pub(super) variables: &'a Variables,
}

impl Mentions<'_> {
    /// How many statements mention each variable in their own text.
    pub(super) fn total(&self, statements: &[Statement]) -> Vec<u32> {
        let mut total = vec![0; self.variables.len()];
        self.each_statement(statements, &mut |statement| {
            for variable in self.own(statement) {
                total[variable.index()] += 1;
            }
        });
        total
    }

    /// How many of some statements, and of those inside them, mention a variable.
    pub(super) fn count(&self, statements: &[Statement], variable: VariableId) -> u32 {
        let mut count = 0;
        self.each_statement(statements, &mut |statement| count += u32::from(self.own(statement).contains(&variable)));
        count
    }

    /// The variable of a slot instruction.
    pub(super) fn slot(&self, statement: &Statement) -> Option<VariableId> {
        let Statement::Instruction(id) = statement else { return None };
        let instruction = self.function.instruction(*id);
        instruction.result.filter(|_| matches!(instruction.operation, Operation::Slot(_))).and_then(|value| self.variables.of(value))
    }

    fn each_statement(&self, statements: &[Statement], visit: &mut dyn FnMut(&Statement)) {
        for statement in statements {
            visit(statement);
            match statement {
                Statement::If { then, otherwise, .. } => {
                    self.each_statement(then, visit);
                    self.each_statement(otherwise, visit);
                }
                Statement::Switch { cases, default, .. } => {
                    cases.iter().for_each(|(_, body)| self.each_statement(body, visit));
                    self.each_statement(default, visit);
                }
                Statement::Loop(each) => self.each_statement(&each.body, visit),
                _ => {}
            }
        }
    }

    /// The variables that a statement mentions in its own text, not in statements inside it.
    pub(super) fn own(&self, statement: &Statement) -> Vec<VariableId> {
        let mut found: Vec<VariableId> = Vec::new();
        let add = |found: &mut Vec<VariableId>, value: ValueId| self.each_variable(value, &mut |variable| found.push(variable));
        let source = |found: &mut Vec<VariableId>, source: Source| match source {
            Source::Value(value) => add(found, value),
            Source::Variable(variable) => found.push(variable),
        };
        let test = |found: &mut Vec<VariableId>, condition: &Condition| {
            condition.values(&mut |value| add(found, value));
            condition.flags(&mut |flag| found.push(flag));
        };
        match statement {
            // The memory of a slot is there whether or not the instruction is executed.
            _ if self.slot(statement).is_some() => {}
            Statement::Instruction(id) => {
                let instruction = self.function.instruction(*id);
                instruction.operation.operands(|value| add(&mut found, value));
                found.extend(instruction.result.and_then(|value| self.variables.of(value)));
            }
            Statement::Assign { to, from } => {
                found.push(*to);
                source(&mut found, *from);
            }
            Statement::Choose { to, condition, then, otherwise } => {
                found.push(*to);
                test(&mut found, condition);
                source(&mut found, *then);
                source(&mut found, *otherwise);
            }
            Statement::SetFlag { flag, .. } => found.push(*flag),
            Statement::If { condition, .. } => test(&mut found, condition),
            Statement::Switch { value, .. } | Statement::Return(Some(value)) => add(&mut found, *value),
            Statement::Loop(Loop { condition, again, start, step, carried, .. }) => {
                found.extend(carried);
                condition.iter().chain(again).for_each(|condition| test(&mut found, condition));
                for (variable, from) in start.iter().chain(step) {
                    found.push(*variable);
                    source(&mut found, *from);
                }
            }
            _ => {}
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    /// Calls `visit` with each variable that the text of a value reads.
    pub(super) fn each_variable(&self, value: ValueId, visit: &mut dyn FnMut(VariableId)) {
        variables_of(self.function, self.forms, value, &mut |value| {
            if let Some(variable) = self.variables.of(value) {
                visit(variable);
            }
        });
    }
}
