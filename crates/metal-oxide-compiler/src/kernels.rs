//! Finds the kernels that a request names and checks that the host can call them.

use metal_oxide_artifact::{Diagnostic, DiagnosticNote, KernelRequest};
use rustc_hir::def::{DefKind, Res};
use rustc_hir::def_id::{CRATE_DEF_ID, DefId, LocalModDefId};
use rustc_middle::ty::{self, Instance, Ty, TyCtxt, TypingEnv};
use rustc_span::Span;

use crate::driver;
use crate::import::{Kernel, ParameterKind};

/// How deep a parameter's type may be nested before it counts as too complicated.
const MAX_DEPTH: usize = 32;

/// The kernels of a request, or what is wrong with them.
pub fn resolve<'tcx>(tcx: TyCtxt<'tcx>, requests: &[KernelRequest]) -> Result<Vec<Kernel<'tcx>>, Vec<Diagnostic>> {
    let mut kernels = Vec::new();
    let mut problems = Vec::new();
    for request in requests {
        let checker = match find(tcx, &request.path) {
            Some(id) => Checker { tcx, id, name: &request.name },
            None => {
                problems.push(plain("MO0001", format!("there is no function `{}` in the kernel's unit", request.path)));
                continue;
            }
        };
        match checker.kernel(request) {
            Ok(kernel) => kernels.push(kernel),
            Err(mut found) => problems.append(&mut found),
        }
    }
    if problems.is_empty() { Ok(kernels) } else { Err(problems) }
}

/// The function at a path of the local crate, or of one that the path's first segment names.
fn find(tcx: TyCtxt<'_>, path: &str) -> Option<DefId> {
    let mut segments: Vec<&str> = path.split("::").collect();
    let name = segments.pop()?;
    let mut module = CRATE_DEF_ID.to_def_id();
    for segment in segments {
        module = child(tcx, module, segment, DefKind::Mod)?;
    }
    child(tcx, module, name, DefKind::Fn)
}

/// What a module declares or exports under a name. Private items count too: the host has checked what it may call.
fn child(tcx: TyCtxt<'_>, module: DefId, name: &str, kind: DefKind) -> Option<DefId> {
    let children = match module.as_local() {
        Some(local) => {
            let items = tcx.hir_module_items(LocalModDefId::new_unchecked(local));
            let declared = items.definitions().find(|&id| {
                let is_here = tcx.local_parent(id) == local && tcx.def_kind(id) == kind;
                is_here && tcx.opt_item_name(id.to_def_id()).is_some_and(|declared| declared.as_str() == name)
            });
            if let Some(declared) = declared {
                return Some(declared.to_def_id());
            }
            tcx.module_children_local(local)
        }
        None => tcx.module_children(module),
    };
    children.iter().find_map(|child| match child.res {
        Res::Def(found, id) if found == kind && child.ident.as_str() == name => Some(id),
        _ => None,
    })
}

struct Checker<'a, 'tcx> {
    tcx: TyCtxt<'tcx>,
    id: DefId,
    name: &'a str,
}

