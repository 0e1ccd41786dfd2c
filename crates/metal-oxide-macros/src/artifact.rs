//! Provides the artifact of a unit: a fresh saved one if there is one, else one that is compiled now and saved.
//!
//! The expansion holds the artifact's contents themselves. It also names the artifact's files, but only so that Cargo expands the macro
//! again when one of them changes: another build may save the folder anew between this moment and that at which rustc reads a file.

use std::path::{Path, PathBuf};
use std::time::SystemTime;

use metal_oxide_artifact::{
    Artifact, COMPILER_IDENTITY, Diagnostic, IR_FILE, Inputs, KernelRequest, MANIFEST_FILE, METALLIB_FILE, MSL_FILE, MathMode,
    SavedArtifact, UnitRequest, UnitResponse,
};
use proc_macro2::{Ident, Literal, TokenStream};
use quote::quote;
use syn::Error;

use crate::code::{Code, LOCKED, NOT_INSTALLED, SETTINGS};
use crate::compiler::{Failure, Question, compile};
use crate::diagnostics::{self, Target};
use crate::environment::{ArtifactMode, Build, TRACKED_VARIABLES};
use crate::profile;
use crate::source::Source;

/// A unit that needs an artifact.
pub struct Unit<'a> {
    /// The annotated item's name.
    pub name: &'a Ident,
    /// The tokens that the attribute was applied to.
    pub item: &'a TokenStream,
    /// The unit's text.
    pub text: String,
    /// Whether the item is a module.
    pub is_module: bool,
    /// The kernels in it.
    pub kernels: Vec<KernelRequest>,
    /// The numerical mode.
    pub math: MathMode,
}

/// What an expansion embeds.
pub struct Embedded {
    /// An expression of the type `metal_oxide::__private::Unit`.
    pub unit: TokenStream,
    /// Items that make Cargo expand the macro again when something changes.
    pub tracking: TokenStream,
}

impl Embedded {
    /// No artifact: the launch functions are there and fail when they are used.
    pub fn missing() -> Self {
        Self { unit: quote!(::metal_oxide::__private::Unit::missing()), tracking: TokenStream::new() }
    }
}

/// Provides the artifact, or the errors to report.
pub fn provide(unit: Unit<'_>, source: &Source, build: &Build) -> Result<Embedded, Vec<Error>> {
    let Unit { name, item, text, is_module, kernels, math } = unit;
    let fail = |code: Code, message: String| vec![code.at(name.span(), message)];
    let folder = folder(source, math, &build.package);
    let profile = match profile::release_profile(build) {
        Ok(profile) => profile,
        // Cargo can fail to answer where a package is installed without its lock file. What the artifact was made with is right then.
        Err(message) => Artifact::saved_profile(&folder).ok_or_else(|| fail(SETTINGS, message))?,
    };
    let request = UnitRequest {
        file: source.relative.clone(),
        edition: build.edition.clone(),
        features: build.features.iter().filter(|feature| mentions(&text, feature)).cloned().collect(),
        item: source.path.clone(),
        kernels,
        math,
        profile,
        text,
    };
    let wanted = Wanted {
        name,
        question: (&request).into(),
        inputs: request.inputs(COMPILER_IDENTITY),
        folder,
        made_from: &source.file,
        // As the host's own panics spell it.
        spelled: quote!(::core::file!()),
    };
    obtain(wanted, build, |reasons| diagnostics::errors(reasons, &Target { name, file: &request.file, tokens: item, is_module }))
}

/// An artifact that an expansion needs.
pub struct Wanted<'a> {
    /// The annotated item's name.
    pub name: &'a Ident,
    /// What to ask the kernel compiler.
    pub question: Question<'a>,
    /// What a fresh artifact is made from.
    pub inputs: Inputs,
    /// Where it is saved.
    pub folder: PathBuf,
    /// The user's source file.
    pub made_from: &'a Path,
    /// An expression for the name of the file with the kernels, as the host spells it.
    pub spelled: TokenStream,
}

