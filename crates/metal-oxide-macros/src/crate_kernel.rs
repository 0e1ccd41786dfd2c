//! `#[kernel]` in a crate of kernels: the function stays a function.
//!
//! The CPU device runs it as it is, from the crate that makes the launch functions. That crate has to name the types of the parameters,
//! so they are exported under names of their own. The device never sees this attribute: there the device crate has one that does nothing.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Error, Result, Visibility};

use crate::arguments::KernelArguments;
use crate::code::{ATTRIBUTE, SIGNATURE};
use crate::kernel::with_errors;
use crate::launch::type_aliases;
use crate::requires::relations;
use crate::signature::KernelFunction;

/// Expands the attribute with these arguments on this item.
pub fn expand(arguments: TokenStream, item: TokenStream) -> TokenStream {
    match check(arguments, &item) {
        Ok(kernel) => {
            let aliases = type_aliases(&kernel);
            let is_inline = kernel.attributes.iter().any(|attribute| attribute.path().is_ident("inline"));
            // The CPU device's loop over threads is in another crate.
            let inline = (!is_inline).then(|| quote!(#[inline]));
            quote!(#inline #item #aliases)
        }
        Err(error) => with_errors(item, &[error]),
    }
}

fn check(arguments: TokenStream, item: &TokenStream) -> Result<KernelFunction> {
    let arguments: KernelArguments = syn::parse2(arguments)?;
    let kernel: KernelFunction = syn::parse2(item.clone()).map_err(|error| explain(error, item))?;
    relations(&arguments.requires, &kernel.parameters)?;
    let name = &kernel.signature.ident;
    match &kernel.visibility {
        Visibility::Public(_) => Ok(kernel),
        _ => Err(SIGNATURE.at(name.span(), format!("the kernel `{name}` is launched from another crate: make it `pub`"))),
    }
}

fn explain(error: Error, item: &TokenStream) -> Error {
    match syn::parse2::<syn::Item>(item.clone()) {
        Ok(syn::Item::Fn(_)) | Err(_) => error,
        Ok(_) => ATTRIBUTE.on(item, "`#[kernel]` belongs on a function"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn expanded(item: &str) -> String {
        let text = expand(TokenStream::new(), item.parse().expect("lexes")).to_string();
        text.split_whitespace().collect::<Vec<_>>().concat()
    }

    #[test]
    fn the_function_stays_and_its_types_get_names() {
        let text = expanded("pub fn k(a: ReadBuffer<f32>, n: u32) { a; n; }");
        assert!(text.starts_with("#[inline]pubfnk(a:ReadBuffer<f32>,n:u32){a;n;}"), "{text}");
        assert!(text.contains("pubtype__metal_oxide_k_0=fn(ReadBuffer<f32>);"), "{text}");
        assert!(text.contains("pubtype__metal_oxide_k_1=u32;"), "{text}");
    }

    #[test]
    fn the_users_inlining_is_left_alone() {
        assert!(expanded("#[inline(never)] pub fn k() {}").starts_with("#[inline(never)]pubfnk(){}"));
    }

    #[test]
    fn private_kernels_are_rejected() {
        assert!(expanded("fn k() {}").contains("islaunchedfromanothercrate"));
        assert!(expanded("pub(crate) fn k() {}").contains("islaunchedfromanothercrate"));
    }
}
