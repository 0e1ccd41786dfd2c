//! The order of the passes.
//! Functions are optimised before those that call them, so that what is inlined is small already.

use crate::analysis::call_graph;
use crate::passes::{
    Compact, Dce, DropAssumes, ForwardCopies, Gvn, IfConvert, Induction, Inline, JoinComputations, JumpThreading, Licm, Mem2Reg,
    MergeSlots, Narrow, Parameters, Pass, PointerInduction, Preheaders, Prove, Simplify, SimplifyCfg, SpeculateLoads, Sroa, Unrotate,
    run_on,
};
use crate::{FunctionId, Module, Operation};

/// Called after each pass that changed something, with its name.
pub type AfterPass<'a> = &'a dyn Fn(&'static str, &Module);

/// How to optimise a module.
pub struct OptimizeOptions<'a> {
    /// For a validator.
    pub after_pass: Option<AfterPass<'a>>,
    /// A function with more instructions and blocks than this stays a function if it is called several times.
    pub inline_limit: usize,
    /// How many times the passes go over one function at most.
    pub rounds: usize,
}

impl Default for OptimizeOptions<'_> {
    fn default() -> Self {
        OptimizeOptions { after_pass: None, inline_limit: 2000, rounds: 12 }
    }
}

/// The passes that are repeated until none of them changes anything.
const REPEATED: &[&dyn Pass] = &[
    &Sroa,
    &Mem2Reg,
    &ForwardCopies,
    &MergeSlots,
    &Simplify,
    &SimplifyCfg,
    &JumpThreading,
    &Parameters,
    &JoinComputations,
    &SpeculateLoads,
    &Gvn,
    &PointerInduction,
    &Induction,
    &Preheaders,
    &Unrotate,
    &Dce,
];

/// Optimises all functions of an imported module, and drops those that no kernel needs any more.
pub fn optimize(module: &mut Module, options: &OptimizeOptions<'_>) {
    let inline = Inline::new(module, options.inline_limit);
    for id in call_graph::bottom_up(module) {
        run(module, id, &inline, options);
        repeat(module, id, options);
        // What is put into its callers keeps its branches, which they may be able to decide.
        if !inline.replaces(id, module.function(id)) {
            convert(module, id, &IfConvert { join_checks: false }, options);
        }
        run(module, id, &Compact, options);
    }
    drop_unused_functions(module);
}

/// Removes the checks that never fail from an optimised module in which every pointer has its space, and brings it into the form that is printed.
pub fn refine(module: &mut Module, options: &OptimizeOptions<'_>) {
    for id in call_graph::bottom_up(module) {
        repeat(module, id, options);
        // A check that is gone can be what made another hard to prove.
        for _ in 0..MAX_PROOFS {
            if !run(module, id, &Prove::default(), options) {
                break;
            }
            repeat(module, id, options);
        }
        run(module, id, &Narrow::default(), options);
        run(module, id, &DropAssumes, options);
        repeat(module, id, options);
        convert(module, id, &IfConvert { join_checks: true }, options);
        run(module, id, &Licm, options);
        run(module, id, &Compact, options);
    }
    drop_unused_functions(module);
}

/// Rounds of proofs over one function; the second rarely finds anything.
const MAX_PROOFS: usize = 2;

/// Replaces branches by selections. They hide which way a branch went, so this comes after what follows branches.
fn convert(module: &mut Module, id: FunctionId, pass: &IfConvert, options: &OptimizeOptions<'_>) {
    while run(module, id, pass, options) {
        repeat(module, id, options);
    }
}

fn repeat(module: &mut Module, id: FunctionId, options: &OptimizeOptions<'_>) {
    // Jump threading repeats code. It stops where that does not pay off by making the rest simpler.
    let size = |module: &Module| module.function(id).blocks.iter().map(|block| block.instructions.len() + 1).sum::<usize>();
    let limit = 3 * size(module) + 200;
    for _ in 0..options.rounds {
        let mut changed = false;
        for pass in REPEATED {
            if pass.name() != JumpThreading.name() || size(module) <= limit {
                changed |= run(module, id, *pass, options);
            }
        }
        if !changed {
            break;
        }
    }
}

fn run(module: &mut Module, id: FunctionId, pass: &dyn Pass, options: &OptimizeOptions<'_>) -> bool {
    let changed = run_on(module, id, pass);
    if let Some(after_pass) = options.after_pass.filter(|_| changed) {
        after_pass(pass.name(), module);
    }
    changed
}

/// Removes the functions that no kernel calls, directly or through others. A module without kernels is left alone.
pub fn drop_unused_functions(module: &mut Module) {
    let mut used = vec![false; module.functions.len()];
    let mut work: Vec<FunctionId> = module.kernels().map(|(id, _)| id).collect();
    if work.is_empty() {
        return;
    }
    while let Some(id) = work.pop() {
        if !std::mem::replace(&mut used[id.index()], true) {
            work.extend(call_graph::callees(module.function(id)));
        }
    }
    let mut numbers = Vec::with_capacity(used.len());
    let mut next = 0;
    for &used in &used {
        numbers.push(FunctionId::new(next));
        next += usize::from(used);
    }
    let mut used = used.into_iter();
    module.functions.retain(|_| used.next() == Some(true));
    for function in &mut module.functions {
        for instruction in &mut function.instructions {
            if let Operation::Call(callee, _) = &mut instruction.operation {
                *callee = numbers[callee.index()];
            }
        }
    }
}
