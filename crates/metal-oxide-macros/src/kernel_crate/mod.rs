//! `#[kernels(path = "…")]`: kernels in a crate of their own.
//!
//! The package with the launch functions depends on that crate like on any other. So the host's rustc has compiled it, the CPU device runs
//! its functions, and Cargo expands this macro again whenever it changes. For the device the kernel compiler lets Cargo build it once
//! more. The launch functions follow from the crate's sources alone, which makes them known to editors too.

mod contents;
mod editor;
mod package;
mod sources;

use std::path::{Path, PathBuf};

use metal_oxide_artifact::{COMPILER_IDENTITY, CrateBuild, CrateContents, CrateRequest, KernelRequest, MathMode};
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};
use syn::{Error, LitStr, Result};

use self::package::Package;
use self::sources::CrateKernel;
use crate::artifact::{Embedded, Wanted, folder, obtain};
use crate::code::{ATTRIBUTE, CRATE, SETTINGS};
use crate::diagnostics::crate_errors;
use crate::environment::{Build, is_editor, rustc};
use crate::kernel::with_errors;
use crate::launch::{UnitPlace, launch_function_for, unit_static};
use crate::profile::release_profile;
use crate::requires::relations;
use crate::source::Source;

/// The static with the unit, in the annotated module.
const UNIT: &str = "__METAL_OXIDE_UNIT";

/// Expands the attribute on a module.
pub fn expand(math: MathMode, path: &LitStr, item: &TokenStream) -> TokenStream {
    let module = match syn::parse2::<syn::ItemMod>(item.clone()) {
        Ok(module) => module,
        Err(_) if is_editor() => return item.clone(),
        Err(error) => return with_errors(item.clone(), &[ATTRIBUTE.at(error.span(), "`#[kernels]` belongs on a module")]),
    };
    let found = if is_editor() { editor::find(path) } else { find(math, path, &module, item) };
    match found {
        Ok(Found { name, kernels, embedded }) => {
            let (embedded, errors) = match embedded {
                Ok(embedded) => (Some(embedded), Vec::new()),
                Err(errors) => (None, errors),
            };
            with_errors(host_tokens(&module, &name, &kernels, embedded.as_ref()), &errors)
        }
        Err(_) if is_editor() => item.clone(),
        Err(error) => with_errors(item.clone(), &[error]),
    }
}

/// A crate of kernels.
struct Found {
    /// Its name in the code of this package.
    name: Ident,
    kernels: Vec<CrateKernel>,
    /// Its artifact, or why there is none.
    embedded: std::result::Result<Embedded, Vec<Error>>,
}

fn find(math: MathMode, path: &LitStr, module: &syn::ItemMod, item: &TokenStream) -> Result<Found> {
    let build = Build::current().map_err(|message| SETTINGS.at(module.ident.span(), message))?;
    let fail = |message: String| CRATE.at(path.span(), message);
    let root = build.package.join(path.value());
    if !root.join("Cargo.toml").is_file() {
        return Err(fail(no_crate(path, &root)));
    }
    let package = Package::find(&root, &build).map_err(fail)?;
    let kernels = sources::kernels(&package.main).map_err(fail)?;
    if kernels.is_empty() {
        let file = package.main.display();
        return Err(fail(format!(
            "the crate `{}` has no kernels\nhelp: mark the functions to launch with `#[metal_oxide_device::kernel]`, in {file} or its public modules",
            package.name
        )));
    }
    let embedded = artifact(math, &package, &kernels, module, item, &build);
    Ok(Found { name: format_ident!("{}", package.extern_name), kernels, embedded })
}

fn no_crate(path: &LitStr, root: &Path) -> String {
    format!(
        "`{}` is no crate: there is no {}\nhelp: the path leads from this package's folder to that of the crate with the kernels",
        path.value(),
        root.join("Cargo.toml").display()
    )
}

