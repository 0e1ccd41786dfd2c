//! `#[kernels]` on an inline module: a unit with several kernels, and the types, constants and helpers that they share.

use metal_oxide_artifact::{KernelRequest, MathMode};
use proc_macro2::{Delimiter, Group, Ident, TokenStream, TokenTree};
use quote::{ToTokens, format_ident, quote};
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::{Attribute, Error, Item, Meta, Result, Token, Visibility};

use crate::arguments::{KernelArguments, KernelsArguments};
use crate::artifact::{Embedded, Unit, provide};
use crate::code::{ATTRIBUTE, SETTINGS};
use crate::codec::implement_used;
use crate::environment::{Build, is_editor};
use crate::kernel::with_errors;
use crate::kernel_crate;
use crate::launch::{UnitPlace, launch_function, unit_static};
use crate::requires::relations;
use crate::signature::KernelFunction;
use crate::source::Source;

/// Expands the attribute with these arguments on this item.
pub fn expand(arguments: TokenStream, item: TokenStream) -> TokenStream {
    let editor = is_editor();
    if let Ok(KernelsArguments { math, path: Some(path) }) = syn::parse2(arguments.clone()) {
        return kernel_crate::expand(math, &path, &item);
    }
    let (math, module) = match parse(arguments, &item) {
        Ok(parsed) => parsed,
        Err(_) if editor => return without_kernel_attributes(item),
        Err(error) => return with_errors(without_kernel_attributes(item), &[error]),
    };
    let (codecs, errors) = module.codecs();
    let embedded = match editor {
        true => Ok(Embedded::missing()),
        false if errors.is_empty() => artifact(math, &item, &module),
        false => Err(errors),
    };
    match embedded {
        Ok(embedded) => module.host_tokens(Some(&embedded), &codecs),
        Err(errors) => with_errors(module.host_tokens(None, &codecs), &errors),
    }
}

fn parse(arguments: TokenStream, item: &TokenStream) -> Result<(MathMode, Module)> {
    let KernelsArguments { math, .. } = syn::parse2(arguments)?;
    Ok((math, syn::parse2(item.clone())?))
}

fn artifact(math: MathMode, item: &TokenStream, module: &Module) -> std::result::Result<Embedded, Vec<Error>> {
    let one = |error: Error| vec![error];
    let name = &module.name;
    let mut kernels = Vec::new();
    let mut errors = Vec::new();
    for part in &module.parts {
        if let Part::Kernel { function, arguments } = part {
            match relations(&arguments.requires, &function.parameters) {
                Ok(requires) => {
                    let kernel = function.signature.ident.to_string();
                    kernels.push(KernelRequest { path: format!("{name}::{kernel}"), name: kernel, requires });
                }
                Err(error) => errors.push(error),
            }
        }
    }
    if !errors.is_empty() {
        return Err(errors);
    }
    let build = Build::current().map_err(|message| vec![SETTINGS.at(name.span(), message)])?;
    let source = Source::of(name, item, &build).map_err(one)?;
    let text = source.module_unit(module.unit_tokens(), name).map_err(one)?;
    provide(Unit { name, item, text, is_module: true, kernels, math }, &source, &build)
}

/// An inline module with kernels.
struct Module {
    attributes: Vec<Attribute>,
    visibility: Visibility,
    keyword: Token![mod],
    name: Ident,
    /// The braces.
    body: Group,
    inner_attributes: Vec<Attribute>,
    parts: Vec<Part>,
}

/// An item of the module.
enum Part {
    Kernel { function: Box<KernelFunction>, arguments: KernelArguments },
    Other(Box<Item>),
}

