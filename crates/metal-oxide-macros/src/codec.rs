//! Implements `GpuValue` for records: their fields in order, as C lays them out, encoded and decoded one by one.
//!
//! `#[derive(GpuValue)]` asks for it by name. A `#[kernels]` module does it for the records that its kernels take.

use std::collections::HashSet;

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::punctuated::Punctuated;
use syn::{Attribute, Error, Fields, Item, ItemStruct, Meta, Path, Result, Token, Type};

use crate::code::RECORD;
use crate::imports::identifiers;

/// The implementation for a record.
pub fn implement(record: &ItemStruct) -> Result<TokenStream> {
    check(record)?;
    Ok(implementation(record))
}

fn implementation(record: &ItemStruct) -> TokenStream {
    let name = &record.ident;
    let types: Vec<_> = record.fields.iter().map(|field| &field.ty).collect();
    let members: Vec<_> = record.fields.members().collect();
    quote! {
        // SAFETY: the fields lie in order, each at the next multiple of its alignment, as C does it; and in place only where this host
        // agrees. Zeros are valid in every field, so they are in the record, and no field holds a pointer.
        #[automatically_derived]
        unsafe impl ::metal_oxide::GpuValue for #name {
            const SIZE: ::core::primitive::usize = {
                let mut end = 0;
                #(end = <::core::primitive::usize>::next_multiple_of(end, <#types as ::metal_oxide::GpuValue>::ALIGN) + <#types as ::metal_oxide::GpuValue>::SIZE;)*
                <::core::primitive::usize>::next_multiple_of(end, <Self as ::metal_oxide::GpuValue>::ALIGN)
            };
            const ALIGN: ::core::primitive::usize = {
                let mut align = 1;
                #(if <#types as ::metal_oxide::GpuValue>::ALIGN > align { align = <#types as ::metal_oxide::GpuValue>::ALIGN; })*
                align
            };
            const IN_PLACE: ::core::primitive::bool = {
                let mut agrees = ::core::mem::size_of::<Self>() == <Self as ::metal_oxide::GpuValue>::SIZE
                    && ::core::mem::align_of::<Self>() == <Self as ::metal_oxide::GpuValue>::ALIGN;
                let mut start = 0;
                #(
                    start = <::core::primitive::usize>::next_multiple_of(start, <#types as ::metal_oxide::GpuValue>::ALIGN);
                    agrees = agrees && <#types as ::metal_oxide::GpuValue>::IN_PLACE && ::core::mem::offset_of!(Self, #members) == start;
                    start += <#types as ::metal_oxide::GpuValue>::SIZE;
                )*
                let _ = start;
                agrees
            };

            fn encode(self, bytes: &mut [::core::primitive::u8]) {
                let mut start = 0;
                #(
                    start = <::core::primitive::usize>::next_multiple_of(start, <#types as ::metal_oxide::GpuValue>::ALIGN);
                    ::metal_oxide::GpuValue::encode(self.#members, &mut bytes[start..start + <#types as ::metal_oxide::GpuValue>::SIZE]);
                    start += <#types as ::metal_oxide::GpuValue>::SIZE;
                )*
                let _ = start;
            }

            fn decode(bytes: &[::core::primitive::u8]) -> Self {
                let mut end = 0;
                // Fields are initialised in the order in which they stand here.
                let value = Self {
                    #(#members: {
                        let start = <::core::primitive::usize>::next_multiple_of(end, <#types as ::metal_oxide::GpuValue>::ALIGN);
                        end = start + <#types as ::metal_oxide::GpuValue>::SIZE;
                        <#types as ::metal_oxide::GpuValue>::decode(&bytes[start..end])
                    },)*
                };
                let _ = end;
                value
            }
        }
    }
}

/// The implementations for those records among a module's items that the types of its kernels' parameters mention, directly or through
/// the fields of other records. And the errors about records that cannot be passed.
pub fn implement_used<'a>(
    items: impl Iterator<Item = &'a Item> + Clone,
    parameters: impl Iterator<Item = &'a Type>,
) -> (TokenStream, Vec<Error>) {
    let implemented: HashSet<_> = items.clone().filter_map(implemented_by_hand).collect();
    let mut records: Vec<_> = items
        .filter_map(|item| match item {
            Item::Struct(record) if !derives_codec(&record.attrs) && !implemented.contains(&record.ident.to_string()) => Some(record),
            _ => None,
        })
        .collect();
    let mut mentioned: HashSet<String> = parameters.flat_map(|ty| identifiers(ty.to_token_stream())).collect();
    let (mut codecs, mut errors) = (TokenStream::new(), Vec::new());
    // A record's fields may mention further records, in any order.
    while let Some(index) = records.iter().position(|record| mentioned.contains(&record.ident.to_string())) {
        let record = records.remove(index);
        mentioned.extend(record.fields.iter().flat_map(|field| identifiers(field.ty.to_token_stream())));
        errors.extend(check(record).err());
        // Without an implementation, rustc would complain wherever the record is used.
        if record.generics.params.is_empty() {
            codecs.extend(implementation(record));
        }
    }
    (codecs, errors)
}

