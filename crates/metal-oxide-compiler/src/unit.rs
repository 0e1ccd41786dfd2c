//! From the request for a unit to its module.

use std::path::Path;

use metal_oxide_artifact::{Diagnostic, UnitRequest};
use rustc_middle::ty::TyCtxt;

use crate::driver::{self, Failure, Session, UnitLoader};
use crate::hints;
use crate::import::{self, Abort, Imported};
use crate::kernels;

/// Compiles a unit as far as the module that its passes start from.
///
/// # Errors
/// What is wrong with the unit or with this compiler.
pub fn import_unit(request: &UnitRequest, library: &Path) -> Result<Imported, Failure> {
    let arguments = driver::unit(request, library);
    let loader = UnitLoader { path: request.file.clone(), text: request.text.clone() };
    let analysed = |tcx: TyCtxt<'_>| -> Result<Imported, Vec<Diagnostic>> {
        let kernels = kernels::resolve(tcx, &request.kernels)?;
        import::import(tcx, &kernels, Vec::new()).map_err(|abort| match abort {
            Abort::Reported => Vec::new(),
            Abort::Rejected(diagnostic) => vec![*diagnostic],
        })
    };
    let session = Session { arguments, loader: Some(loader), analysed: Some(analysed) };
    let outcome = driver::run(session).map_err(|failure| match failure {
        Failure::Rejected(errors) => Failure::Rejected(errors.into_iter().map(|error| hints::interpret(error, &request.text)).collect()),
        internal => internal,
    })?;
    match outcome {
        Some(Ok(imported)) => Ok(imported),
        Some(Err(problems)) if !problems.is_empty() => Err(Failure::Rejected(problems)),
        _ => Err(Failure::Internal("the import stopped without a message".to_owned())),
    }
}