/// Provides an artifact. `explain` makes errors out of what the compiler has against the kernels.
pub fn obtain(wanted: Wanted<'_>, build: &Build, explain: impl FnOnce(&[Diagnostic]) -> Vec<Error>) -> Result<Embedded, Vec<Error>> {
    let Wanted { name, question, inputs, folder, made_from, spelled } = wanted;
    let fail = |code: Code, message: String| vec![code.at(name.span(), message)];
    let saved = Artifact::load(&folder, &inputs);
    let shown = folder.strip_prefix(&build.package).unwrap_or(&folder).display().to_string();
    if let (SavedArtifact::Fresh(artifact), ArtifactMode::Auto | ArtifactMode::Locked) = (&saved, build.mode) {
        return Ok(embed(artifact, &spelled, Some(&folder), build));
    }
    let unusable = unusable(&saved, &shown);
    if build.mode == ArtifactMode::Locked {
        return Err(fail(
            LOCKED,
            format!(
                "the kernel `{name}` has no usable artifact: {unusable}\nMETAL_OXIDE_ARTIFACTS=locked allows saved artifacts only\n\
             help: build once without that variable, on a machine with the kernel compiler, and commit `{shown}`"
            ),
        ));
    }
    let response = build.compiler.as_ref().map_or(Err(Failure::NotInstalled), |compiler| compile(compiler, &question));
    let result = match response {
        Ok(UnitResponse::Compiled(result)) => *result,
        Ok(UnitResponse::Rejected(reasons)) => return Err(explain(&reasons)),
        Err(Failure::NotInstalled) => return Err(fail(NOT_INSTALLED, not_installed(name, &saved, &unusable, build))),
        Err(Failure::Internal(message)) => return Err(vec![Error::new(name.span(), message)]),
    };
    let artifact = Artifact::new(result, None, inputs);
    let kept = build.may_save(made_from) && artifact.save(&folder, source_time(made_from)).is_ok();
    // An artifact that could not be saved, say because the sources are read-only, is as good for this build as one that was.
    Ok(embed(&artifact, &spelled, kept.then_some(&*folder), build))
}

/// Whether the unit may depend on a feature. Others do not belong into its request: turning them on must not make the artifact stale.
fn mentions(text: &str, feature: &str) -> bool {
    text.contains("feature") && text.contains(&format!("{feature:?}"))
}

/// Where the artifact of a unit is saved: `metal/<file>/<item>-<math mode>` in the package.
pub fn folder(source: &Source, math: MathMode, package: &Path) -> PathBuf {
    let mut folder = package.join("metal");
    // The file may lie outside the package, but its artifact may not.
    folder.extend(source.relative.with_extension("").iter().map(|part| if part == ".." { "parent".as_ref() } else { part }));
    let math = match math {
        MathMode::Precise => "precise",
        MathMode::Fast => "fast",
    };
    folder.join(format!("{}-{math}", source.path))
}

/// The time stamp for saved files. A source from the future would make Cargo build again and again.
fn source_time(file: &Path) -> Option<SystemTime> {
    let modified = std::fs::metadata(file).and_then(|metadata| metadata.modified()).ok()?;
    (modified <= SystemTime::now()).then_some(modified)
}

fn unusable(saved: &SavedArtifact, folder: &str) -> String {
    match saved {
        SavedArtifact::Fresh(_) => format!("`{folder}` is fresh, but METAL_OXIDE_ARTIFACTS=rebuild asks for a new one"),
        SavedArtifact::Missing => format!("`{folder}` does not exist"),
        SavedArtifact::Stale(reasons) => format!("`{folder}` is stale because {}", reasons.join("; and ")),
        SavedArtifact::Corrupt { file, why } => {
            let file = file.file_name().unwrap_or_default().to_string_lossy();
            format!("`{folder}` is damaged: its file `{file}` {why}")
        }
    }
}

fn not_installed(name: &Ident, saved: &SavedArtifact, unusable: &str, build: &Build) -> String {
    let mut message = format!("the kernel `{name}` has to be compiled, and the kernel compiler {COMPILER_IDENTITY} is not installed");
    message.push_str(&format!("\n{unusable}"));
    match &build.compiler {
        Some(compiler) if compiler.named => {
            message.push_str(&format!("\nMETAL_OXIDE_COMPILER names {}, which is no file", compiler.program.display()));
        }
        Some(_) => message.push_str("\nhelp: run `cargo metal setup`, then build again"),
        None => message
            .push_str("\nhelp: set METAL_OXIDE_CACHE or HOME, as there is no folder for the kernel compiler, and run `cargo metal setup`"),
    }
    if let SavedArtifact::Corrupt { .. } = saved {
        message.push_str("\nhelp: if the artifact is under version control, restore it from there");
    }
    message
}

fn embed(artifact: &Artifact, spelled: &TokenStream, saved_in: Option<&Path>, build: &Build) -> Embedded {
    let (manifest, msl) = (Literal::string(&artifact.manifest_json), Literal::string(&artifact.msl));
    let metallib = match &artifact.metallib {
        Some(bytes) => {
            let bytes = Literal::byte_string(bytes);
            quote!(::core::option::Option::Some(#bytes))
        }
        None => quote!(::core::option::Option::None),
    };
    let names = [MANIFEST_FILE, MSL_FILE, IR_FILE].into_iter().chain(artifact.metallib.is_some().then_some(METALLIB_FILE));
    let mut files: Vec<_> = saved_in.iter().flat_map(|folder| names.clone().map(|name| folder.join(name))).collect();
    files.extend(profile::files(build));
    let files = files.iter().filter_map(|file| file.to_str());
    let variables = TRACKED_VARIABLES;
    Embedded {
        unit: quote!(::metal_oxide::__private::Unit::new(#manifest, #msl, #metallib, #spelled)),
        tracking: quote! {
            const _: &[&[::core::primitive::u8]] = &[#(::core::include_bytes!(#files)),*];
            const _: &[::core::option::Option<&::core::primitive::str>] = &[#(::core::option_env!(#variables)),*];
        },
    }
}
