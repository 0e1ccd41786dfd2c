//! `f64`, which the device computes with integers: in code of other people's crates only, as it is slow and seldom what a kernel means.
//! The functions for it are imported from the device crate into a module of their own.

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
        if self.function.ty(value) != Type::F64 {
            return;
        }
        self.cx.uses_doubles = true;
        let innermost = self.spans(self.source).first().map(|&(span, _)| span);
        if innermost.is_some_and(|span| self.cx.is_own(span))
            && let Some(location) = self.location()
        {
            self.cx.origins.add_own_double(location);
        }
    }
}

/// The functions on the bits of `f64`, if the device crate is at hand.
pub fn import_library(tcx: TyCtxt<'_>) -> Import<Option<Module>> {
    let Some(functions) = library_functions(tcx) else { return Ok(None) };
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

fn library_functions(tcx: TyCtxt<'_>) -> Option<Vec<DefId>> {
    let device = tcx.crates(()).iter().copied().find(|&number| tcx.crate_name(number).as_str() == "metal_oxide_device")?;
    let child = |module: DefId, name: &str| {
        tcx.module_children(module).iter().find_map(|child| match child.res {
            Res::Def(DefKind::Mod, id) if child.ident.as_str() == name => Some(id),
            _ => None,
        })
    };
    let module = child(device.as_def_id(), "float64")?;
    let functions = tcx.module_children(module).iter().filter_map(|child| match child.res {
        Res::Def(DefKind::Fn, id) => Some(id),
        _ => None,
    });
    Some(functions.collect())
}
