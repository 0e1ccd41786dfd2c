//! How functions of the module pass arguments and results.
//!
//! A value is passed as its scalars, or as the address of memory that the callee may overwrite. A result that is one scalar is
//! returned; any other result is written through a pointer that comes before all arguments.

use metal_oxide_ir::Type;
use rustc_middle::ty::layout::TyAndLayout;
use rustc_middle::ty::{self, Instance, Ty};

use super::context::{Context, Import};
use super::types::{Class, POINTER, class, scalar_type};

/// A function's signature.
pub struct Signature<'tcx> {
    /// The Rust arguments, with those of closures one by one.
    pub arguments: Vec<Argument<'tcx>>,
    /// The types of the scalars that carry them.
    pub parameters: Vec<Type>,
    /// The type of the result, if one scalar is returned.
    pub result: Option<Type>,
    /// Whether the first parameter is where the result goes.
    pub result_in_memory: bool,
}

/// An argument.
#[derive(Clone, Copy)]
pub struct Argument<'tcx> {
    /// Its layout.
    pub layout: TyAndLayout<'tcx>,
}

/// The signature of an instance.
pub fn signature<'tcx>(cx: &Context<'tcx>, instance: Instance<'tcx>) -> Import<Signature<'tcx>> {
    let body = cx.tcx.instance_mir(instance.def);
    let local = |local: rustc_middle::mir::Local| {
        let ty = body.local_decls[local].ty;
        instance.instantiate_mir_and_normalize_erasing_regions(cx.tcx, cx.typing_env(), ty::EarlyBinder::bind(ty))
    };
    let mut types: Vec<Ty<'tcx>> = Vec::new();
    for argument in body.args_iter() {
        match local(argument).kind() {
            ty::Tuple(fields) if Some(argument) == body.spread_arg => types.extend(fields.iter()),
            _ => types.push(local(argument)),
        }
    }
    let mut signature = Signature { arguments: Vec::new(), parameters: Vec::new(), result: None, result_in_memory: false };
    let result = cx.layout(local(rustc_middle::mir::RETURN_PLACE))?;
    match class(cx, result) {
        _ if result.is_uninhabited() => {}
        Class::ZeroSized => {}
        Class::Scalar(scalar) => signature.result = Some(scalar_type(scalar)),
        Class::Pair(..) | Class::Memory => {
            signature.result_in_memory = true;
            signature.parameters.push(POINTER);
        }
    }
    for ty in types {
        let layout = cx.layout(ty)?;
        match class(cx, layout) {
            Class::ZeroSized => {}
            Class::Scalar(scalar) => signature.parameters.push(scalar_type(scalar)),
            Class::Pair(first, second, _) => signature.parameters.extend([scalar_type(first), scalar_type(second)]),
            Class::Memory => signature.parameters.push(POINTER),
        }
        signature.arguments.push(Argument { layout });
    }
    Ok(signature)
}