impl Parse for Module {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let attributes = input.call(Attribute::parse_outer)?;
        let visibility = input.parse()?;
        if input.peek(Token![fn]) || input.peek(Token![unsafe]) {
            return Err(
                ATTRIBUTE.at(input.span(), "`#[kernels]` belongs on a module; the attribute for a function is `#[metal_oxide::kernel]`")
            );
        }
        if !input.peek(Token![mod]) {
            return Err(ATTRIBUTE.at(input.span(), "`#[kernels]` belongs on a module"));
        }
        let keyword = input.parse()?;
        let name: Ident = input.parse()?;
        if input.peek(Token![;]) {
            return Err(ATTRIBUTE
                .at(name.span(), "the items of a `#[kernels]` module stand between its braces: a macro cannot see those in another file"));
        }
        let body = match input.parse()? {
            TokenTree::Group(body) if body.delimiter() == Delimiter::Brace => body,
            other => return Err(ATTRIBUTE.at(other.span(), "expected the braces of the module")),
        };
        let content = |input: ParseStream<'_>| {
            let inner = input.call(Attribute::parse_inner)?;
            let mut parts = Vec::new();
            while !input.is_empty() {
                parts.push(input.parse()?);
            }
            Ok((inner, parts))
        };
        let (inner_attributes, parts) = syn::parse::Parser::parse2(content, body.stream())?;
        let module = Self { attributes, visibility, keyword, name, body, inner_attributes, parts };
        if !module.parts.iter().any(|part| matches!(part, Part::Kernel { .. })) {
            return Err(ATTRIBUTE.at(module.name.span(), "the module has no kernels: mark the functions to launch with `#[kernel]`"));
        }
        Ok(module)
    }
}

impl Parse for Part {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let ahead = input.fork();
        let attributes = ahead.call(Attribute::parse_outer)?;
        if let Some(index) = attributes.iter().position(marks_kernel) {
            let arguments = match &attributes[index].meta {
                Meta::Path(_) => KernelArguments::default(),
                Meta::List(list) => list.parse_args()?,
                Meta::NameValue(value) => return Err(ATTRIBUTE.on(value, "`#[kernel]` has one argument: `requires(…)`")),
            };
            let mut function: KernelFunction = input.parse()?;
            function.attributes.remove(index);
            return Ok(Self::Kernel { function: Box::new(function), arguments });
        }
        let item: Item = input.parse()?;
        if let Item::Mod(module) = &item {
            refuse_kernels(module.to_token_stream())?;
        }
        Ok(Self::Other(Box::new(item)))
    }
}

