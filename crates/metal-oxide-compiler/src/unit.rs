//! From the request for a unit to its module.

use std::path::Path;

use metal_oxide_artifact::{Diagnostic, UnitRequest};
use rustc_middle::ty::TyCtxt;

use crate::driver::{self, Failure, Session, UnitLoader};
use crate::hints;
use crate::import::{self, Abort, Imported};
use crate::{kernels, library};

/// rustc's errors about metadata that is damaged, or made by another rustc or for another target.
const UNLOADABLE: [&str; 6] = ["E0460", "E0461", "E0462", "E0463", "E0514", "E0786"];

/// Compiles a unit as far as the module that its passes start from.
///
/// # Errors
/// What is wrong with the unit or with this compiler.
pub fn import_unit(request: &UnitRequest, library: &Path) -> Result<Imported, Failure> {
    if let Some(missing) = library::missing(library) {
        let message = format!("the device library is incomplete: `{}` is missing; `cargo metal setup` builds it", missing.display());
        return Err(Failure::Internal(message));
    }
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
        // Metadata that rustc cannot load is the installation's fault; the unit names no crates of its own.
        Failure::Rejected(errors) if errors.iter().any(is_unloadable) => {
            let messages: Vec<String> = errors.into_iter().filter(is_unloadable).map(|error| error.message).collect();
            let reason = messages.join("\n");
            Failure::Internal(format!("the device library does not fit this compiler; `cargo metal setup` builds it again\n{reason}"))
        }
        Failure::Rejected(errors) => Failure::Rejected(errors.into_iter().map(|error| hints::interpret(error, &request.text)).collect()),
        internal => internal,
    })?;
    match outcome {
        Some(Ok(imported)) => Ok(imported),
        Some(Err(problems)) if !problems.is_empty() => Err(Failure::Rejected(problems)),
        _ => Err(Failure::Internal("the import stopped without a message".to_owned())),
    }
}

fn is_unloadable(error: &Diagnostic) -> bool {
    error.position.is_none() && UNLOADABLE.contains(&error.code.as_str())
}
