//! Types that the device does not have and computes with others: 128-bit integers, and `f64` in code of other people's crates, as that is slow
//! and seldom what a kernel means. The functions for them are imported from the device crate into modules of their own.

use metal_oxide_ir::{Module, Type, ValueId};
use rustc_hir::def::{DefKind, Res};
use rustc_hir::def_id::DefId;
use rustc_middle::ty::{GenericArgs, Instance, TyCtxt};

use super::body::{self, FunctionImporter};
use super::context::{Context, FunctionKey, Import};
use super::origin::CallEdge;

impl FunctionImporter<'_, '_> {
    /// Takes notice of a value that has come up.
    pub fn note_type(&mut self, value: ValueId) {
        match self.function.ty(value) {
            Type::F64 => self.cx.uses_doubles = true,
            Type::I128 => {
                self.cx.uses_wide_integers = true;
                return;
            }
            _ => return,
        }
        let innermost = self.spans(self.source).first().map(|&(span, _)| span);
        if innermost.is_some_and(|span| self.cx.is_own(span))
            && let Some(location) = self.location()
        {
            self.cx.origins.add_own_double(location);
        }
    }
}

/// The functions in a module of the device crate, if that is at hand.
pub fn import_library(tcx: TyCtxt<'_>, module: &str) -> Import<Option<Module>> {
    let Some(functions) = library_functions(tcx, module) else { return Ok(None) };
    let mut cx = Context::new(tcx);
    for id in functions {
        let key = FunctionKey { instance: Instance::new_raw(id, GenericArgs::empty()), caller: None, strings: Vec::new() };
        // Nobody calls it yet.
        cx.function(key, CallEdge { caller: metal_oxide_ir::FunctionId::new(0), frames: Vec::new() })?;
    }
    while let Some((key, id)) = cx.queue.pop_front() {
        body::import_function(&mut cx, key, id)?;
    }
    Ok(Some(cx.module))
}

fn library_functions(tcx: TyCtxt<'_>, module: &str) -> Option<Vec<DefId>> {
    let device = tcx.crates(()).iter().copied().find(|&number| tcx.crate_name(number).as_str() == "metal_oxide_device")?;
    let child = |module: DefId, name: &str| {
        tcx.module_children(module).iter().find_map(|child| match child.res {
            Res::Def(DefKind::Mod, id) if child.ident.as_str() == name => Some(id),
            _ => None,
        })
    };
    let module = child(device.as_def_id(), module)?;
    let functions = tcx.module_children(module).iter().filter_map(|child| match child.res {
        Res::Def(DefKind::Fn, id) => Some(id),
        _ => None,
    });
    Some(functions.collect())
}
