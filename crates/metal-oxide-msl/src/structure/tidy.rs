//! Removes labels and jumps where nesting says the same: jumps to where the text goes on anyway, and statements that only one side of a
//! choice reaches, which move into its `else`.

use std::collections::HashMap;

use super::place::Labels;
use super::tree::{Condition, Label, Loop, Statement, leaves};

/// An early `return` or `continue` stays one if more statements than this would have to be indented instead.
const LARGEST_INDENTED: usize = 10;

pub(super) fn tidy(statements: Vec<Statement>, labels: &mut Labels) -> Vec<Statement> {
    let mut pass = Pass { aliases: HashMap::new(), labels, round: None };
    pass.list(statements, Labels::RETURN)
}

struct Pass<'a> {
    /// Labels at the same place as another one.
    aliases: HashMap<Label, Label>,
    labels: &'a mut Labels,
    /// The end of a round of the innermost loop.
    round: Option<Label>,
}

impl Pass<'_> {
    /// Tidies statements behind which control goes on at a label.
    fn list(&mut self, statements: Vec<Statement>, end: Label) -> Vec<Statement> {
        // What is done already, in reverse order.
        let mut rest: Vec<Statement> = Vec::new();
        for statement in statements.into_iter().rev() {
            let next = if rest.is_empty() { end } else { self.labels.fresh() };
            match statement {
                Statement::Block { label, body } if rest.is_empty() => {
                    self.aliases.insert(label, end);
                    rest.extend(self.list(body, end).into_iter().rev());
                }
                Statement::Block { label, body } => {
                    let body = self.list(body, label);
                    if mentions(&body, label) {
                        rest.push(Statement::Block { label, body });
                    } else {
                        body.into_iter().rev().for_each(|statement| self.prepend(statement, &mut rest, end));
                    }
                }
                Statement::If { condition, then, otherwise } => {
                    let (then, otherwise) = (self.list(then, next), self.list(otherwise, next));
                    for statement in simplified(condition, then, otherwise).into_iter().rev() {
                        self.prepend(statement, &mut rest, end);
                    }
                }
                Statement::Switch { value, cases, default } => {
                    let cases: Vec<_> = cases.into_iter().map(|(list, body)| (list, self.list(body, next))).collect();
                    let default = self.list(default, next);
                    // `break` in a `switch` would not leave the loop.
                    if self.round.is_some() && cases.iter().map(|(_, body)| body).chain([&default]).any(|body| self.may_break(body)) {
                        let mut chain = default;
                        for (cases, then) in cases.into_iter().rev() {
                            let condition = Condition::Equals { value, cases, negated: false };
                            let mut list = Vec::new();
                            let choice = Statement::If { condition, then, otherwise: chain };
                            self.prepend(choice, &mut list, next);
                            list.reverse();
                            chain = list;
                        }
                        chain.into_iter().rev().for_each(|statement| self.prepend(statement, &mut rest, end));
                    } else {
                        rest.push(Statement::Switch { value, cases, default });
                    }
                }
                Statement::Loop(each) => {
                    let outer = self.round.replace(each.label);
                    let body = self.list(each.body, each.label);
                    self.round = outer;
                    rest.push(Statement::Loop(Loop { body, ..each }));
                }
                Statement::Jump(label) => {
                    let label = self.resolve(label);
                    if !(label == end && rest.is_empty()) {
                        rest.push(Statement::Jump(label));
                    }
                }
                Statement::Return(None) | Statement::Unreachable if end == Labels::RETURN && rest.is_empty() => {}
                other => rest.push(other),
            }
        }
        rest.reverse();
        rest
    }

    /// Puts a tidy statement in front of tidy ones (in reverse order), behind which control goes on at `end`.
    fn prepend(&mut self, statement: Statement, rest: &mut Vec<Statement>, end: Label) {
        let Statement::If { condition, then, otherwise } = statement else { return rest.push(statement) };
        if !leaves(&then) && !leaves(&otherwise) {
            return rest.push(Statement::If { condition, then, otherwise });
        }
        let (condition, mut leaving, staying) =
            if leaves(&then) { (condition, then, otherwise) } else { (condition.negated(), otherwise, then) };

        if !rest.is_empty() && !leaves(&staying) && self.goes_to(leaving.last(), end) {
            let early = leaving.len() == 1 && self.has_word(end) && is_longer(rest, LARGEST_INDENTED.saturating_sub(staying.len()));
            if !early {
                leaving.pop();
                let leaving = self.list(leaving, end);
                let mut other = std::mem::take(rest);
                staying.into_iter().rev().for_each(|statement| self.prepend(statement, &mut other, end));
                other.reverse();
                rest.extend(simplified(condition, leaving, other).into_iter().rev());
                return;
            }
        }
        staying.into_iter().rev().for_each(|statement| self.prepend(statement, rest, end));
        match rest.pop() {
            // Two reasons to do the same.
            Some(Statement::If { condition: second, then, otherwise }) if otherwise.is_empty() && then == leaving && then.len() == 1 => {
                let either = Condition::Or(Box::new(condition), Box::new(second));
                rest.push(Statement::If { condition: either, then, otherwise });
            }
            next => {
                rest.extend(next);
                rest.push(Statement::If { condition, then: leaving, otherwise: Vec::new() });
            }
        }
    }

    fn resolve(&self, mut label: Label) -> Label {
        while let Some(&next) = self.aliases.get(&label) {
            label = next;
        }
        label
    }

    fn goes_to(&self, statement: Option<&Statement>, end: Label) -> bool {
        match statement {
            Some(Statement::Jump(label)) => self.resolve(*label) == end,
            Some(Statement::Return(None)) => end == Labels::RETURN,
            _ => false,
        }
    }

    /// Whether a jump in statements goes neither to the end of the round nor of the function.
    fn may_break(&self, statements: &[Statement]) -> bool {
        statements.iter().any(|statement| match statement {
            Statement::Jump(label) => !self.has_word(*label),
            Statement::Block { body, .. } | Statement::Loop(Loop { body, .. }) => self.may_break(body),
            Statement::If { then, otherwise, .. } => self.may_break(then) || self.may_break(otherwise),
            Statement::Switch { cases, default, .. } => cases.iter().any(|(_, body)| self.may_break(body)) || self.may_break(default),
            _ => false,
        })
    }

    /// Whether C++ can jump there from anywhere in the innermost loop.
    fn has_word(&self, label: Label) -> bool {
        label == Labels::RETURN || self.round == Some(label)
    }
}

