//! Declares each variable in the smallest braces around everything that mentions it, and where possible where it gets its first value.

use std::collections::HashMap;

use metal_oxide_ir::{Function, Operation, ValueId};

use super::mentions::Mentions;
use super::tree::Statement;
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
    let mut pass = Pass { total: mentions.total(&statements), mentions };
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
}

/// How many of the statements that mention a variable have been seen, and which one of the current list came first.
#[derive(Clone, Copy)]
struct Seen {
    count: u32,
    first: Option<usize>,
}

impl Pass<'_> {
    /// Declares what is mentioned only in a list. The rest is left to the lists around it.
    fn list(&self, statements: Vec<Statement>) -> (Vec<Statement>, HashMap<VariableId, u32>) {
        let mut seen: HashMap<VariableId, Seen> = HashMap::new();
        let mut complete: Vec<(VariableId, usize)> = Vec::new();
        let mut list: Vec<Option<Statement>> = Vec::with_capacity(statements.len());
        for (index, mut statement) in statements.into_iter().enumerate() {
            let slot = self.slot(&statement);
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
                let entry = seen.entry(variable).or_insert(Seen { count: 0, first: None });
                entry.count += count;
                if slot != Some(variable) {
                    entry.first = entry.first.or(Some(index));
                }
                if entry.count == total {
                    complete.extend(entry.first.map(|first| (variable, first)));
                    seen.remove(&variable);
                }
            }
            // The memory of a slot is declared before its first use; the instruction itself has no text.
            list.push((slot.is_none()).then_some(statement));
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

    fn nested(&self, statement: &mut Statement, counts: &mut HashMap<VariableId, u32>) {
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
    }

    /// The variable of a slot instruction.
    fn slot(&self, statement: &Statement) -> Option<VariableId> {
        let Statement::Instruction(id) = statement else { return None };
        let instruction = self.mentions.function.instruction(*id);
        instruction
            .result
            .filter(|_| matches!(instruction.operation, Operation::Slot(_)))
            .and_then(|value| self.mentions.variables.of(value))
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
