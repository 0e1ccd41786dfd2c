//! Recognises the statements that have a better word: `while` and `for` loops, and choices between two values of one variable.

use metal_oxide_ir::{Function, Operation, ValueId};

use super::mentions::Mentions;
use super::tree::{Condition, Loop, Statement};
use crate::flow::coalesce::{Source, VariableId, Variables};
use crate::flow::fold::{Form, Forms};
use crate::flow::liveness::variables_of;

/// A choice between expressions with more operators than this, together, stays an `if`.
const LARGEST_CHOICE: usize = 6;
/// How many tests at the start of a loop become one condition.
const LARGEST_CONDITION: usize = 3;

pub(super) fn recognise(function: &Function, forms: &Forms, variables: &Variables, statements: Vec<Statement>) -> Vec<Statement> {
    let mentions = Mentions { function, forms, variables };
    Pass { function, forms, variables, total: mentions.total(&statements), mentions }.list(statements)
}

struct Pass<'a> {
    function: &'a Function,
    forms: &'a Forms,
    variables: &'a Variables,
    mentions: Mentions<'a>,
    /// How many statements mention each variable.
    total: Vec<u32>,
}

impl Pass<'_> {
    fn list(&self, statements: Vec<Statement>) -> Vec<Statement> {
        let mut out = Vec::with_capacity(statements.len());
        for statement in statements {
            match statement {
                Statement::If { condition, then, otherwise } => {
                    let (then, otherwise) = (self.list(then), self.list(otherwise));
                    out.push(self.choice(condition, then, otherwise));
                }
                Statement::Switch { value, cases, default } => {
                    let cases = cases.into_iter().map(|(list, body)| (list, self.list(body))).collect();
                    out.push(Statement::Switch { value, cases, default: self.list(default) });
                }
                Statement::Loop(each) => {
                    // Its counter, if only one statement in front of the loop mentions it too. To be found before anything is rewritten.
                    let counter = each.step.map(|(counter, _)| counter);
                    let statement = Statement::Loop(each);
                    let own = counter.filter(|&counter| {
                        self.mentions.count(std::slice::from_ref(&statement), counter) + 1 >= self.total[counter.index()]
                    });
                    let Statement::Loop(mut each) = statement else { continue };
                    each.body = self.list(each.body);
                    let each = self.loop_statement(each, own, &mut out);
                    out.push(Statement::Loop(each));
                }
                other => out.push(other),
            }
        }
        out
    }

    fn choice(&self, condition: Condition, mut then: Vec<Statement>, mut otherwise: Vec<Statement>) -> Statement {
        let ([Statement::Assign { to, from: a }], [Statement::Assign { to: other, from: b }]) = (&then[..], &otherwise[..]) else {
            return Statement::If { condition, then, otherwise };
        };
        let (to, a, b) = (*to, *a, *b);
        let mut operators = self.operators_in(a) + self.operators_in(b);
        condition.values(&mut |value| operators += self.operators(value));
        if to != *other || operators > LARGEST_CHOICE {
            return Statement::If { condition, then: std::mem::take(&mut then), otherwise: std::mem::take(&mut otherwise) };
        }
        Statement::Choose { to, condition, then: a, otherwise: b }
    }

    fn loop_statement(&self, mut each: Loop, own: Option<VariableId>, before: &mut Vec<Statement>) -> Loop {
        // `if (c) { break; }` at the start of each round.
        let mut tests = 0;
        while let Some(Statement::If { then, otherwise, .. }) = each.body.first()
            && then[..] == [Statement::Break]
            && otherwise.is_empty()
            && tests < LARGEST_CONDITION
        {
            let Statement::If { condition, .. } = each.body.remove(0) else { break };
            let stay = condition.negated();
            each.condition = Some(match each.condition.take() {
                Some(earlier) => Condition::And(Box::new(earlier), Box::new(stay)),
                None => stay,
            });
            tests += 1;
        }

        let Some((counter, step)) = each.step else { return self.tested_behind(each) };
        let needed = continues(&each.body);
        let tested = each.condition.as_ref().is_some_and(|condition| {
            let mut found = false;
            condition.values(&mut |value| found |= self.reads(value, counter));
            found
        });
        let steps_alone = matches!(step, Source::Value(value) if self.steps(value, counter, &each));
        if tested && steps_alone && own.is_some() {
            each.start = self.take_start(counter, before);
        }
        if !needed && each.start.is_none() {
            each.step = None;
            each.body.push(Statement::Assign { to: counter, from: step });
            return self.tested_behind(each);
        }
        each
    }

    /// A loop whose rounds end with `if (c) { break; }` is tested there, if what the test reads is known outside of a round.
    fn tested_behind(&self, mut each: Loop) -> Loop {
        if each.condition.is_some() || continues(&each.body) {
            return each;
        }
        if let [.., Statement::If { condition, then, otherwise }] = &each.body[..]
            && then[..] == [Statement::Break]
            && otherwise.is_empty()
        {
            let mut outside = true;
            condition.values(&mut |value| {
                self.mentions.each_variable(value, &mut |variable| outside &= each.carried.contains(&variable));
            });
            if outside && let Some(Statement::If { condition, .. }) = each.body.pop() {
                each.again = Some(condition.negated());
            }
        }
        each
    }

    /// Removes the assignment of a counter's first value from the statements in front of a loop.
    fn take_start(&self, counter: VariableId, before: &mut Vec<Statement>) -> Option<(VariableId, Source)> {
        let mut skipped: Vec<VariableId> = Vec::new();
        for index in (0..before.len()).rev() {
            let (to, from) = match before[index] {
                Statement::Assign { to, from } => (to, from),
                Statement::SetFlag { .. } => continue,
                _ => return None,
            };
            if to == counter {
                let early = skipped.iter().any(|&variable| self.source_reads(from, variable));
                if early {
                    return None;
                }
                before.remove(index);
                return Some((to, from));
            }
            if self.source_reads(from, counter) {
                return None;
            }
            skipped.push(to);
        }
        None
    }

    fn source_reads(&self, source: Source, variable: VariableId) -> bool {
        match source {
            Source::Value(value) => self.reads(value, variable),
            Source::Variable(other) => other == variable,
        }
    }

    fn reads(&self, value: ValueId, variable: VariableId) -> bool {
        let mut found = false;
        variables_of(self.function, self.forms, value, &mut |read| found |= self.variables.of(read) == Some(variable));
        found
    }

    /// Whether a value is computed from a counter and what is known outside of a round.
    fn steps(&self, value: ValueId, counter: VariableId, each: &Loop) -> bool {
        let mut outside = true;
        self.mentions.each_variable(value, &mut |variable| outside &= each.carried.contains(&variable));
        outside && self.reads(value, counter)
    }

    fn operators_in(&self, source: Source) -> usize {
        match source {
            Source::Value(value) => self.operators(value),
            Source::Variable(_) => 0,
        }
    }

    /// How many operators the text of a value has.
    fn operators(&self, value: ValueId) -> usize {
        let (Form::Folded, Some(operation)) = (self.forms.of(self.function, value), self.function.defining_operation(value)) else {
            return 0;
        };
        // A choice in a choice is hard to read.
        let mut count = if matches!(operation, Operation::Select(..)) { LARGEST_CHOICE } else { 1 };
        operation.operands(|operand| count += self.operators(operand));
        count
    }
}

/// Whether statements begin the next round of the loop around them early.
fn continues(statements: &[Statement]) -> bool {
    statements.iter().any(|statement| match statement {
        Statement::Continue => true,
        Statement::If { then, otherwise, .. } => continues(then) || continues(otherwise),
        Statement::Switch { cases, default, .. } => cases.iter().any(|(_, body)| continues(body)) || continues(default),
        _ => false,
    })
}