impl<'tcx> Checker<'_, 'tcx> {
    fn kernel(&self, request: &KernelRequest) -> Result<Kernel<'tcx>, Vec<Diagnostic>> {
        let id = self.id;
        let span = self.tcx.def_span(id);
        if self.tcx.generics_of(id).requires_monomorphization(self.tcx) {
            let message = format!("the kernel `{}` is generic, and the host cannot say with which types to compile it", self.name);
            let help = "write the types out, or call a generic helper from one kernel for each type";
            return Err(vec![self.problem("MO0002", message, span, "generic parameters", help)]);
        }
        if self.tcx.asyncness(id).is_async() {
            let help = "the launch function that the attribute makes can be awaited; the kernel itself runs to its end";
            return Err(vec![self.problem("MO0003", format!("the kernel `{}` is `async`", self.name), span, "", help)]);
        }
        let signature = self.tcx.fn_sig(id).instantiate_identity();
        let signature = self.tcx.instantiate_bound_regions_with_erased(signature);
        let signature = self.tcx.normalize_erasing_regions(TypingEnv::fully_monomorphized(), signature);
        let mut problems = Vec::new();
        if !signature.output().is_unit() {
            let message = format!("the kernel `{}` returns a value, but nobody is there to receive it", self.name);
            let help = "write results to a `DisjointBuffer`";
            problems.push(self.problem("MO0004", message, self.output_span().unwrap_or(span), "a return type", help));
        }
        let mut parameters = Vec::new();
        for (index, &ty) in signature.inputs().iter().enumerate() {
            match self.parameter(ty) {
                Ok(kind) => parameters.push((self.parameter_name(index), kind)),
                Err(reason) => {
                    let name = self.parameter_name(index);
                    let message = format!("the parameter `{name}` of the kernel `{}` cannot be passed to the GPU", self.name);
                    let help = "kernels take `ReadBuffer<T>`, `DisjointBuffer<T>`, numbers, and `#[repr(C)]` records of those numbers";
                    problems.push(self.problem("MO0005", message, self.input_span(index).unwrap_or(span), &reason, help));
                }
            }
        }
        if !problems.is_empty() {
            return Err(problems);
        }
        let identity = ty::GenericArgs::for_item(self.tcx, id, |parameter, _| self.tcx.mk_param_from_def(parameter));
        let arguments = self.tcx.erase_and_anonymize_regions(identity);
        let instance = Instance::new_raw(id, arguments);
        Ok(Kernel { name: request.name.clone(), instance, parameters, requires: request.requires.clone() })
    }

    /// How a parameter of this type arrives, or why it cannot.
    fn parameter(&self, ty: Ty<'tcx>) -> Result<ParameterKind<'tcx>, String> {
        if let ty::Adt(definition, arguments) = ty.kind()
            && let Some(item) = self.tcx.get_diagnostic_name(definition.did())
        {
            let writable = match item.as_str() {
                "metal_oxide_ReadBuffer" => Some(false),
                "metal_oxide_DisjointBuffer" => Some(true),
                _ => None,
            };
            if let (Some(writable), Some(element)) = (writable, arguments.types().next()) {
                self.plain_data(element, 0)?;
                return Ok(ParameterKind::Buffer { element, writable });
            }
        }
        self.plain_data(ty, 0)?;
        Ok(ParameterKind::Value(ty))
    }

    /// Whether host and device see the same value in the same bytes.
    fn plain_data(&self, ty: Ty<'tcx>, depth: usize) -> Result<(), String> {
        if depth > MAX_DEPTH {
            return Err("its type is nested too deeply".to_owned());
        }
        let shown = crate::import::type_name(self.tcx, ty);
        match ty.kind() {
            ty::Bool | ty::Char | ty::Int(_) | ty::Uint(_) if ty.primitive_size(self.tcx).bytes() <= 8 => Ok(()),
            ty::Float(ty::FloatTy::F16 | ty::FloatTy::F32) => Ok(()),
            ty::Int(_) | ty::Uint(_) => Err(format!("`{shown}` has 128 bits, which the GPU has no type for")),
            ty::Float(_) => Err(format!("the GPU has no `{shown}`")),
            ty::Array(element, _) => self.plain_data(*element, depth + 1),
            ty::Tuple(fields) => {
                self.declared_order(ty)?;
                fields.iter().try_for_each(|field| self.plain_data(field, depth + 1))
            }
            ty::Adt(definition, _) if definition.is_enum() => {
                let has_data = definition.all_fields().next().is_some();
                let is_fixed = definition.repr().inhibit_enum_layout_opt();
                match (has_data, is_fixed) {
                    (false, true) => Ok(()),
                    (true, _) => Err(format!("`{shown}` is an enum with data, whose bytes have no fixed meaning")),
                    (false, false) => Err(format!("`{shown}` is not `#[repr(u32)]` or the like, so its size is not fixed")),
                }
            }
            ty::Adt(definition, _) if definition.is_struct() && !definition.repr().c() && !definition.repr().transparent() => {
                Err(format!("`{shown}` is not `#[repr(C)]`, so the order of its fields is not fixed"))
            }
            ty::Adt(definition, arguments) if !definition.is_union() => definition.all_fields().try_for_each(|field| {
                let ty = field.ty(self.tcx, arguments);
                let ty = self.tcx.normalize_erasing_regions(TypingEnv::fully_monomorphized(), ty);
                self.plain_data(ty, depth + 1)
            }),
            ty::Adt(..) => Err(format!("`{shown}` is a union, whose bytes mean different things at different times")),
            ty::Ref(..) | ty::RawPtr(..) => Err(format!("`{shown}` is an address in the host's memory")),
            ty::FnPtr(..) | ty::FnDef(..) | ty::Closure(..) => Err("it is code of the host".to_owned()),
            _ => Err(format!("`{shown}` is not plain data")),
        }
    }

    /// Whether a tuple's fields stand in the order of their declaration, as the host lays them out.
    fn declared_order(&self, ty: Ty<'tcx>) -> Result<(), String> {
        let Ok(layout) = self.tcx.layout_of(TypingEnv::fully_monomorphized().as_query_input(ty)) else { return Ok(()) };
        let offsets: Vec<_> = (0..layout.fields.count()).map(|index| layout.fields.offset(index)).collect();
        if offsets.is_sorted() {
            return Ok(());
        }
        let shown = crate::import::type_name(self.tcx, ty);
        Err(format!("rustc reorders the fields of `{shown}`: put the larger ones first, or use a `#[repr(C)]` struct"))
    }

    fn parameter_name(&self, index: usize) -> String {
        let names = self.tcx.fn_arg_idents(self.id);
        match names.get(index) {
            Some(Some(name)) if name.as_str() != "_" => name.to_string(),
            _ => format!("parameter_{}", index + 1),
        }
    }

    fn input_span(&self, index: usize) -> Option<Span> {
        let declaration = self.tcx.hir_node_by_def_id(self.id.as_local()?).fn_decl()?;
        declaration.inputs.get(index).map(|input| input.span)
    }

    fn output_span(&self) -> Option<Span> {
        let declaration = self.tcx.hir_node_by_def_id(self.id.as_local()?).fn_decl()?;
        Some(declaration.output.span())
    }

    fn problem(&self, code: &str, message: String, span: Span, label: &str, help: &str) -> Diagnostic {
        Diagnostic {
            code: code.to_owned(),
            message,
            position: driver::position(self.tcx.sess.source_map(), span),
            label: label.to_owned(),
            notes: vec![DiagnosticNote { level: "help".to_owned(), message: help.to_owned(), position: None }],
        }
    }
}

fn plain(code: &str, message: String) -> Diagnostic {
    Diagnostic { code: code.to_owned(), message, position: None, label: String::new(), notes: Vec::new() }
}