/// A choice, or what it comes down to.
fn simplified(condition: Condition, mut then: Vec<Statement>, otherwise: Vec<Statement>) -> Vec<Statement> {
    // Nothing leads to what is never reached, so the condition is known.
    if then == [Statement::Unreachable] {
        return otherwise;
    }
    if otherwise == [Statement::Unreachable] {
        return then;
    }
    match (then.is_empty(), otherwise.is_empty()) {
        (true, true) => Vec::new(),
        (true, false) => simplified(condition.negated(), otherwise, then),
        (false, true) => {
            if let [Statement::If { otherwise: inner, .. }] = &then[..]
                && inner.is_empty()
                && let Some(Statement::If { condition: second, then, .. }) = then.pop()
            {
                let condition = Condition::And(Box::new(condition), Box::new(second));
                return vec![Statement::If { condition, then, otherwise }];
            }
            vec![Statement::If { condition, then, otherwise }]
        }
        (false, false) => {
            // The shorter way out comes first, so that the rest needs no braces.
            if leaves(&otherwise) && !leaves(&then) || (leaves(&otherwise) && otherwise.len() < then.len()) {
                return vec![Statement::If { condition: condition.negated(), then: otherwise, otherwise: then }];
            }
            vec![Statement::If { condition, then, otherwise }]
        }
    }
}

/// Whether a jump to a label is left in statements.
pub(super) fn mentions(statements: &[Statement], label: Label) -> bool {
    statements.iter().any(|statement| match statement {
        Statement::Jump(to) => *to == label,
        Statement::Block { body, .. } | Statement::Loop(Loop { body, .. }) => mentions(body, label),
        Statement::If { then, otherwise, .. } => mentions(then, label) || mentions(otherwise, label),
        Statement::Switch { cases, default, .. } => cases.iter().any(|(_, body)| mentions(body, label)) || mentions(default, label),
        _ => false,
    })
}

/// Whether statements take more lines than a limit, about.
fn is_longer(statements: &[Statement], limit: usize) -> bool {
    fn count(statements: &[Statement], left: usize) -> Option<usize> {
        statements.iter().try_fold(left, |left, statement| {
            let left = left.checked_sub(1)?;
            match statement {
                Statement::Block { body, .. } | Statement::Loop(Loop { body, .. }) => count(body, left),
                Statement::If { then, otherwise, .. } => count(otherwise, count(then, left)?),
                Statement::Switch { cases, default, .. } => {
                    cases.iter().try_fold(count(default, left)?, |left, (_, body)| count(body, left))
                }
                _ => Some(left),
            }
        })
    }
    count(statements, limit).is_none()
}
