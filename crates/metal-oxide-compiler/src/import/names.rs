//! Names for the module's functions and memory types, made from those of Rust.
//! They are for readers: the MSL printer settles conflicts with keywords and with one another.

use metal_oxide_ir::FunctionId;
use rustc_abi::VariantIdx;
use rustc_hir::def::DefKind;
use rustc_middle::ty::print::{with_forced_trimmed_paths, with_no_visible_paths};
use rustc_middle::ty::{self, GenericArgsRef, Instance, InstanceKind, Ty};

use super::context::Context;

impl<'tcx> Context<'tcx> {
    /// A type as its user would write it after importing everything: `Iter<f32>`, `[Particle; 4]`, `(u32, bool)`.
    pub fn type_name(&self, ty: Ty<'tcx>) -> String {
        match *ty.kind() {
            ty::Adt(definition, arguments) => {
                let name = self.tcx.item_name(definition.did());
                format!("{name}{}", self.arguments_name(arguments))
            }
            ty::Tuple(fields) => {
                let names: Vec<_> = fields.iter().map(|field| self.type_name(field)).collect();
                format!("({})", names.join(", "))
            }
            ty::Array(element, count) => match count.try_to_target_usize(self.tcx) {
                Some(count) => format!("[{}; {count}]", self.type_name(element)),
                None => format!("[{}; _]", self.type_name(element)),
            },
            ty::Slice(element) => format!("[{}]", self.type_name(element)),
            ty::Ref(_, inner, mutability) => format!("&{}{}", mutability.prefix_str(), self.type_name(inner)),
            ty::RawPtr(inner, mutability) => format!("*{} {}", mutability.ptr_str(), self.type_name(inner)),
            ty::Closure(..) => "closure".to_owned(),
            ty::FnDef(id, _) => format!("fn {}", self.tcx.item_name(id)),
            _ => with_forced_trimmed_paths!(ty.to_string()),
        }
    }

    fn arguments_name(&self, arguments: GenericArgsRef<'tcx>) -> String {
        let names: Vec<String> = arguments
            .iter()
            .filter_map(|argument| match argument.kind() {
                ty::GenericArgKind::Lifetime(_) => None,
                ty::GenericArgKind::Type(ty) => Some(self.type_name(ty)),
                ty::GenericArgKind::Const(value) => Some(match value.try_to_target_usize(self.tcx) {
                    Some(value) => value.to_string(),
                    None => value.to_string(),
                }),
            })
            .collect();
        if names.is_empty() { String::new() } else { format!("<{}>", names.join(", ")) }
    }

    /// The name of an enum's variant.
    pub fn variant_name(&self, ty: Ty<'tcx>, index: VariantIdx) -> String {
        match ty.kind() {
            ty::Adt(definition, _) if definition.is_enum() => definition.variant(index).name.to_string(),
            _ => String::new(),
        }
    }

    /// The name of a field.
    pub fn field_name(&self, ty: Ty<'tcx>, variant: Option<VariantIdx>, index: usize) -> String {
        let name = match ty.kind() {
            ty::Adt(definition, _) => {
                let variant = match variant {
                    Some(variant) => definition.variant(variant),
                    None => definition.non_enum_variant(),
                };
                variant.fields.iter().nth(index).map(|field| field.name.to_string())
            }
            ty::Closure(id, _) => {
                let captures = self.tcx.closure_saved_names_of_captured_variables(*id);
                captures.iter().nth(index).map(|name| name.as_str().trim_start_matches("_ref__").to_owned())
            }
            _ => None,
        };
        match name {
            Some(name) if name.starts_with(|first: char| first.is_ascii_digit()) => format!("_{name}"),
            Some(name) => name,
            None => format!("_{index}"),
        }
    }

    /// A name for a function, unique in the module.
    pub fn function_name(&mut self, instance: Instance<'tcx>) -> String {
        let base: String = self.base_name(instance).chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
        let base = base.trim_matches('_').to_owned();
        self.unique_name(&base)
    }

    /// A name, unique among the module's functions.
    pub fn unique_name(&mut self, base: &str) -> String {
        let uses = self.function_names.entry(base.to_owned()).or_insert(0);
        *uses += 1;
        if *uses == 1 {
            return base.to_owned();
        }
        let numbered = format!("{base}_{uses}");
        self.unique_name(&numbered)
    }

    fn base_name(&self, instance: Instance<'tcx>) -> String {
        let id = instance.def_id();
        if let InstanceKind::DropGlue(_, Some(ty)) = instance.def {
            return format!("drop_{}", self.short_type_name(ty));
        }
        if self.tcx.is_closure_like(id) {
            let parent = self.tcx.typeck_root_def_id(id);
            return format!("{}_closure", self.item_name(parent));
        }
        match self.tcx.def_kind(id) {
            DefKind::AssocFn => {
                let receiver = match self.tcx.trait_of_assoc(id) {
                    Some(_) => instance.args.types().next(),
                    None => self.tcx.inherent_impl_of_assoc(id).or_else(|| self.tcx.impl_of_assoc(id)).map(|block| {
                        let ty = self.tcx.type_of(block);
                        ty.instantiate(self.tcx, instance.args)
                    }),
                };
                match receiver {
                    Some(ty) => format!("{}_{}", self.short_type_name(ty), self.item_name(id)),
                    None => self.item_name(id),
                }
            }
            _ => self.item_name(id),
        }
    }

    fn item_name(&self, id: rustc_hir::def_id::DefId) -> String {
        self.tcx.opt_item_name(id).map_or_else(|| "function".to_owned(), |name| name.to_string())
    }

    /// A type's name without its arguments.
    fn short_type_name(&self, ty: Ty<'tcx>) -> String {
        match ty.kind() {
            ty::Adt(definition, _) => self.tcx.item_name(definition.did()).to_string(),
            ty::Slice(_) => "slice".to_owned(),
            ty::Array(..) => "array".to_owned(),
            ty::Tuple(_) => "tuple".to_owned(),
            ty::Closure(..) => "closure".to_owned(),
            ty::Ref(_, inner, _) => self.short_type_name(*inner),
            ty::RawPtr(..) => "pointer".to_owned(),
            _ => self.type_name(ty),
        }
    }

    /// An instance as messages name it.
    pub fn describe_instance(&self, instance: Instance<'tcx>) -> String {
        if let InstanceKind::DropGlue(_, Some(ty)) = instance.def {
            return format!("drop of `{}`", self.type_name(ty));
        }
        let path = with_no_visible_paths!(self.tcx.def_path_str(instance.def_id()));
        format!("`{path}`")
    }

    /// The name of an imported function.
    pub fn name_of(&self, id: FunctionId) -> &str {
        &self.module.function(id).name
    }
}