fn check(record: &ItemStruct) -> Result<()> {
    let name = &record.ident;
    if let Some(parameter) = record.generics.params.first() {
        return Err(RECORD.on(parameter, format!("`{name}` is passed to kernels, which a generic record cannot be yet")));
    }
    if matches!(record.fields, Fields::Unit) || record.fields.is_empty() {
        return Err(RECORD.on(name, format!("`{name}` is passed to kernels, so it needs a field: Metal has no empty records")));
    }
    let attributes = record.fields.iter().flat_map(|field| &field.attrs);
    if let Some(attribute) = attributes.into_iter().find(|attribute| attribute.path().is_ident("cfg")) {
        let message = format!("`{name}` is passed to kernels, so its fields are the same everywhere: they cannot be conditional");
        return Err(RECORD.on(attribute, message));
    }
    let representations: Vec<_> = record.attrs.iter().filter(|attribute| attribute.path().is_ident("repr")).collect();
    match representations[..] {
        [attribute] if attribute.parse_args::<Path>().is_ok_and(|path| path.is_ident("C")) => Ok(()),
        [] => {
            Err(RECORD
                .on(name, format!("`{name}` is passed to kernels, so the order of its fields has to be fixed: put `#[repr(C)]` on it")))
        }
        [attribute, ..] => {
            Err(RECORD.on(attribute, format!("`{name}` is passed to kernels, where records are laid out by `#[repr(C)]` and nothing else")))
        }
    }
}

/// Whether `GpuValue` is among the derives.
fn derives_codec(attributes: &[Attribute]) -> bool {
    attributes.iter().filter(|attribute| attribute.path().is_ident("derive")).any(|attribute| {
        let Meta::List(list) = &attribute.meta else { return false };
        let derives = list.parse_args_with(Punctuated::<Path, Token![,]>::parse_terminated);
        derives.is_ok_and(|derives| derives.iter().any(is_codec))
    })
}

/// The type for which an item implements `GpuValue`.
fn implemented_by_hand(item: &Item) -> Option<String> {
    let Item::Impl(item) = item else { return None };
    let implements = item.trait_.as_ref().is_some_and(|implemented| is_codec(&implemented.0));
    match &*item.self_ty {
        Type::Path(path) if implements => path.path.segments.last().map(|segment| segment.ident.to_string()),
        _ => None,
    }
}

fn is_codec(path: &Path) -> bool {
    path.segments.last().is_some_and(|segment| segment.ident == "GpuValue")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The records of a module for which kernels with these parameter types need codecs.
    fn used(module: &str, parameters: &str) -> Result<Vec<String>> {
        let items = syn::parse_str::<syn::File>(module)?.items;
        let parameters = syn::parse::Parser::parse_str(Punctuated::<Type, Token![,]>::parse_terminated, parameters)?;
        let codecs: syn::File = {
            let (codecs, errors) = implement_used(items.iter(), parameters.iter());
            errors.into_iter().next().map_or(Ok(()), Err)?;
            syn::parse2(codecs)?
        };
        let names = codecs.items.iter().map(|item| match item {
            Item::Impl(item) => item.self_ty.to_token_stream().to_string(),
            _ => unreachable!("only implementations are made"),
        });
        Ok(names.collect())
    }

    #[test]
    fn records_of_the_interface_are_found() {
        let module = "
            #[repr(C)] struct Inner { x: f32 }
            #[repr(C)] struct Outer { inner: [Inner; 2], y: u32 }
            #[repr(C)] struct Tuple(f32, u8);
            #[repr(C)] struct Unused { x: f32 }
            struct Local { x: f32 }
        ";
        assert!(used(module, "ReadBuffer<Outer>, u32, Tuple").is_ok_and(|names| names == ["Outer", "Inner", "Tuple"]));
        assert!(used(module, "u32").is_ok_and(|names| names.is_empty()));
    }

    #[test]
    fn those_with_a_codec_are_left_alone() {
        let module = "
            #[derive(Clone, Copy, metal_oxide::GpuValue)] #[repr(C)] struct Derived { x: f32 }
            struct Manual { x: f32 }
            unsafe impl metal_oxide::GpuValue for Manual {}
        ";
        assert!(used(module, "Derived, Manual").is_ok_and(|names| names.is_empty()));
    }

    #[test]
    fn records_that_cannot_be_passed() {
        let rejected = |module: &str| {
            used(module, "S").map_err(|error| error.to_string().trim_end_matches(" [MO0043]").to_owned()).expect_err("cannot be passed")
        };
        assert_eq!(
            rejected("struct S { x: f32 }"),
            "`S` is passed to kernels, so the order of its fields has to be fixed: put `#[repr(C)]` on it"
        );
        assert!(
            rejected("#[repr(C, packed)] struct S { x: f32 }").ends_with("where records are laid out by `#[repr(C)]` and nothing else")
        );
        assert!(rejected("#[repr(C)] struct S<T> { x: T }").ends_with("which a generic record cannot be yet"));
        assert!(rejected("#[repr(C)] struct S {}").ends_with("Metal has no empty records"));
        assert!(rejected("#[repr(C)] struct S { #[cfg(unix)] x: f32 }").ends_with("they cannot be conditional"));
    }
}
