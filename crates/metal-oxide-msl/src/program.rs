//! What all functions of a file know of each other: names, and what each function takes, gives and needs.

use std::collections::{BTreeSet, HashMap};

use metal_oxide_ir::analysis::{ControlFlow, call_graph};
use metal_oxide_ir::{Constant, Coordinate, FunctionId, GlobalId, Module, Operation, SiteId, Terminator, ValueId};

use crate::expression::VariableType;
use crate::names::Names;
use crate::structs::Structs;

/// The parts of a file that its functions refer to.
#[derive(Debug)]
pub(crate) struct Program {
    pub(crate) structs: Structs,
    globals: Vec<String>,
    pub(crate) signatures: Vec<Signature>,
    /// The functions that kernels need, themselves included, callees first.
    pub(crate) order: Vec<FunctionId>,
}

/// What callers of a function must know.
#[derive(Clone, Debug)]
pub(crate) struct Signature {
    pub(crate) name: String,
    /// The name of a kernel's argument block.
    pub(crate) args_name: String,
    pub(crate) parameters: Vec<VariableType>,
    pub(crate) result: Option<VariableType>,
    /// The thread coordinates that it, or what it calls, looks at.
    pub(crate) coordinates: Vec<Coordinate>,
    pub(crate) can_fail: bool,
}

impl Program {
    /// Names everything. The types in the signatures are still to be inferred.
    pub(crate) fn new(module: &Module, names: &mut Names) -> Self {
        let order = needed_functions(module);
        let mut facts: HashMap<FunctionId, (BTreeSet<u8>, bool)> = HashMap::new();
        for &id in &order {
            let found = facts_of(module, id, &facts);
            facts.insert(id, found);
        }
        // Kernels keep their names; whatever else has the same one moves aside.
        let mut function_names: HashMap<FunctionId, String> =
            module.kernels().map(|(id, kernel)| (id, names.global(&kernel.name))).collect();
        for &id in &order {
            function_names.entry(id).or_insert_with(|| names.global(&module.function(id).name));
        }
        let mut args_names: HashMap<FunctionId, String> =
            module.kernels().map(|(id, _)| (id, names.global(&format!("{}_args", function_names[&id])))).collect();
        let signatures = (0..module.functions.len())
            .map(|index| {
                let id = FunctionId::new(index);
                let (coordinates, can_fail) = facts.remove(&id).unwrap_or_default();
                Signature {
                    name: function_names.remove(&id).unwrap_or_default(),
                    args_name: args_names.remove(&id).unwrap_or_default(),
                    parameters: Vec::new(),
                    result: None,
                    coordinates: coordinates.into_iter().map(|index| Coordinate::ALL[usize::from(index)]).collect(),
                    can_fail,
                }
            })
            .collect();
        let globals = module.globals.iter().map(|global| names.global(&global.name)).collect();
        Program { structs: Structs::new(module, names), globals, signatures, order }
    }

    pub(crate) fn signature(&self, id: FunctionId) -> &Signature {
        &self.signatures[id.index()]
    }

    /// The functions that a function calls, once for each call that can be reached.
    pub(crate) fn callees(&self, module: &Module, id: FunctionId) -> Vec<FunctionId> {
        reachable_calls(module, id)
    }

    /// The tables that the text needs, each behind those whose addresses it holds.
    pub(crate) fn needed_globals(&self, module: &Module) -> Vec<GlobalId> {
        let mut order = Vec::new();
        for &id in &self.order {
            let function = module.function(id);
            let flow = ControlFlow::new(function);
            let mut visit = |value: ValueId| {
                if let Some(Constant::Global(global)) = function.constant(value) {
                    add_with_targets(module, global, &mut order);
                }
            };
            for &block in flow.reverse_postorder() {
                for &instruction in &function.block(block).instructions {
                    function.instruction(instruction).operation.operands(&mut visit);
                }
                function.block(block).terminator.operands(&mut visit);
            }
        }
        order
    }

    pub(crate) fn global_name(&self, id: GlobalId) -> &str {
        &self.globals[id.index()]
    }
}

fn add_with_targets(module: &Module, id: GlobalId, order: &mut Vec<GlobalId>) {
    if order.contains(&id) {
        return;
    }
    for relocation in &module.globals[id.index()].relocations {
        // A table that holds its own address could not be declared before itself.
        if relocation.target != id {
            add_with_targets(module, relocation.target, order);
        }
    }
    order.push(id);
}

/// The kernels and what they call, callees first.
fn needed_functions(module: &Module) -> Vec<FunctionId> {
    let mut needed = vec![false; module.functions.len()];
    let mut work: Vec<FunctionId> = module.kernels().map(|(id, _)| id).collect();
    while let Some(id) = work.pop() {
        if !std::mem::replace(&mut needed[id.index()], true) {
            work.extend(reachable_calls(module, id));
        }
    }
    call_graph::bottom_up(module).into_iter().filter(|id| needed[id.index()]).collect()
}

fn reachable_calls(module: &Module, id: FunctionId) -> Vec<FunctionId> {
    let function = module.function(id);
    let flow = ControlFlow::new(function);
    let blocks = flow.reverse_postorder().iter();
    blocks
        .flat_map(|&block| &function.block(block).instructions)
        .filter_map(|&id| match function.instruction(id).operation {
            Operation::Call(callee, _) => Some(callee),
            _ => None,
        })
        .collect()
}

/// The coordinates, by their position in `Coordinate::ALL`, that a function looks at, and whether it can fail.
fn facts_of(module: &Module, id: FunctionId, known: &HashMap<FunctionId, (BTreeSet<u8>, bool)>) -> (BTreeSet<u8>, bool) {
    let function = module.function(id);
    let flow = ControlFlow::new(function);
    let mut coordinates = BTreeSet::new();
    let mut can_fail = false;
    for &block in flow.reverse_postorder() {
        for &instruction in &function.block(block).instructions {
            match &function.instruction(instruction).operation {
                Operation::Coordinate(coordinate, _) => {
                    coordinates.extend(Coordinate::ALL.iter().position(|known| known == coordinate).map(|index| index as u8));
                }
                Operation::Call(callee, _) => {
                    if let Some((more, fails)) = known.get(callee) {
                        coordinates.extend(more);
                        can_fail |= fails;
                    }
                }
                _ => {}
            }
        }
        can_fail |= matches!(function.block(block).terminator, Terminator::Fail(_));
    }
    (coordinates, can_fail)
}

/// The sites at which a function itself can fail, in the order of its blocks.
pub(crate) fn sites_of(module: &Module, id: FunctionId) -> Vec<SiteId> {
    let function = module.function(id);
    let flow = ControlFlow::new(function);
    let mut sites = Vec::new();
    for &block in flow.reverse_postorder() {
        if let Terminator::Fail(site) = function.block(block).terminator
            && !sites.contains(&site)
        {
            sites.push(site);
        }
    }
    sites
}
