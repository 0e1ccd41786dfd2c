//! One function on its way to text: its graph, what is a variable, and its statements.

use std::collections::HashSet;

use metal_oxide_ir::{Function, FunctionId, Module, Operation, ValueId};

use crate::expression::VariableType;
use crate::flow::coalesce::Variables;
use crate::flow::fold::{Form, Forms};
use crate::flow::liveness::Liveness;
use crate::flow::memory::Memory;
use crate::flow::steady::steady;
use crate::flow::{Flow, prepare};
use crate::program::Program;
use crate::structure::{Statement, structure};

/// A function whose statements are known, but not yet the types of its variables.
#[derive(Debug)]
pub(crate) struct Lowered {
    pub(crate) function: Function,
    pub(crate) flow: Flow,
    pub(crate) forms: Forms,
    pub(crate) variables: Variables,
    pub(crate) statements: Vec<Statement>,
    pub(crate) steady: HashSet<ValueId>,
    /// By variable.
    pub(crate) types: Vec<VariableType>,
}

impl Lowered {
    pub(crate) fn new(module: &Module, program: &Program, id: FunctionId) -> Self {
        let function = prepare(module.function(id));
        let flow = Flow::new(&function);
        let memory = Memory::new(&function);
        let can_fail = |instruction| match function.instruction(instruction).operation {
            Operation::Call(callee, _) => program.signature(callee).can_fail,
            _ => false,
        };
        let forms = Forms::new(&function, &flow, &memory, &can_fail);
        let liveness = Liveness::new(&function, &flow, &forms);
        let mut variables = Variables::new(&function, &flow, &forms, &liveness);
        let statements = structure(module, &function, &flow, &memory, &forms, &liveness, &mut variables);
        let steady = steady(&function, &flow);
        Lowered { function, flow, forms, variables, statements, steady, types: Vec::new() }
    }

    /// Whether the text mentions a value.
    pub(crate) fn is_used(&self, value: ValueId) -> bool {
        self.forms.of(&self.function, value) != Form::Absent
    }
}
