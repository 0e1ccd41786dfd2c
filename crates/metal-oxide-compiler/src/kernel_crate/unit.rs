//! From the request for a crate of kernels to the answer: the unit is a crate that only names the crate of kernels.

use std::path::{Path, PathBuf};

use metal_oxide_artifact::{CrateContents, CrateRequest, Diagnostic, KernelRequest, PackageContents, UnitRequest, UnitResponse};
use rustc_middle::ty::TyCtxt;

use super::cargo::{self, Built};
use crate::compile;
use crate::driver::{self, Failure, Session, UnitLoader};
use crate::import::{self, Abort, Imported};
use crate::kernels;

/// Compiles a crate of kernels.
///
/// # Errors
/// What is wrong with this compiler or its installation; what is wrong with the crate is an answer.
pub fn compile(request: &CrateRequest, library: &Path) -> Result<UnitResponse, String> {
    let unit = unit(&request.contents);
    let names = Names::of(&request.contents);
    let imported = cargo::build(request, library).and_then(|built| {
        let mut imported = import(&unit, &request.contents, &built, library)?;
        let module = &mut imported.module;
        for location in module.locations.iter_mut().chain(module.sites.iter_mut().map(|site| &mut site.location)) {
            location.file = names.file(Path::new(&location.file)).to_string_lossy().into_owned();
        }
        Ok(imported)
    });
    let response = compile::respond(&unit, imported)?;
    Ok(match response {
        UnitResponse::Rejected(problems) => UnitResponse::Rejected(problems.into_iter().map(|problem| names.diagnostic(problem)).collect()),
        compiled => compiled,
    })
}

/// The unit that names the crate.
fn unit(contents: &CrateContents) -> UnitRequest {
    let kernel = |kernel: &KernelRequest| KernelRequest { path: format!("{}::{}", contents.name, kernel.path), ..kernel.clone() };
    UnitRequest {
        file: contents.file.clone(),
        text: format!("pub extern crate {};\n", contents.name),
        edition: "2024".to_owned(),
        features: Vec::new(),
        item: contents.item.clone(),
        kernels: contents.kernels.iter().map(kernel).collect(),
        math: contents.math,
        profile: contents.profile,
    }
}

fn import(unit: &UnitRequest, contents: &CrateContents, built: &Built, library: &Path) -> Result<Imported, Failure> {
    // A name that no file of the crate has: rustc must not take one for the other.
    let main = PathBuf::from("kernels");
    let arguments = driver::crate_unit(unit, &main, &contents.name, &built.metadata, &built.search, library);
    let loader = UnitLoader { path: main, text: unit.text.clone() };
    let own = own_folders(contents);
    let analysed = |tcx: TyCtxt<'_>| -> Result<Imported, Vec<Diagnostic>> {
        let kernels = kernels::resolve(tcx, &unit.kernels)?;
        import::import(tcx, &kernels, own).map_err(|abort| match abort {
            Abort::Reported => Vec::new(),
            Abort::Rejected(diagnostic) => vec![*diagnostic],
        })
    };
    let session = Session { arguments, loader: Some(loader), analysed: Some(analysed) };
    match driver::run(session)? {
        Some(Ok(imported)) => Ok(imported),
        Some(Err(problems)) if !problems.is_empty() => Err(Failure::Rejected(problems)),
        _ => Err(Failure::Internal("the import stopped without a message".to_owned())),
    }
}

/// The folders of the user's own packages, as rustc shows them.
fn own_folders(contents: &CrateContents) -> Vec<PathBuf> {
    let own = contents.packages.iter().filter(|package| package.own.is_some());
    own.map(|package| PackageContents::shown_as(&package.name, &package.version).into()).collect()
}

/// How the user knows the files of the crates: those of the user's own packages as seen from the package with the launch functions.
struct Names {
    folders: Vec<(PathBuf, PathBuf)>,
}

impl Names {
    fn of(contents: &CrateContents) -> Self {
        let own = contents.packages.iter().filter_map(|package| {
            let shown = PathBuf::from(PackageContents::shown_as(&package.name, &package.version));
            Some((shown, package.own.as_ref()?.folder.clone()))
        });
        Self { folders: own.collect() }
    }

    fn file(&self, file: &Path) -> PathBuf {
        let found = self.folders.iter().find_map(|(shown, folder)| Some(folder.join(file.strip_prefix(shown).ok()?)));
        found.unwrap_or_else(|| file.to_path_buf())
    }

    fn diagnostic(&self, mut diagnostic: Diagnostic) -> Diagnostic {
        let notes = diagnostic.notes.iter_mut().filter_map(|note| note.position.as_mut());
        for position in notes.chain(diagnostic.position.as_mut()) {
            position.file = self.file(&position.file);
        }
        diagnostic
    }
}
