//! Functions of `core` that call themselves where a sibling does the same work without.
//! The GPU has no stack, and kernels that sort should not have to know how `core` sorts.

use rustc_hir::def_id::DefId;
use rustc_middle::mir::TerminatorKind;
use rustc_middle::ty::{self, Instance, InstanceKind, TyCtxt};
use rustc_span::sym;

/// A function and its sibling with the same parameters, found among the calls that it leads to.
const SIBLINGS: [(&str, &str); 1] = [
    // Short slices are sorted by insertion before this is called. Equal elements may end up in another order than on the host.
    ("ipnsort", "heapsort"),
];

/// How many calls away a sibling may be.
const DEPTH: usize = 3;

/// The instance to call instead of one that recurses, or the instance itself.
pub fn without_recursion<'tcx>(tcx: TyCtxt<'tcx>, instance: Instance<'tcx>) -> Instance<'tcx> {
    let InstanceKind::Item(id) = instance.def else { return instance };
    if tcx.crate_name(id.krate) != sym::core {
        return instance;
    }
    let Some(name) = tcx.opt_item_name(id) else { return instance };
    let Some((_, sibling)) = SIBLINGS.iter().find(|(known, _)| *known == name.as_str()) else { return instance };
    match find_callee(tcx, id, sibling, DEPTH) {
        Some(found) if tcx.generics_of(found).count() == instance.args.len() => Instance::new_raw(found, instance.args),
        _ => instance,
    }
}

/// A function with this name that a function calls, directly or through others.
fn find_callee(tcx: TyCtxt<'_>, caller: DefId, name: &str, depth: usize) -> Option<DefId> {
    let depth = depth.checked_sub(1)?;
    if !tcx.is_mir_available(caller) {
        return None;
    }
    let body = tcx.optimized_mir(caller);
    let callees: Vec<DefId> = body
        .basic_blocks
        .iter()
        .filter_map(|block| match &block.terminator().kind {
            TerminatorKind::Call { func, .. } => match *func.ty(body, tcx).kind() {
                ty::FnDef(id, _) if id.krate == caller.krate => Some(id),
                _ => None,
            },
            _ => None,
        })
        .collect();
    let found = callees.iter().copied().find(|&id| tcx.opt_item_name(id).is_some_and(|found| found.as_str() == name));
    found.or_else(|| callees.into_iter().filter(|&id| id != caller).find_map(|id| find_callee(tcx, id, name, depth)))
}
