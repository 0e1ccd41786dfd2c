//! The statements that a function's text is made of.
//! Values appear by their identifiers: what they look like is decided when they are printed.

use metal_oxide_ir::{InstructionId, SiteId, ValueId};

use crate::flow::coalesce::{Source, VariableId};

/// A place that jumps lead to: the end of a labelled statement or of a round of a loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Label(pub(crate) u32);

/// A statement. Labels and jumps are gone once `jumps` has run; `Break`, `Continue`, `Declare` and `Define` come later.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Statement {
    /// An instruction with an effect, or one whose result is a variable.
    Instruction(InstructionId),
    /// Sets a variable.
    Assign { to: VariableId, from: Source },
    /// Sets a variable to one of two values.
    Choose { to: VariableId, condition: Condition, then: Source, otherwise: Source },
    /// Remembers, or forgets, that a jump is on its way.
    SetFlag { flag: VariableId, on: bool },
    /// A choice.
    If { condition: Condition, then: Vec<Statement>, otherwise: Vec<Statement> },
    /// A choice among the values of an integer.
    Switch { value: ValueId, cases: Vec<(Vec<u128>, Vec<Statement>)>, default: Vec<Statement> },
    /// A loop whose rounds end at a label.
    Loop(Loop),
    /// Statements that a jump can leave.
    Block { label: Label, body: Vec<Statement> },
    /// Goes to a label.
    Jump(Label),
    /// Leaves the loop around it.
    Break,
    /// Begins the next round of the loop around it.
    Continue,
    /// Leaves the function.
    Return(Option<ValueId>),
    /// Reports a failure and leaves the function.
    Fail(SiteId),
    /// Never reached.
    Unreachable,
    /// Declares a variable without giving it a value.
    Declare(VariableId),
    /// Declares the variable that the statement sets.
    Define(Box<Statement>),
}

/// A loop.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Loop {
    /// The end of a round.
    pub(crate) label: Label,
    /// Whether it certainly ends.
    pub(crate) ends: bool,
    /// What must hold for a round to begin.
    pub(crate) condition: Option<Condition>,
    /// What must hold for another round to begin: the end of a `do`.
    pub(crate) again: Option<Condition>,
    /// Set before the first round: the first part of a `for`.
    pub(crate) start: Option<(VariableId, Source)>,
    /// Whether `start` declares its variable.
    pub(crate) declares: bool,
    /// Set after each round: the last part of a `for`.
    pub(crate) step: Option<(VariableId, Source)>,
    /// A round.
    pub(crate) body: Vec<Statement>,
    /// The variables that carry values from one round to the next or into the loop.
    pub(crate) carried: Vec<VariableId>,
}

/// What a choice depends on.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Condition {
    /// A `bool`, or its opposite.
    Value { value: ValueId, negated: bool },
    /// Whether an integer is one of some constants, or none of them.
    Equals { value: ValueId, cases: Vec<u128>, negated: bool },
    /// Whether a flag is set, or not.
    Flag { flag: VariableId, negated: bool },
    /// Both.
    And(Box<Condition>, Box<Condition>),
    /// At least one.
    Or(Box<Condition>, Box<Condition>),
}

impl Condition {
    /// A `bool` of the IR.
    pub(crate) fn value(value: ValueId) -> Self {
        Condition::Value { value, negated: false }
    }

    /// The opposite.
    pub(crate) fn negated(self) -> Self {
        match self {
            Condition::Value { value, negated } => Condition::Value { value, negated: !negated },
            Condition::Equals { value, cases, negated } => Condition::Equals { value, cases, negated: !negated },
            Condition::Flag { flag, negated } => Condition::Flag { flag, negated: !negated },
            Condition::And(a, b) => Condition::Or(Box::new(a.negated()), Box::new(b.negated())),
            Condition::Or(a, b) => Condition::And(Box::new(a.negated()), Box::new(b.negated())),
        }
    }

    /// Calls `visit` with each value it looks at.
    pub(crate) fn values(&self, visit: &mut dyn FnMut(ValueId)) {
        match self {
            Condition::Value { value, .. } | Condition::Equals { value, .. } => visit(*value),
            Condition::Flag { .. } => {}
            Condition::And(a, b) | Condition::Or(a, b) => {
                a.values(visit);
                b.values(visit);
            }
        }
    }

    /// Calls `visit` with each flag it looks at.
    pub(crate) fn flags(&self, visit: &mut dyn FnMut(VariableId)) {
        match self {
            Condition::Flag { flag, .. } => visit(*flag),
            Condition::Value { .. } | Condition::Equals { .. } => {}
            Condition::And(a, b) | Condition::Or(a, b) => {
                a.flags(visit);
                b.flags(visit);
            }
        }
    }
}

impl Statement {
    /// Whether control never comes out at the end of the statement.
    pub(crate) fn leaves(&self) -> bool {
        match self {
            Statement::Jump(_)
            | Statement::Break
            | Statement::Continue
            | Statement::Return(_)
            | Statement::Fail(_)
            | Statement::Unreachable => true,
            Statement::If { then, otherwise, .. } => leaves(then) && leaves(otherwise),
            _ => false,
        }
    }
}

/// Whether control never comes out at the end of the statements.
pub(crate) fn leaves(statements: &[Statement]) -> bool {
    statements.last().is_some_and(Statement::leaves)
}
