//! From MIR to the intermediate representation, as it is: no library function is special.
//!
//! Every reachable monomorphic instance becomes a function of the module. What the result lacks in beauty the module's passes provide.
//! One concept a file: [`types`] and layouts, [`place`]s, [`operand`]s, [`rvalue`]s, [`cast`]s, [`enums`], [`call`]s and their [`abi`],
//! [`intrinsic`]s, [`constant`]s and [`global`]s, [`failure`]s, the [`device`] crate's items, and kernel [`entry`] points.

mod abi;
mod analysis;
mod arithmetic;
mod body;
mod build;
mod call;
mod cast;
mod constant;
mod context;
mod device;
mod entry;
mod enums;
mod failure;
mod global;
mod intrinsic;
mod location;
mod memory;
mod names;
mod operand;
mod origin;
mod place;
mod redirect;
mod requires;
mod rvalue;
mod software;
mod terminator;
mod types;
mod unsupported;
mod value;

pub use context::{Abort, Context, Import};
pub use entry::{Kernel, ParameterKind};
pub use origin::{Frame, Origins};
pub use unsupported::advice;

use std::path::PathBuf;

use metal_oxide_ir::Module;
use rustc_middle::ty::{Ty, TyCtxt};

/// A unit as a module.
pub struct Imported {
    /// The module.
    pub module: Module,
    /// Where its parts come from.
    pub origins: Origins,
    /// The functions that compute in `f64`, if anything does.
    pub doubles: Option<Module>,
    /// The functions that compute with 128-bit integers, if anything does.
    pub wide_integers: Option<Module>,
    /// The names of the kernels that identify threads by a linear index.
    pub linear: Vec<String>,
}

/// A type as its user would write it.
pub fn type_name<'tcx>(tcx: TyCtxt<'tcx>, ty: Ty<'tcx>) -> String {
    Context::new(tcx).type_name(ty)
}

/// Imports the kernels and everything that they reach. `own` has the folders of other crates whose text is the user's.
///
/// # Errors
/// If the code is wrong in a way that only shows once nothing is generic any more, such as a constant whose evaluation panics.
pub fn import<'tcx>(tcx: TyCtxt<'tcx>, kernels: &[Kernel<'tcx>], own: Vec<PathBuf>) -> Import<Imported> {
    let mut cx = Context::new(tcx);
    cx.own = own;
    let mut entries = Vec::new();
    for kernel in kernels {
        entries.push(entry::import_kernel(&mut cx, kernel)?);
    }
    while let Some((key, id)) = cx.queue.pop_front() {
        body::import_function(&mut cx, key, id)?;
    }
    let reaching = cx.origins.callers_of(&cx.linear);
    let linear = entries.iter().filter(|id| reaching.contains(id)).map(|&id| cx.name_of(id).to_owned()).collect();
    let library = |used: bool, module: &str| if used { software::import_library(tcx, module) } else { Ok(None) };
    let doubles = library(cx.uses_doubles, "float64")?;
    let wide_integers = library(cx.uses_wide_integers, "integer128")?;
    Ok(Imported { module: cx.module, origins: cx.origins, doubles, wide_integers, linear })
}
