//! Generates the launch function: the kernel's name and visibility, with a device and a launch configuration in front of its parameters.
//!
//! The kernel itself becomes a function inside the launch function, with the user's tokens at the user's places. The CPU device runs it.

use std::collections::HashSet;

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Attribute, Index};

use crate::artifact::Embedded;
use crate::imports::identifiers;
use crate::kernels::regroup;
use crate::requires::Clauses;
use crate::signature::{KernelFunction, Parameter, ParameterKind};

/// Where the launch function finds the unit that holds its kernel.
pub enum UnitPlace<'a> {
    /// Inside itself.
    Here(&'a Embedded),
    /// In a static at this path.
    Static(&'a TokenStream),
    /// Nowhere: the kernel was rejected. The build fails, and the launch function only keeps others from failing for the lack of it.
    Nowhere,
}

/// The launch function of a kernel that stands where the launch function is to be. A parameter that only `requires` speaks of is used.
pub fn launch_function(kernel: &KernelFunction, requires: &Clauses, place: &UnitPlace<'_>) -> TokenStream {
    let KernelFunction { attributes, signature, parameters, body, .. } = kernel;
    let mentioned = identifiers(requires.to_token_stream());
    let stated = parameters.iter().map(|parameter| &parameter.name).filter(|name| mentioned.contains(&name.to_string()));
    let used = stated.map(|name| quote!(let _ = &#name;));
    let body = regroup(body, [quote!(#(#used)*), body.stream()].into_iter().collect());
    let name = &signature.ident;
    let parameters = parameters.iter().map(|Parameter { name, ty, kind }| Passed {
        name,
        own: argument_type(name, *kind),
        value: quote!(#ty),
        signature: quote!(fn(#ty)),
        span: ty.span(),
    });
    let mut parameters: Vec<_> = parameters.collect();
    rename_apart(&mut parameters, identifiers(kernel.unit_tokens()));
    let inner = attributes.iter().filter(|attribute| !concerns_callers(attribute));
    let declared = quote! {
        #(#inner)*
        #[allow(clippy::too_many_arguments, elided_lifetimes_in_paths)]
        #signature #body
    };
    expand(kernel, &quote!(#name), &parameters, &declared, place)
}

/// The launch function of a kernel that another crate declares in the module at this path.
pub fn launch_function_for(kernel: &KernelFunction, module: &TokenStream, place: &UnitPlace<'_>) -> TokenStream {
    let name = &kernel.signature.ident;
    let parameters = kernel.parameters.iter().enumerate().map(|(index, Parameter { name: parameter, kind, .. })| {
        let alias = type_alias(name, index);
        let own = argument_type(parameter, *kind);
        let signature = if own.is_some() { quote!(#module::#alias) } else { quote!(fn(#module::#alias)) };
        Passed { name: parameter, own, value: quote!(#module::#alias), signature, span: Span::call_site() }
    });
    let mut parameters: Vec<_> = parameters.collect();
    rename_apart(&mut parameters, HashSet::new());
    expand(kernel, &quote!(#module::#name), &parameters, &TokenStream::new(), place)
}

/// The names for a kernel's parameter types that its crate exports, so that the launch function in another crate can name them. For a
/// buffer parameter it is the type of a function that takes it, as each launch chooses a lifetime for it.
pub fn type_aliases(kernel: &KernelFunction) -> TokenStream {
    let aliases = kernel.parameters.iter().enumerate().map(|(index, Parameter { ty, kind, .. })| {
        let alias = type_alias(&kernel.signature.ident, index);
        let aliased = if kind.is_buffer() { quote!(fn(#ty)) } else { quote!(#ty) };
        quote! {
            #[doc(hidden)]
            #[allow(non_camel_case_types, elided_lifetimes_in_paths)]
            pub type #alias = #aliased;
        }
    });
    quote!(#(#aliases)*)
}

fn type_alias(kernel: &Ident, index: usize) -> Ident {
    Ident::new(&format!("__metal_oxide_{}_{index}", plain_name(kernel)), Span::call_site())
}

/// A parameter as the launch function passes it on.
struct Passed<'a> {
    name: &'a Ident,
    /// The type parameter of the launch function for it, if it is a buffer.
    own: Option<Ident>,
    /// The kernel's type, if it is a value.
    value: TokenStream,
    /// The type of a function that takes the kernel's type.
    signature: TokenStream,
    /// Where rustc is to point if the type cannot be passed.
    span: Span,
}

impl Passed<'_> {
    fn ty(&self) -> TokenStream {
        self.own.as_ref().map_or_else(|| self.value.clone(), |own| quote!(#own))
    }
}

/// The launch function, which begins with the `declared` items and calls the kernel as `callee`.
fn expand(
    kernel: &KernelFunction,
    callee: &TokenStream,
    parameters: &[Passed<'_>],
    declared: &TokenStream,
    place: &UnitPlace<'_>,
) -> TokenStream {
    let KernelFunction { attributes, visibility, signature, .. } = kernel;
    let (name, safety) = (&signature.ident, &signature.safety);
    let [device, config] = ["device", "config"].map(|name| Ident::new(name, Span::mixed_site()));
    let arguments: Vec<_> = parameters.iter().map(|parameter| parameter.name).collect();
    let passed: Vec<_> = parameters.iter().map(Passed::ty).collect();
    let generics = parameters.iter().filter_map(|Passed { own, signature, .. }| {
        let own = own.as_ref()?;
        Some(quote!(#own: ::metal_oxide::ArgumentFor<#signature>))
    });
    // One argument comes back by itself, several as a tuple.
    let (returned_type, returned) = match (&passed[..], &arguments[..]) {
        ([ty], [argument]) => (ty.clone(), quote!(#argument)),
        _ => (quote!((#(#passed),*)), quote!((#(#arguments),*))),
    };

    let launched = Launched { name, callee, parameters, ends: [&device, &config], returned: &returned };
    let launch = match place {
        UnitPlace::Here(embedded) => {
            let unit_name = format_ident!("__METAL_OXIDE_UNIT");
            let (unit, launch) = (unit_static(&unit_name, embedded), launched.tokens(&quote!(#unit_name)));
            quote!(#unit #launch)
        }
        UnitPlace::Static(unit) => launched.tokens(unit),
        UnitPlace::Nowhere => quote! {
            let _ = (#callee, #device, #config, #(#arguments),*);
            ::core::unreachable!()
        },
    };
    let outer = attributes.iter().filter(|attribute| concerns_callers(attribute) || attribute.path().is_ident("allow"));
    quote! {
        #(#outer)*
        #[allow(clippy::too_many_arguments, elided_lifetimes_in_paths)]
        #visibility #safety fn #name<#(#generics),*>(
            #device: &::metal_oxide::Device,
            #config: impl ::metal_oxide::IntoLaunchConfig,
            #(#arguments: #passed),*
        ) -> ::metal_oxide::Launch<#returned_type> {
            #declared
            // What the expansion itself declares stands in an inner block, where the kernel's code does not see it.
            { #launch }
        }
    }
}

/// What makes the launch.
struct Launched<'a> {
    name: &'a Ident,
    callee: &'a TokenStream,
    parameters: &'a [Passed<'a>],
    /// The device and the configuration.
    ends: [&'a Ident; 2],
    returned: &'a TokenStream,
}

impl Launched<'_> {
    /// The items and statements that make the launch.
    fn tokens(&self, unit: &TokenStream) -> TokenStream {
        let Self { name, callee, parameters, ends: [device, config], returned } = self;
        let binder = Ident::new("binder", Span::mixed_site());
        let kernel_name = plain_name(name);
        // Where a type cannot be passed, rustc points at it.
        let place = |span: Span| Span::call_site().located_at(span);
        let taken = parameters.iter().enumerate().map(|(index, Passed { span, .. })| {
            let index = Index::from(index);
            quote_spanned!(place(*span)=> arguments.get(#index))
        });
        let bindings = parameters
            .iter()
            .map(|Passed { name, signature, span, .. }| quote_spanned!(place(*span)=> #binder.bind::<#signature, _>(&#name);));
        quote! {
            unsafe fn __metal_oxide_run_block(
                arguments: ::metal_oxide::__private::Arguments<'_>,
                block: &mut ::metal_oxide::__private::Block<'_>,
            ) {
                // SAFETY: the caller passes the arguments that are bound below, one for each parameter of the kernel and in their order.
                // What an unsafe kernel demands beyond that, the caller of the launch function has promised.
                block.for_each_thread(|| unsafe { #callee(#(#taken),*) })
            }
            // SAFETY: the function above takes the arguments as the parameters of the kernel that the unit was compiled from.
            static __METAL_OXIDE_KERNEL: ::metal_oxide::__private::Kernel =
                unsafe { ::metal_oxide::__private::Kernel::new(&#unit, #kernel_name, __metal_oxide_run_block) };
            let mut #binder = ::metal_oxide::__private::Binder::new(#device, #config, &__METAL_OXIDE_KERNEL);
            #(#bindings)*
            #binder.finish(#returned)
        }
    }
}

/// A name as it is outside of Rust's text.
fn plain_name(name: &Ident) -> String {
    let name = name.to_string();
    name.trim_start_matches("r#").to_owned()
}

/// The static that holds a unit, and what goes with it.
pub fn unit_static(name: &Ident, Embedded { unit, tracking }: &Embedded) -> TokenStream {
    quote! {
        #[doc(hidden)]
        static #name: ::metal_oxide::__private::Unit = #unit;
        #tracking
    }
}

/// A type parameter of the launch function for a buffer parameter of the kernel, named after it.
fn argument_type(name: &Ident, kind: ParameterKind) -> Option<Ident> {
    kind.is_buffer().then(|| Ident::new(&format!("Arg{}", camel_case(&name.to_string())), Span::call_site()))
}

/// Makes the names of type parameters unlike all others in the kernel: there, a type of that name would be another one.
fn rename_apart(parameters: &mut [Passed<'_>], mut taken: HashSet<String>) {
    for own in parameters.iter_mut().filter_map(|parameter| parameter.own.as_mut()) {
        let mut generic = own.to_string();
        while !taken.insert(generic.clone()) {
            generic.push('_');
        }
        *own = Ident::new(&generic, own.span());
    }
}

fn camel_case(name: &str) -> String {
    let words = name.trim_start_matches("r#").split('_');
    words
        .flat_map(|word| {
            let mut characters = word.chars();
            characters.next().into_iter().flat_map(char::to_uppercase).chain(characters)
        })
        .collect()
}

/// Whether an attribute speaks to those who call or read about the launch function, and not about the kernel's code.
fn concerns_callers(attribute: &Attribute) -> bool {
    ["doc", "cfg", "deprecated", "must_use"].iter().any(|name| attribute.path().is_ident(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn launch(kernel: &str) -> String {
        let kernel = syn::parse_str(kernel).expect("is a kernel");
        launch_function(&kernel, &Clauses::new(), &UnitPlace::Here(&Embedded::missing())).to_string()
    }

    #[track_caller]
    fn check_signature(kernel: &str, expected: &str) {
        let expanded = launch(kernel);
        let start = expanded.find("elided_lifetimes_in_paths)]").expect("has the attribute") + "elided_lifetimes_in_paths)]".len();
        let end = expanded.find('{').expect("has a body");
        let without_space = |text: &str| text.split_whitespace().collect::<String>();
        assert_eq!(without_space(&expanded[start..end]), without_space(expected));
    }

    #[test]
    fn buffers_are_generic_and_values_are_not() {
        check_signature(
            "pub fn scale(a: ReadBuffer<f32>, factor: f32, mut scaled_out: DisjointBuffer<f32>) {}",
            "pub fn scale<ArgA: ::metal_oxide::ArgumentFor<fn(ReadBuffer<f32>)>, ArgScaledOut: ::metal_oxide::ArgumentFor<fn(DisjointBuffer<f32>)> >(
                device: &::metal_oxide::Device, config: impl ::metal_oxide::IntoLaunchConfig, a: ArgA, factor: f32, scaled_out: ArgScaledOut
            ) -> ::metal_oxide::Launch<(ArgA, f32, ArgScaledOut)>",
        );
    }

    #[test]
    fn one_argument_is_no_tuple() {
        check_signature(
            "unsafe fn k(n: u32) {}",
            "unsafe fn k<>(device: &::metal_oxide::Device, config: impl ::metal_oxide::IntoLaunchConfig, n: u32) -> ::metal_oxide::Launch<u32>",
        );
        check_signature(
            "fn k() {}",
            "fn k<>(device: &::metal_oxide::Device, config: impl ::metal_oxide::IntoLaunchConfig,) -> ::metal_oxide::Launch<()>",
        );
    }

    #[test]
    fn type_parameters_do_not_capture_types_of_the_kernel() {
        let expanded = launch("fn k(a: ReadBuffer<ArgA>, r#in: ReadBuffer<u8>) { let b: ArgIn = 1; }");
        assert!(expanded.contains("a : ArgA_ , r#in : ArgIn_"), "{expanded}");
    }

    #[test]
    fn attributes_go_where_they_speak_to() {
        let expanded = launch("/// Docs.\n#[cfg(unix)] #[inline(never)] #[allow(dead_code)] fn k() {}");
        let (outer, inner) = expanded.split_once('{').expect("has a body");
        assert!(outer.contains("# [doc") && outer.contains("# [cfg (unix)]") && outer.contains("# [allow (dead_code)]"), "{outer}");
        assert!(inner.contains("# [inline (never)]") && inner.contains("# [allow (dead_code)]"), "{inner}");
        assert!(!outer.contains("inline") && !inner.contains("# [cfg"), "{expanded}");
    }
}
