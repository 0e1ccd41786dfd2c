//! Replaces labels and jumps by what C++ has: `break`, `continue`, `return`, and flags for jumps that leave more than one statement.
//! A flag is set where the jump was; on the way out, loops are left while it is set and other statements are skipped.

use std::collections::{BTreeSet, HashMap};

use super::place::Labels;
use super::tidy::mentions;
use super::tree::{Condition, Label, Loop, Statement, leaves};
use crate::flow::coalesce::{VariableId, VariableKind, Variables};

pub(super) fn lower(statements: Vec<Statement>, variables: &mut Variables) -> Vec<Statement> {
    let mut pass = Pass { variables, flags: HashMap::new(), depths: HashMap::new(), loops: Vec::new() };
    pass.list(statements, Some(Labels::RETURN)).0
}

struct Pass<'a> {
    variables: &'a mut Variables,
    flags: HashMap<Label, VariableId>,
    /// How many loops are around each label.
    depths: HashMap<Label, usize>,
    /// The loops around the current place.
    loops: Vec<Around>,
}

/// A loop around the current place.
struct Around {
    /// The end of a round.
    round: Label,
    /// The label behind the loop, if it has one.
    after: Option<Label>,
    /// The labels outside that jumps in the loop lead to, by way of a flag.
    left_for: BTreeSet<Label>,
}

/// The labels whose flag may be set behind a statement.
type Pending = BTreeSet<Label>;