impl Module {
    /// What remains of the module on the host: its items as they are, a launch function for each kernel, and their unit if there is one.
    fn host_tokens(&self, embedded: Option<&Embedded>, codecs: &TokenStream) -> TokenStream {
        let Self { attributes, visibility, keyword, name, body, inner_attributes, parts } = self;
        let unit_name = format_ident!("__METAL_OXIDE_UNIT");
        let unit = embedded.map(|embedded| unit_static(&unit_name, embedded));
        let unit_path = unit_name.to_token_stream();
        let place = if embedded.is_some() { UnitPlace::Static(&unit_path) } else { UnitPlace::Nowhere };
        let parts = parts.iter().map(|part| match part {
            Part::Kernel { function, arguments } => launch_function(function, &arguments.requires, &place),
            Part::Other(item) => item.to_token_stream(),
        });
        let content = regroup(body, quote!(#(#inner_attributes)* #unit #(#parts)* #codecs));
        quote!(#(#attributes)* #visibility #keyword #name #content)
    }

    /// What lets the host put the module's records into buffers and pass them to its kernels.
    fn codecs(&self) -> (TokenStream, Vec<Error>) {
        let items = self.parts.iter().filter_map(|part| match part {
            Part::Other(item) => Some(&**item),
            Part::Kernel { .. } => None,
        });
        let functions = self.parts.iter().filter_map(|part| match part {
            Part::Kernel { function, .. } => Some(&function.parameters),
            Part::Other(_) => None,
        });
        implement_used(items, functions.flatten().map(|parameter| &parameter.ty))
    }

    /// The module as it stands in a compilation unit.
    fn unit_tokens(&self) -> TokenStream {
        let Self { keyword, name, body, parts, .. } = self;
        let parts = parts.iter().map(|part| match part {
            Part::Kernel { function, .. } => function.unit_tokens(),
            Part::Other(item) => device_tokens(item),
        });
        let content = regroup(body, quote!(#(#parts)*));
        quote!(#keyword #name #content)
    }
}

/// The group with other contents, at the same place.
pub fn regroup(group: &Group, content: TokenStream) -> Group {
    let mut regrouped = Group::new(group.delimiter(), content);
    regrouped.set_span(group.span());
    regrouped
}

/// Whether an attribute marks a kernel. The path before the last segment is the user's choice: the crate may have been renamed.
pub fn marks_kernel(attribute: &Attribute) -> bool {
    attribute.path().segments.last().is_some_and(|segment| segment.ident == "kernel")
}

/// An item as it stands in a compilation unit.
fn device_tokens(item: &Item) -> TokenStream {
    let mut item = item.clone();
    match &mut item {
        Item::Struct(item) => retain_core_derives(&mut item.attrs),
        Item::Enum(item) => retain_core_derives(&mut item.attrs),
        Item::Union(item) => retain_core_derives(&mut item.attrs),
        _ => {}
    }
    item.to_token_stream()
}

/// Leaves out the derives that `core` does not have, such as those of a serialisation library: they speak to the host.
fn retain_core_derives(attributes: &mut [Attribute]) {
    const CORE: [&str; 9] = ["Clone", "Copy", "Debug", "Default", "Eq", "Hash", "Ord", "PartialEq", "PartialOrd"];
    for attribute in attributes.iter_mut().filter(|attribute| attribute.path().is_ident("derive")) {
        let Meta::List(list) = &mut attribute.meta else { continue };
        let Ok(derives) = list.parse_args_with(Punctuated::<syn::Path, Token![,]>::parse_terminated) else { continue };
        let kept = derives.into_pairs().filter(|pair| {
            let path = pair.value();
            let starts_in_core =
                path.segments.len() == 1 || path.segments.first().is_some_and(|first| first.ident == "core" || first.ident == "std");
            starts_in_core && path.segments.last().is_some_and(|last| CORE.iter().any(|name| last.ident == name))
        });
        list.tokens = kept.collect::<Punctuated<syn::Path, Token![,]>>().to_token_stream();
    }
}

/// Kernels of a nested module would be units of their own, which the module around them cannot share anything with.
fn refuse_kernels(module: TokenStream) -> Result<()> {
    let tokens: Vec<_> = module.into_iter().collect();
    for (index, token) in tokens.iter().enumerate() {
        if let Some(attribute) = kernel_attribute(&tokens[index..]) {
            return Err(ATTRIBUTE.on(attribute, "a kernel of a `#[kernels]` module stands directly in it, not in a module inside"));
        }
        if let TokenTree::Group(group) = token {
            refuse_kernels(group.stream())?;
        }
    }
    Ok(())
}

/// The item as it is, but for the attributes that only have a meaning in a module that was understood.
fn without_kernel_attributes(item: TokenStream) -> TokenStream {
    let tokens: Vec<_> = item.into_iter().collect();
    let mut kept = TokenStream::new();
    let mut index = 0;
    while let Some(token) = tokens.get(index) {
        if kernel_attribute(&tokens[index..]).is_some() {
            index += 2;
            continue;
        }
        kept.extend([match token {
            TokenTree::Group(group) => regroup(group, without_kernel_attributes(group.stream())).into(),
            other => other.clone(),
        }]);
        index += 1;
    }
    kept
}

/// The brackets of an attribute that marks a kernel, if one stands first.
fn kernel_attribute(tokens: &[TokenTree]) -> Option<&Group> {
    let [TokenTree::Punct(hash), TokenTree::Group(group), ..] = tokens else { return None };
    let attribute = TokenStream::from_iter(tokens[..2].iter().cloned());
    let found = hash.as_char() == '#' && group.delimiter() == Delimiter::Bracket;
    let parsed = found.then(|| syn::parse::Parser::parse2(Attribute::parse_outer, attribute).ok()).flatten()?;
    parsed.iter().any(marks_kernel).then_some(group)
}
