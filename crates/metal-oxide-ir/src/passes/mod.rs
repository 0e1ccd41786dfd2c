//! Passes: rewrites of functions that keep their meaning.
//! Each pass is one file; `optimize` runs them in the order that turns imported code into the loops its author meant.

mod alias;
mod builder;
mod compact;
mod dce;
mod drop_assumes;
mod expand_recursion;
mod facts;
mod fold;
mod forward_copies;
mod gvn;
mod if_convert;
mod induction;
pub mod infer_spaces;
mod inline;
mod join_computations;
mod jump_threading;
mod layout;
mod licm;
mod link;
mod mem2reg;
mod merge_slots;
mod narrow;
mod non_null;
mod outcomes;
mod parameters;
mod pipeline;
mod pointer_induction;
mod preheaders;
mod prove;
mod rewrite;
mod simplify;
mod simplify_cfg;
mod slots;
pub mod soften;
mod speculate_loads;
mod speculation;
pub mod split_wide;
mod sroa;
mod ssa;
mod unrotate;

pub use compact::Compact;
pub use dce::Dce;
pub use drop_assumes::DropAssumes;
pub use expand_recursion::{calls_itself, expand_recursion};
pub use forward_copies::ForwardCopies;
pub use gvn::Gvn;
pub use if_convert::IfConvert;
pub use induction::Induction;
pub use inline::Inline;
pub use join_computations::JoinComputations;
pub use jump_threading::JumpThreading;
pub use licm::Licm;
pub use mem2reg::Mem2Reg;
pub use merge_slots::MergeSlots;
pub use narrow::Narrow;
pub use parameters::Parameters;
pub use pipeline::{AfterPass, OptimizeOptions, drop_unused_functions, optimize, refine};
pub use pointer_induction::PointerInduction;
pub use preheaders::Preheaders;
pub use prove::{Prove, RemainingCheck, remaining_checks};
pub use simplify::Simplify;
pub use simplify_cfg::SimplifyCfg;
pub use speculate_loads::SpeculateLoads;
pub use sroa::Sroa;
pub use unrotate::Unrotate;

use crate::{Function, FunctionId, FunctionKind, Module};

/// A rewrite of one function.
pub trait Pass: Sync {
    /// The name, as tests and traces use it.
    fn name(&self) -> &'static str;

    /// Rewrites `function`, which stands outside of `module` meanwhile, and returns whether anything changed.
    fn run(&self, function: &mut Function, module: &mut Module) -> bool;
}

/// Runs a pass on one function of a module.
pub fn run_on(module: &mut Module, id: FunctionId, pass: &dyn Pass) -> bool {
    let absent = Function::new("", FunctionKind::Helper { keep: false }, &[], None);
    let mut function = std::mem::replace(&mut module.functions[id.index()], absent);
    let changed = pass.run(&mut function, module);
    module.functions[id.index()] = function;
    changed
}

/// The pass with this name, set up for a module.
pub fn find(name: &str, module: &Module) -> Option<Box<dyn Pass>> {
    Some(match name {
        "compact" => Box::new(Compact),
        "dce" => Box::new(Dce),
        "forward_copies" => Box::new(ForwardCopies),
        "merge_slots" => Box::new(MergeSlots),
        "gvn" => Box::new(Gvn),
        "drop_assumes" => Box::new(DropAssumes),
        "if_convert" => Box::new(IfConvert { join_checks: true }),
        "induction" => Box::new(Induction),
        "inline" => Box::new(Inline::new(module, usize::MAX)),
        "narrow" => Box::new(Narrow::default()),
        "licm" => Box::new(Licm),
        "mem2reg" => Box::new(Mem2Reg),
        "join_computations" => Box::new(JoinComputations),
        "speculate_loads" => Box::new(SpeculateLoads),
        "jump_threading" => Box::new(JumpThreading),
        "parameters" => Box::new(Parameters),
        "pointer_induction" => Box::new(PointerInduction),
        "prove" => Box::new(Prove::default()),
        "preheaders" => Box::new(Preheaders),
        "unrotate" => Box::new(Unrotate),
        "simplify_cfg" => Box::new(SimplifyCfg),
        "simplify" => Box::new(Simplify),
        "sroa" => Box::new(Sroa),
        _ => return None,
    })
}
