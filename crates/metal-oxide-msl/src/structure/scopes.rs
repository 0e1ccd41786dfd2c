//! Declares each variable in the smallest braces around everything that mentions it, and where possible where it gets its first value.

use std::collections::HashMap;

use metal_oxide_ir::{Function, ValueId};

use super::mentions::Mentions;
use super::tree::{Label, Statement};
use crate::flow::coalesce::{Source, VariableId, VariableKind, Variables};
use crate::flow::fold::Forms;
use crate::flow::memory::Memory;

pub(super) fn declare(
    function: &Function,
    forms: &Forms,
    memory: &Memory,
    variables: &Variables,
    statements: Vec<Statement>,
) -> Vec<Statement> {
    let mentions = Mentions { function, forms, variables };
    let mut pass = Pass { total: mentions.total(&statements), mentions, slots: HashMap::new(), innermost: None };
    pass.find_slots(&statements, None);
    for variable in variables.ids() {
        // A pointer to such a slot may be in any variable, so its memory must outlive all of them.
        if matches!(variables.kind(variable), VariableKind::Slot(slot) if memory.escapes(*slot)) {
            pass.total[variable.index()] += 1;
        }
    }
    let (mut statements, left) = pass.list(statements);
    let mut left: Vec<VariableId> = left.into_keys().collect();
    left.sort_unstable();
    statements.splice(0..0, left.into_iter().map(Statement::Declare));
    statements
}

struct Pass<'a> {
    mentions: Mentions<'a>,
    /// How many statements mention each variable, in their own text.
    total: Vec<u32>,
    /// The innermost loop around each slot instruction. What is in the slot stays there from one round of an inner loop to the next.
    slots: HashMap<VariableId, Option<Label>>,
    /// The innermost loop around the current list.
    innermost: Option<Label>,
}

/// How many of the statements that mention a variable have been seen, and which one of the current list came first.
#[derive(Clone, Copy)]
struct Seen {
    count: u32,
    first: usize,
}

impl Pass<'_> {
    fn find_slots(&mut self, statements: &[Statement], innermost: Option<Label>) {
        for statement in statements {
            if let Some(slot) = self.mentions.slot(statement) {
                self.slots.insert(slot, innermost);
            }
            match statement {
                Statement::If { then, otherwise, .. } => {
                    self.find_slots(then, innermost);
                    self.find_slots(otherwise, innermost);
                }
                Statement::Switch { cases, default, .. } => {
                    cases.iter().for_each(|(_, body)| self.find_slots(body, innermost));
                    self.find_slots(default, innermost);
                }
                Statement::Loop(each) => self.find_slots(&each.body, Some(each.label)),
                _ => {}
            }
        }
    }

    /// Declares what is mentioned only in a list. The rest is left to the lists around it.
    fn list(&mut self, statements: Vec<Statement>) -> (Vec<Statement>, HashMap<VariableId, u32>) {
        let mut seen: HashMap<VariableId, Seen> = HashMap::new();
        let mut complete: Vec<(VariableId, usize)> = Vec::new();
        let mut list: Vec<Option<Statement>> = Vec::with_capacity(statements.len());
        for (index, mut statement) in statements.into_iter().enumerate() {
            // The memory of a slot is declared before its first use; the instruction itself has no text.
            if self.mentions.slot(&statement).is_some() {
                list.push(None);
                continue;
            }
            let mut counts: HashMap<VariableId, u32> = HashMap::new();
            for variable in self.mentions.own(&statement) {
                *counts.entry(variable).or_default() += 1;
            }
            self.nested(&mut statement, &mut counts);
            for (variable, count) in counts {
                let total = self.total[variable.index()];
                if let Statement::Loop(each) = &mut statement
                    && count == total
                    && each.start.is_some_and(|(counter, _)| counter == variable)
                {
                    each.declares = true;
                    continue;
                }
                let entry = seen.entry(variable).or_insert(Seen { count: 0, first: index });
                entry.count += count;
                let belongs = self.slots.get(&variable).is_none_or(|&innermost| innermost == self.innermost);
                if entry.count == total && belongs {
                    complete.push((variable, entry.first));
                    seen.remove(&variable);
                }
            }
            list.push(Some(statement));
        }

        complete.sort_unstable_by_key(|&(variable, first)| (first, variable));
        let mut declarations = complete.into_iter().peekable();
        let mut out = Vec::with_capacity(list.len());
        for (index, statement) in list.into_iter().enumerate() {
            let Some(mut statement) = statement else { continue };
            while let Some((variable, _)) = declarations.next_if(|&(_, first)| first == index) {
                if self.defines(&statement, variable) {
                    statement = Statement::Define(Box::new(statement));
                } else {
                    out.push(Statement::Declare(variable));
                }
            }
            out.push(statement);
        }
        (out, seen.into_iter().map(|(variable, seen)| (variable, seen.count)).collect())
    }

    fn nested(&mut self, statement: &mut Statement, counts: &mut HashMap<VariableId, u32>) {
        let outer = self.innermost;
        if let Statement::Loop(each) = statement {
            self.innermost = Some(each.label);
        }
        let mut inner = |body: &mut Vec<Statement>| {
            let (done, left) = self.list(std::mem::take(body));
            *body = done;
            for (variable, count) in left {
                *counts.entry(variable).or_default() += count;
            }
        };
        match statement {
            Statement::If { then, otherwise, .. } => {
                inner(then);
                inner(otherwise);
            }
            Statement::Switch { cases, default, .. } => {
                cases.iter_mut().for_each(|(_, body)| inner(body));
                inner(default);
            }
            Statement::Loop(each) => inner(&mut each.body),
            _ => {}
        }
        self.innermost = outer;
    }

    /// Whether a statement gives a variable its first value, so that it can declare it.
    fn defines(&self, statement: &Statement, variable: VariableId) -> bool {
        let mut reads = false;
        let mut read = |value: ValueId| self.mentions.each_variable(value, &mut |found| reads |= found == variable);
        let writes = match statement {
            Statement::Instruction(id) => {
                let instruction = self.mentions.function.instruction(*id);
                instruction.operation.operands(read);
                instruction.result.and_then(|value| self.mentions.variables.of(value)) == Some(variable)
            }
            Statement::Assign { to, from } => {
                if let Source::Value(value) = from {
                    read(*value);
                }
                *to == variable
            }
            Statement::Choose { to, condition, then, otherwise } => {
                condition.values(&mut read);
                for source in [then, otherwise] {
                    if let Source::Value(value) = source {
                        read(*value);
                    }
                }
                *to == variable
            }
            Statement::SetFlag { flag, .. } => *flag == variable,
            _ => false,
        };
        writes && !reads
    }
}