fn artifact(
    math: MathMode,
    package: &Package,
    kernels: &[CrateKernel],
    module: &syn::ItemMod,
    item: &TokenStream,
    build: &Build,
) -> std::result::Result<Embedded, Vec<Error>> {
    let name = &module.ident;
    let fail = |message: String| vec![CRATE.at(name.span(), message)];
    let source = Source::of(name, item, build).map_err(|error| vec![error])?;
    let request = |kernel: &CrateKernel| {
        let requires = relations(&kernel.arguments.requires, &kernel.function.parameters)?;
        let name = kernel.name();
        let path = kernel.modules.iter().map(String::as_str).chain([&*name]).collect::<Vec<_>>().join("::");
        Ok(KernelRequest { name, path, requires })
    };
    let kernels = kernels.iter().map(request).collect::<Result<Vec<_>>>().map_err(|error: Error| fail(error.to_string()))?;
    let profile = release_profile(build).map_err(|message| vec![SETTINGS.at(name.span(), message)])?;
    let file = package.relative_main(build);
    let contents = CrateContents {
        file,
        item: source.path.clone(),
        name: package.library.clone(),
        kernels,
        math,
        profile,
        features: package.features.clone(),
        default_features: package.default_features,
        packages: contents::of(package, build).map_err(fail)?,
    };
    let request = CrateRequest { contents, build: crate_build(package, build) };
    let spelled = package.spelled_main(build);
    let spelled = spelled.to_string_lossy();
    let wanted = Wanted {
        name,
        question: (&request).into(),
        inputs: request.inputs(COMPILER_IDENTITY),
        folder: folder(&source, math, &build.package),
        made_from: &source.file,
        spelled: quote!(#spelled),
    };
    obtain(wanted, build, |reasons| crate_errors(reasons, name, &package.name))
}

fn crate_build(package: &Package, build: &Build) -> CrateBuild {
    CrateBuild {
        cargo: build.cargo.clone().unwrap_or_else(|| "cargo".into()),
        rustc: rustc(),
        manifest: package.manifest.clone(),
        package: package.id.clone(),
        is_member: package.is_member,
        target: target(build),
    }
}

/// A folder for the build for the device, beside what the build around this one makes and locks.
fn target(build: &Build) -> PathBuf {
    let outer = build.output_folder.iter().flat_map(|folder| folder.ancestors()).find(|folder| folder.join("CACHEDIR.TAG").is_file());
    outer.map_or_else(|| build.package.join("target"), Path::to_path_buf).join("metal-oxide")
}

/// The module on the host: what it held, what the crate exports, and in place of each kernel its launch function.
fn host_tokens(module: &syn::ItemMod, name: &Ident, kernels: &[CrateKernel], embedded: Option<&Embedded>) -> TokenStream {
    let syn::ItemMod { attrs, vis, mod_token, ident, content, .. } = module;
    let items = content.iter().flat_map(|(_, items)| items);
    let unit_name = format_ident!("{UNIT}");
    let unit = embedded.map(|embedded| unit_static(&unit_name, embedded));
    let level = Level { kernels: kernels.iter().collect(), depth: 0, path: quote!(::#name), has_unit: embedded.is_some() };
    let launches = level.tokens();
    quote! {
        #(#attrs)*
        #vis #mod_token #ident {
            #(#items)*
            #unit
            #launches
        }
    }
}

/// A module of the crate, as far as it has kernels.
struct Level<'a> {
    /// The kernels in it and in the modules inside.
    kernels: Vec<&'a CrateKernel>,
    /// How many modules are around it.
    depth: usize,
    path: TokenStream,
    has_unit: bool,
}

impl Level<'_> {
    fn tokens(&self) -> TokenStream {
        let Self { kernels, depth, path, has_unit } = self;
        let supers = std::iter::repeat_n(quote!(super::), *depth);
        let unit_name = format_ident!("{UNIT}");
        let unit = quote!(#(#supers)* #unit_name);
        let place = if *has_unit { UnitPlace::Static(&unit) } else { UnitPlace::Nowhere };
        let (here, inside): (Vec<&CrateKernel>, Vec<_>) = kernels.iter().partition(|kernel| kernel.modules.len() == *depth);
        let launches = here.iter().map(|kernel| launch_function_for(&kernel.function, path, &place));
        // The kernels of a module stand together.
        let groups = inside.chunk_by(|left, right| left.modules[*depth] == right.modules[*depth]);
        let modules = groups.map(|group| {
            let name = &group[0].modules[*depth];
            let name = format_ident!("{name}");
            let inner = Level { kernels: group.to_vec(), depth: depth + 1, path: quote!(#path::#name), has_unit: *has_unit }.tokens();
            quote!(pub mod #name { #inner })
        });
        quote! {
            #[doc(no_inline)]
            #[allow(unused_imports)]
            pub use #path::*;
            #(#launches)*
            #(#modules)*
        }
    }
}
