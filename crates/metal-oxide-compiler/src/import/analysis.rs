//! Which locals need memory: those that are assigned more than once, written in parts, or whose address is taken.
//! The others become values at once. The rules are those of `rustc_codegen_ssa`'s analysis of the same purpose.

use std::collections::HashMap;

use rustc_abi::{FieldIdx, VariantIdx, Variants};
use rustc_data_structures::graph::dominators::Dominators;
use rustc_hir::def_id::DefId;
use rustc_index::IndexVec;
use rustc_index::bit_set::DenseBitSet;
use rustc_middle::mir::visit::{MutatingUseContext, NonMutatingUseContext, PlaceContext, Visitor};
use rustc_middle::mir::{self, DefLocation, Location, PlaceElem, TerminatorKind, VarDebugInfoContents};
use rustc_middle::ty::TyCtxt;
use rustc_middle::ty::layout::TyAndLayout;

use super::body::FunctionImporter;
use super::context::Import;
use super::types::Class;

/// The locals that need memory.
pub fn memory_locals<'tcx>(importer: &mut FunctionImporter<'_, 'tcx>, order: &[mir::BasicBlock]) -> Import<DenseBitSet<mir::Local>> {
    let body = importer.body;
    let mut layouts = IndexVec::with_capacity(body.local_decls.len());
    for local in body.local_decls.indices() {
        importer.cx.span = body.local_decls[local].source_info.span;
        layouts.push(importer.cx.layout(importer.local_type(local))?);
    }
    let kinds = layouts.iter().map(|layout: &TyAndLayout<'tcx>| if layout.is_zst() { Kind::ZeroSized } else { Kind::Unused }).collect();
    let mut analysis = Analysis { importer, dominators: body.basic_blocks.dominators(), layouts, kinds };
    for argument in body.args_iter() {
        analysis.define(argument, DefLocation::Argument);
    }
    for &block in order {
        analysis.visit_basic_block_data(block, &body.basic_blocks[block]);
    }
    let mut memory = DenseBitSet::new_empty(analysis.kinds.len());
    for (local, kind) in analysis.kinds.iter_enumerated() {
        if *kind == Kind::Memory {
            memory.insert(local);
        }
    }
    Ok(memory)
}

/// The user's names for locals; those of functions that MIR inlining put here count only for locals without another name. The names
/// that the libraries below the user's code give to their variables would only hide them.
pub fn variable_names<'tcx>(tcx: TyCtxt<'tcx>, body: &mir::Body<'tcx>) -> HashMap<mir::Local, String> {
    let mut names = HashMap::new();
    for inlined in [false, true] {
        for variable in &body.var_debug_info {
            let scope = &body.source_scopes[variable.source_info.scope];
            let function = innermost_function(body, variable.source_info.scope);
            if is_library(tcx, function)
                || (scope.inlined.is_some() || scope.inlined_parent_scope.is_some()) != inlined
                || variable.composite.is_some()
            {
                continue;
            }
            if let VarDebugInfoContents::Place(place) = variable.value
                && let Some(local) = place.as_local()
            {
                names.entry(local).or_insert_with(|| variable.name.to_string());
            }
        }
    }
    names
}

/// The function that a scope belongs to, be it inlined or not.
fn innermost_function(body: &mir::Body<'_>, mut scope: mir::SourceScope) -> DefId {
    loop {
        let data = &body.source_scopes[scope];
        match (data.inlined, data.inlined_parent_scope) {
            (Some((instance, _)), _) => return instance.def_id(),
            (None, Some(parent)) => scope = parent,
            (None, None) => return body.source.def_id(),
        }
    }
}

/// Whether a function belongs to `core` or to the device API.
fn is_library(tcx: TyCtxt<'_>, function: DefId) -> bool {
    matches!(tcx.crate_name(function.krate).as_str(), "core" | "metal_oxide" | "metal_oxide_device")
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    ZeroSized,
    Memory,
    Unused,
    /// One definition, which dominates all uses so far.
    Value(DefLocation),
}

struct Analysis<'a, 'b, 'tcx> {
    importer: &'a FunctionImporter<'b, 'tcx>,
    dominators: &'a Dominators<mir::BasicBlock>,
    layouts: IndexVec<mir::Local, TyAndLayout<'tcx>>,
    kinds: IndexVec<mir::Local, Kind>,
}