impl Pass<'_> {
    /// Lowers statements behind which control goes on at `end`, where that has a label.
    fn list(&mut self, statements: Vec<Statement>, end: Option<Label>) -> (Vec<Statement>, Pending) {
        let mut out = Vec::new();
        let mut pending = Pending::new();
        let mut rest = statements.into_iter();
        while let Some(statement) = rest.next() {
            let next = if rest.len() == 0 { end } else { None };
            let flags = match statement {
                Statement::Block { label, body } => {
                    let (flags, behind) = self.block(label, body, rest.collect(), end, &mut out);
                    rest = behind.into_iter();
                    flags
                }
                other => self.statement(other, next, &mut out),
            };
            if !flags.is_empty() {
                // What follows is only for those that did not jump.
                let (then, more) = self.list(rest.collect(), end);
                self.unless(&flags, then, Vec::new(), &mut out);
                pending.extend(flags);
                pending.extend(more);
                break;
            }
        }
        (out, pending)
    }

    /// Lowers statements with a label behind them, and returns what may still be on its way, and those statements behind that are left.
    fn block(
        &mut self,
        label: Label,
        body: Vec<Statement>,
        mut behind: Vec<Statement>,
        end: Option<Label>,
        out: &mut Vec<Statement>,
    ) -> (Pending, Vec<Statement>) {
        self.depths.insert(label, self.loops.len());
        let mut pending = Pending::new();
        let mut lowered = Vec::new();
        let mut rest = body.into_iter();
        while let Some(statement) = rest.next() {
            let flags = match statement {
                Statement::Block { label: inner, body } => {
                    let (flags, left) = self.block(inner, body, rest.collect(), Some(label), &mut lowered);
                    rest = left.into_iter();
                    flags
                }
                other => self.statement(other, if rest.len() == 0 { Some(label) } else { None }, &mut lowered),
            };
            if flags.is_empty() {
                continue;
            }
            let inside: Vec<Statement> = rest.collect();
            let apart = flags.len() == 1 && flags.contains(&label) && leaves(&inside) && !behind.is_empty() && !mentions(&inside, label);
            if apart {
                // Either what follows here or what follows the label: two sides of a choice.
                let (then, more) = self.list(inside, end);
                let (otherwise, even_more) = self.list(std::mem::take(&mut behind), end);
                self.unless(&flags, then, otherwise, &mut lowered);
                pending.extend(more);
                pending.extend(even_more);
            } else {
                let (then, more) = self.list(inside, Some(label));
                self.unless(&flags, then, Vec::new(), &mut lowered);
                pending.extend(flags);
                pending.extend(more);
            }
            break;
        }
        if let Some(&flag) = self.flags.get(&label) {
            // It is known to be off where it may be set first.
            let first = lowered.iter().position(|statement| sets(statement, flag)).unwrap_or(0);
            lowered.insert(first, Statement::SetFlag { flag, on: false });
        }
        out.extend(lowered);
        pending.remove(&label);
        (pending, behind)
    }

    /// Does one thing if none of some flags is set, and another one if any is.
    fn unless(&self, flags: &Pending, then: Vec<Statement>, otherwise: Vec<Statement>, out: &mut Vec<Statement>) {
        let Some(condition) = flags.iter().map(|&label| self.is_off(label)).reduce(both) else { return };
        match (then.is_empty(), otherwise.is_empty()) {
            (true, true) => {}
            (false, true) => out.push(Statement::If { condition, then, otherwise }),
            _ => out.push(Statement::If { condition: condition.negated(), then: otherwise, otherwise: then }),
        }
    }

    fn statement(&mut self, statement: Statement, end: Option<Label>, out: &mut Vec<Statement>) -> Pending {
        match statement {
            Statement::Jump(label) => self.jump(label, end, out),
            Statement::Block { label, body } => self.block(label, body, Vec::new(), end, out).0,
            Statement::If { condition, then, otherwise } => {
                let (then, mut pending) = self.list(then, end);
                let (otherwise, more) = self.list(otherwise, end);
                pending.extend(more);
                out.push(Statement::If { condition, then, otherwise });
                pending
            }
            Statement::Switch { value, cases, default } => {
                if cases.iter().map(|(_, body)| body).chain([&default]).any(|body| self.breaks(body)) {
                    // In a `switch`, `break` would mean the `switch`.
                    let chain = cases.into_iter().rev().fold(default, |otherwise, (cases, then)| {
                        vec![Statement::If { condition: Condition::Equals { value, cases, negated: false }, then, otherwise }]
                    });
                    let (chain, pending) = self.list(chain, end);
                    out.extend(chain);
                    return pending;
                }
                let mut pending = Pending::new();
                let mut lower = |body| {
                    let (body, more) = self.list(body, end);
                    pending.extend(more);
                    body
                };
                let cases = cases.into_iter().map(|(list, body)| (list, lower(body))).collect();
                let default = lower(default);
                out.push(Statement::Switch { value, cases, default });
                pending
            }
            Statement::Loop(each) => self.loop_statement(each, end, out),
            other => {
                out.push(other);
                Pending::new()
            }
        }
    }

    fn jump(&mut self, label: Label, end: Option<Label>, out: &mut Vec<Statement>) -> Pending {
        if Some(label) == end {
            return Pending::new();
        }
        let depth = self.loops.len();
        if let Some(around) = self.loops.last() {
            if label == around.round {
                out.push(Statement::Continue);
                return Pending::new();
            }
            if Some(label) == around.after {
                out.push(Statement::Break);
                return Pending::new();
            }
        }
        if label == Labels::RETURN {
            out.push(Statement::Return(None));
            return Pending::new();
        }
        let flag = *self.flags.entry(label).or_insert_with(|| self.variables.add(VariableKind::Flag));
        out.push(Statement::SetFlag { flag, on: true });
        if self.depths[&label] == depth {
            return Pending::from([label]);
        }
        if let Some(around) = self.loops.last_mut() {
            around.left_for.insert(label);
        }
        out.push(Statement::Break);
        Pending::new()
    }

    fn loop_statement(&mut self, mut each: Loop, end: Option<Label>, out: &mut Vec<Statement>) -> Pending {
        let mut body = std::mem::take(&mut each.body);
        let mut round = each.label;
        // If all rounds end with the same assignment, `continue` can mean the place in front of it.
        if !mentions(&body, each.label)
            && let Some(Statement::Assign { to, from }) = body.last()
            && each.carried.contains(to)
        {
            each.step = Some((*to, *from));
            body.pop();
            if let [.., Statement::Block { label, .. }] = body[..]
                && let Some(Statement::Block { body: inner, .. }) = body.pop()
            {
                round = label;
                body.extend(inner);
            }
        }

        self.depths.insert(round, self.loops.len() + 1);
        self.loops.push(Around { round, after: end, left_for: BTreeSet::new() });
        let (body, _) = self.list(body, Some(round));
        let left_for = self.loops.pop().map(|around| around.left_for).unwrap_or_default();

        let depth = self.loops.len();
        for label in &left_for {
            if self.depths[label] == depth && self.is_round(*label) {
                out.push(Statement::SetFlag { flag: self.flags[label], on: false });
            }
        }
        out.push(Statement::Loop(Loop { body, ..each }));

        let mut pending = Pending::new();
        for label in left_for {
            if Some(label) == end {
                continue;
            }
            if self.depths[&label] == depth && !self.is_round(label) {
                pending.insert(label);
                continue;
            }
            let mut onwards = Vec::new();
            self.jump(label, None, &mut onwards);
            // The flag is set already.
            onwards.retain(|statement| !matches!(statement, Statement::SetFlag { .. }));
            let condition = Condition::Flag { flag: self.flags[&label], negated: false };
            out.push(Statement::If { condition, then: onwards, otherwise: Vec::new() });
        }
        pending
    }

    /// Whether a label is the end of a round of the innermost loop.
    fn is_round(&self, label: Label) -> bool {
        self.loops.last().is_some_and(|around| around.round == label)
    }

    fn is_off(&self, label: Label) -> Condition {
        Condition::Flag { flag: self.flags[&label], negated: true }
    }

    /// Whether lowering statements in the innermost loop would leave that loop with `break`.
    fn breaks(&self, statements: &[Statement]) -> bool {
        let Some(around) = self.loops.last() else { return false };
        statements.iter().any(|statement| match statement {
            Statement::Jump(label) => {
                Some(*label) == around.after
                    || (*label != around.round
                        && *label != Labels::RETURN
                        && self.depths.get(label).is_some_and(|&depth| depth < self.loops.len()))
            }
            Statement::Block { body, .. } | Statement::Loop(Loop { body, .. }) => self.breaks(body),
            Statement::If { then, otherwise, .. } => self.breaks(then) || self.breaks(otherwise),
            Statement::Switch { cases, default, .. } => cases.iter().any(|(_, body)| self.breaks(body)) || self.breaks(default),
            _ => false,
        })
    }
}

fn both(a: Condition, b: Condition) -> Condition {
    Condition::And(Box::new(a), Box::new(b))
}

/// Whether a statement, or one inside it, sets a flag.
fn sets(statement: &Statement, flag: VariableId) -> bool {
    let any = |statements: &[Statement]| statements.iter().any(|statement| sets(statement, flag));
    match statement {
        Statement::SetFlag { flag: set, .. } => *set == flag,
        Statement::If { then, otherwise, .. } => any(then) || any(otherwise),
        Statement::Switch { cases, default, .. } => cases.iter().any(|(_, body)| any(body)) || any(default),
        Statement::Loop(each) => any(&each.body),
        _ => false,
    }
}
