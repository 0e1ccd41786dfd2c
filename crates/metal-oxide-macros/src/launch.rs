//! Generates the launch function: the kernel's name and visibility, with a device and a launch configuration in front of its parameters.
//!
//! The kernel itself becomes a function inside the launch function, with the user's tokens at the user's places. The CPU device runs it.

use std::collections::HashSet;

use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Attribute, Index, Type};

use crate::artifact::Embedded;
use crate::imports::identifiers;
use crate::signature::{KernelFunction, Parameter};

/// Where the launch function finds the unit that holds its kernel.
pub enum UnitPlace<'a> {
    /// Inside itself.
    Here(&'a Embedded),
    /// In a static of the module around it.
    Static(&'a Ident),
    /// Nowhere: the kernel was rejected. The build fails, and the launch function only keeps others from failing for the lack of it.
    Nowhere,
}

/// The launch function of a kernel.
pub fn launch_function(kernel: &KernelFunction, place: &UnitPlace<'_>) -> TokenStream {
    let KernelFunction { attributes, visibility, signature, parameters, body } = kernel;
    let (name, safety) = (&signature.ident, &signature.safety);
    let [device, config] = ["device", "config"].map(|name| Ident::new(name, Span::mixed_site()));
    let arguments: Vec<_> = parameters.iter().map(|parameter| &parameter.name).collect();
    let types: Vec<_> = parameters.iter().map(|parameter| &parameter.ty).collect();

    let own_types = argument_types(kernel);
    let passed: Vec<_> =
        own_types.iter().zip(&types).map(|(own, ty)| own.as_ref().map_or_else(|| quote!(#ty), |own| quote!(#own))).collect();
    let generics =
        own_types.iter().zip(&types).filter_map(|(own, ty)| own.as_ref().map(|own| quote!(#own: ::metal_oxide::ArgumentFor<fn(#ty)>)));
    // One argument comes back by itself, several as a tuple.
    let (returned_type, returned) = match (&passed[..], &arguments[..]) {
        ([ty], [argument]) => (ty.clone(), quote!(#argument)),
        _ => (quote!((#(#passed),*)), quote!((#(#arguments),*))),
    };

    let launch = match place {
        UnitPlace::Here(embedded) => {
            let unit_name = format_ident!("__METAL_OXIDE_UNIT");
            let (unit, launch) = (unit_static(&unit_name, embedded), launch(kernel, &unit_name, [&device, &config], &returned));
            quote!(#unit #launch)
        }
        UnitPlace::Static(unit_name) => launch(kernel, unit_name, [&device, &config], &returned),
        UnitPlace::Nowhere => quote! {
            let _ = (#name, #device, #config, #(#arguments),*);
            ::core::unreachable!()
        },
    };
    let outer = attributes.iter().filter(|attribute| concerns_callers(attribute) || attribute.path().is_ident("allow"));
    let inner = attributes.iter().filter(|attribute| !concerns_callers(attribute));
    quote! {
        #(#outer)*
        #[allow(clippy::too_many_arguments, elided_lifetimes_in_paths)]
        #visibility #safety fn #name<#(#generics),*>(
            #device: &::metal_oxide::Device,
            #config: impl ::metal_oxide::IntoLaunchConfig,
            #(#arguments: #passed),*
        ) -> ::metal_oxide::Launch<#returned_type> {
            #(#inner)*
            #[allow(clippy::too_many_arguments, elided_lifetimes_in_paths)]
            #signature #body
            // What the expansion itself declares stands in an inner block, where the kernel's code does not see it.
            { #launch }
        }
    }
}

/// The items and statements that make the launch.
fn launch(kernel: &KernelFunction, unit: &Ident, [device, config]: [&Ident; 2], returned: &TokenStream) -> TokenStream {
    let name = &kernel.signature.ident;
    let binder = Ident::new("binder", Span::mixed_site());
    let kernel_name = name.to_string();
    let kernel_name = kernel_name.trim_start_matches("r#");
    // Where a type cannot be passed, rustc points at it.
    let place = |ty: &Type| Span::call_site().located_at(ty.span());
    let taken = kernel.parameters.iter().enumerate().map(|(index, Parameter { ty, .. })| {
        let index = Index::from(index);
        quote_spanned!(place(ty)=> arguments.get(#index))
    });
    let bindings =
        kernel.parameters.iter().map(|Parameter { name, ty, .. }| quote_spanned!(place(ty)=> #binder.bind::<fn(#ty), _>(&#name);));
    quote! {
        unsafe fn __metal_oxide_run_block(
            arguments: ::metal_oxide::__private::Arguments<'_>,
            block: &mut ::metal_oxide::__private::Block<'_>,
        ) {
            // SAFETY: the caller passes the arguments that are bound below, one for each parameter of the kernel and in their order. What
            // an unsafe kernel demands beyond that, the caller of the launch function has promised.
            block.for_each_thread(|| unsafe { #name(#(#taken),*) })
        }
        // SAFETY: the function above takes the arguments as the parameters of the kernel that the unit was compiled from.
        static __METAL_OXIDE_KERNEL: ::metal_oxide::__private::Kernel =
            unsafe { ::metal_oxide::__private::Kernel::new(&#unit, #kernel_name, __metal_oxide_run_block) };
        let mut #binder = ::metal_oxide::__private::Binder::new(#device, #config, &__METAL_OXIDE_KERNEL);
        #(#bindings)*
        #binder.finish(#returned)
    }
}

/// The static that holds a unit, and what goes with it.
pub fn unit_static(name: &Ident, Embedded { unit, tracking }: &Embedded) -> TokenStream {
    quote! {
        #[doc(hidden)]
        static #name: ::metal_oxide::__private::Unit = #unit;
        #tracking
    }
}

/// A type parameter of the launch function for each buffer parameter of the kernel, named after it. Their names are unlike all others in
/// the kernel: there, a type of that name would be another one.
fn argument_types(kernel: &KernelFunction) -> Vec<Option<Ident>> {
    let mut taken: HashSet<_> = identifiers(kernel.unit_tokens());
    let mut name = |Parameter { name, kind, .. }: &Parameter| {
        kind.is_buffer().then(|| {
            let mut generic = format!("Arg{}", camel_case(&name.to_string()));
            while !taken.insert(generic.clone()) {
                generic.push('_');
            }
            Ident::new(&generic, Span::call_site())
        })
    };
    kernel.parameters.iter().map(&mut name).collect()
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
        launch_function(&kernel, &UnitPlace::Here(&Embedded::missing())).to_string()
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