impl<'tcx> Analysis<'_, '_, 'tcx> {
    fn define(&mut self, local: mir::Local, location: DefLocation) {
        let is_scalar = matches!(self.importer.class(self.layouts[local]), Class::Scalar(_) | Class::Pair(..));
        let kind = &mut self.kinds[local];
        *kind = match *kind {
            Kind::Unused if is_scalar => Kind::Value(location),
            Kind::Unused | Kind::Value(_) => Kind::Memory,
            known => known,
        };
    }

    /// Whether the scalars of a local are enough to read this part of it.
    fn reads_scalars(&self, local: mir::Local, projections: &[PlaceElem<'tcx>]) -> bool {
        let cx = self.importer.cx.layout_cx();
        let mut layout = self.layouts[local];
        for projection in projections {
            layout = match *projection {
                PlaceElem::Field(field, _) => layout.field(&cx, FieldIdx::as_usize(field)),
                PlaceElem::Downcast(_, variant) if is_single(&layout, variant) => layout.for_variant(&cx, variant),
                _ => return false,
            };
        }
        !matches!(self.importer.class(layout), Class::Memory)
    }
}

fn is_single(layout: &TyAndLayout<'_>, variant: VariantIdx) -> bool {
    matches!(layout.variants, Variants::Single { index } if index == variant)
}

const READ: PlaceContext = PlaceContext::NonMutatingUse(NonMutatingUseContext::Copy);

impl<'tcx> Visitor<'tcx> for Analysis<'_, '_, 'tcx> {
    fn visit_assign(&mut self, place: &mir::Place<'tcx>, rvalue: &mir::Rvalue<'tcx>, location: Location) {
        match place.as_local() {
            Some(local) => self.define(local, DefLocation::Assignment(location)),
            None => self.visit_place(place, PlaceContext::MutatingUse(MutatingUseContext::Store), location),
        }
        self.visit_rvalue(rvalue, location);
    }

    fn visit_place(&mut self, place: &mir::Place<'tcx>, context: PlaceContext, location: Location) {
        for projection in place.projection {
            if let PlaceElem::Index(index) = projection {
                self.visit_local(index, READ, location);
            }
        }
        if !place.projection.is_empty() {
            if self.kinds[place.local] == Kind::Memory {
                return;
            }
            if place.as_ref().is_indirect_first_projection() {
                self.visit_local(place.local, READ, location);
                return;
            }
            if context.is_mutating_use() || !self.reads_scalars(place.local, place.projection) {
                self.visit_local(place.local, PlaceContext::MutatingUse(MutatingUseContext::Projection), location);
                return;
            }
        }
        self.visit_local(place.local, context, location);
    }

    fn visit_local(&mut self, local: mir::Local, context: PlaceContext, location: Location) {
        match context {
            PlaceContext::MutatingUse(MutatingUseContext::Call) => {
                let call = location.block;
                let target = match self.importer.body.basic_blocks[call].terminator().kind {
                    TerminatorKind::Call { target, .. } => target,
                    _ => None,
                };
                self.define(local, DefLocation::CallReturn { call, target });
            }
            PlaceContext::NonUse(_)
            | PlaceContext::NonMutatingUse(NonMutatingUseContext::PlaceMention)
            | PlaceContext::MutatingUse(MutatingUseContext::Retag) => {}
            PlaceContext::NonMutatingUse(NonMutatingUseContext::Copy | NonMutatingUseContext::Move | NonMutatingUseContext::Inspect) => {
                let kind = &mut self.kinds[local];
                match *kind {
                    Kind::ZeroSized | Kind::Memory => {}
                    Kind::Value(definition) if definition.dominates(location, self.dominators) => {}
                    // Dead code reads what was never assigned.
                    Kind::Unused | Kind::Value(_) => *kind = Kind::Memory,
                }
            }
            PlaceContext::MutatingUse(MutatingUseContext::Drop) => {
                let ty = self.layouts[local].ty;
                if ty.needs_drop(self.importer.tcx(), self.importer.cx.typing_env()) && self.kinds[local] != Kind::ZeroSized {
                    self.kinds[local] = Kind::Memory;
                }
            }
            PlaceContext::MutatingUse(_) | PlaceContext::NonMutatingUse(_) => {
                if self.kinds[local] != Kind::ZeroSized {
                    self.kinds[local] = Kind::Memory;
                }
            }
        }
    }
}
