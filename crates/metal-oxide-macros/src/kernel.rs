//! `#[kernel]` on a function: a unit with one kernel.

use metal_oxide_artifact::{KernelRequest, MathMode};
use proc_macro2::TokenStream;
use quote::quote;
use syn::Error;

use crate::arguments::KernelArguments;
use crate::artifact::{Embedded, Unit, provide};
use crate::code::{ATTRIBUTE, SETTINGS};
use crate::environment::{Build, is_editor};
use crate::launch::{UnitPlace, launch_function};
use crate::requires::relations;
use crate::signature::KernelFunction;
use crate::source::Source;

/// Expands the attribute with these arguments on this item.
pub fn expand(arguments: TokenStream, item: TokenStream) -> TokenStream {
    let editor = is_editor();
    let parsed = syn::parse2::<KernelFunction>(item.clone()).map_err(|error| explain(error, &item));
    let kernel = match parsed {
        Ok(kernel) => kernel,
        // An editor is better served with the function as it is. The compiler gets it too, so that its name is known.
        Err(_) if editor => return item,
        Err(error) => return with_errors(item, &[error]),
    };
    // Clauses that are wrong are reported with the artifact.
    let requires = syn::parse2::<KernelArguments>(arguments.clone()).map(|arguments| arguments.requires).unwrap_or_default();
    let embedded = if editor { Ok(Embedded::missing()) } else { artifact(arguments, &item, &kernel) };
    match embedded {
        Ok(embedded) => launch_function(&kernel, &requires, &UnitPlace::Here(&embedded)),
        Err(errors) => with_errors(launch_function(&kernel, &requires, &UnitPlace::Nowhere), &errors),
    }
}

/// The item, and the errors after it.
pub fn with_errors(item: TokenStream, errors: &[Error]) -> TokenStream {
    let errors = errors.iter().map(Error::to_compile_error);
    quote!(#item #(#errors)*)
}

fn artifact(arguments: TokenStream, item: &TokenStream, kernel: &KernelFunction) -> Result<Embedded, Vec<Error>> {
    let one = |error: Error| vec![error];
    let arguments: KernelArguments = syn::parse2(arguments).map_err(one)?;
    let requires = relations(&arguments.requires, &kernel.parameters).map_err(one)?;
    let name = &kernel.signature.ident;
    let build = Build::current().map_err(|message| vec![SETTINGS.at(name.span(), message)])?;
    let source = Source::of(name, item, &build).map_err(one)?;
    let text = source.function_unit(kernel.unit_tokens(), name).map_err(one)?;
    let request = KernelRequest { name: name.to_string(), path: name.to_string(), requires };
    let unit = Unit { name, item, text, is_module: false, kernels: vec![request], math: MathMode::Precise };
    provide(unit, &source, &build)
}

/// Makes an error of the parser one about kernels, where the attribute is not on a function at all.
fn explain(error: Error, item: &TokenStream) -> Error {
    match syn::parse2::<syn::Item>(item.clone()) {
        Ok(syn::Item::Fn(_)) | Err(_) => error,
        Ok(syn::Item::Mod(_)) => {
            ATTRIBUTE.on(item, "`#[kernel]` belongs on a function; the attribute for a module is `#[metal_oxide::kernels]`")
        }
        Ok(_) => ATTRIBUTE.on(item, "`#[kernel]` belongs on a function"),
    }
}
