//! What a kernel function looks like to the macro: its signature in full, its body as one opaque group of tokens.
//! Signatures that no kernel can have are rejected here, where the error can point at the offending token.

use proc_macro2::{Group, Ident, TokenStream, TokenTree};
use quote::ToTokens;
use syn::parse::{Parse, ParseStream};
use syn::{Attribute, FnArg, Pat, Result, ReturnType, Signature, Type, Visibility};

use crate::code::SIGNATURE;

/// A function that may be a kernel.
pub struct KernelFunction {
    /// Its attributes, without this project's own.
    pub attributes: Vec<Attribute>,
    /// Its visibility.
    pub visibility: Visibility,
    /// Everything between the visibility and the body.
    pub signature: Signature,
    /// The parameters, which [`Signature::inputs`] holds in Rust's form.
    pub parameters: Vec<Parameter>,
    /// The body with its braces.
    pub body: Group,
}

/// A parameter of a kernel.
pub struct Parameter {
    /// Its name.
    pub name: Ident,
    /// Its type.
    pub ty: Type,
    /// How it is passed.
    pub kind: ParameterKind,
}

/// What the macro knows about a parameter's type, from its spelling.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParameterKind {
    /// A `ReadBuffer`.
    Read,
    /// A `DisjointBuffer`.
    Disjoint,
    /// A primitive integer, by value.
    Integer,
    /// Anything else, by value.
    Value,
}

impl Parse for KernelFunction {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let attributes = input.call(Attribute::parse_outer)?;
        let visibility = input.parse()?;
        let signature: Signature = input.parse()?;
        let body = match input.parse()? {
            TokenTree::Group(body) => body,
            other => return Err(SIGNATURE.on(other, "a kernel has a body")),
        };
        check(&signature)?;
        let parameters = signature.inputs.iter().map(parameter).collect::<Result<_>>()?;
        Ok(Self { attributes, visibility, signature, parameters, body })
    }
}

impl KernelFunction {
    /// The function as it stands in a compilation unit: without attributes, since those that reach here speak to the host, and without
    /// visibility, since its module may not exist there.
    pub fn unit_tokens(&self) -> TokenStream {
        let mut tokens = self.signature.to_token_stream();
        self.body.to_tokens(&mut tokens);
        tokens
    }
}

impl ParameterKind {
    /// Judges by the last segment of the type's path, as nothing is resolved yet.
    fn of(ty: &Type) -> Self {
        const INTEGERS: [&str; 10] = ["u8", "u16", "u32", "u64", "usize", "i8", "i16", "i32", "i64", "isize"];
        match ty {
            Type::Path(path) => match path.path.segments.last() {
                Some(segment) if segment.ident == "ReadBuffer" => Self::Read,
                Some(segment) if segment.ident == "DisjointBuffer" => Self::Disjoint,
                Some(segment) if segment.arguments.is_empty() && INTEGERS.iter().any(|name| segment.ident == name) => Self::Integer,
                _ => Self::Value,
            },
            Type::Paren(paren) => Self::of(&paren.elem),
            Type::Group(group) => Self::of(&group.elem),
            _ => Self::Value,
        }
    }

    /// Whether the host passes a buffer for it.
    pub fn is_buffer(self) -> bool {
        matches!(self, Self::Read | Self::Disjoint)
    }
}

fn check(signature: &Signature) -> Result<()> {
    let refuse = |tokens: &dyn ToTokens, message: &str| Err(SIGNATURE.on(tokens.to_token_stream(), message));
    if let Some(token) = &signature.constness {
        return refuse(token, "a kernel cannot be `const`: it runs on the GPU");
    }
    if let Some(token) = &signature.asyncness {
        return refuse(token, "a kernel cannot be `async`: its launch function returns an operation that can be awaited");
    }
    if let Some(abi) = &signature.abi {
        return refuse(abi, "a kernel cannot have an ABI of its own: write a plain `fn`");
    }
    if let Some(lifetime) = signature.generics.lifetimes().next() {
        return refuse(lifetime, "a kernel has no lifetime parameters: leave the lifetimes out");
    }
    if let Some(parameter) = signature.generics.params.first() {
        return refuse(
            parameter,
            "generic kernels are not supported yet: write a generic helper and one kernel for each type that calls it",
        );
    }
    if let Some(clause) = &signature.generics.where_clause {
        return refuse(clause, "a kernel has no type parameters, so it needs no `where` clause");
    }
    if let Some(variadic) = &signature.variadic {
        return refuse(variadic, "a kernel's parameters are fixed");
    }
    match &signature.output {
        ReturnType::Default => Ok(()),
        ReturnType::Type(_, ty) if matches!(&**ty, Type::Tuple(tuple) if tuple.elems.is_empty()) => Ok(()),
        ReturnType::Type(_, ty) => {
            refuse(ty, "a kernel returns nothing: every thread writes its results to a buffer, such as a `DisjointBuffer<f32>`")
        }
    }
}

fn parameter(argument: &FnArg) -> Result<Parameter> {
    let typed = match argument {
        FnArg::Receiver(receiver) => return Err(SIGNATURE.on(receiver, "a kernel is a free function: it has no `self`")),
        FnArg::Typed(typed) => typed,
    };
    let name = match &*typed.pat {
        Pat::Ident(pattern) if pattern.by_ref.is_none() && pattern.subpat.is_none() => pattern.ident.clone(),
        other => {
            return Err(SIGNATURE.on(other, "a kernel's parameter is a plain name, as it is a parameter of the launch function too"));
        }
    };
    match &*typed.ty {
        Type::Reference(reference) if reference.mutability.is_some() => Err(SIGNATURE
            .on(reference, "a kernel cannot take a reference: take a `DisjointBuffer<T>`, which gives each thread its own element")),
        Type::Reference(reference) => Err(SIGNATURE.on(
            reference,
            "a kernel cannot take a reference: take a `ReadBuffer<T>` and call `as_slice()` on it, or take the value itself",
        )),
        Type::ImplTrait(ty) => Err(SIGNATURE.on(ty, "a kernel's parameters have concrete types")),
        ty => Ok(Parameter { name, ty: ty.clone(), kind: ParameterKind::of(ty) }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(parameters: &str) -> Vec<ParameterKind> {
        let function: KernelFunction = syn::parse_str(&format!("fn k({parameters}) {{}}")).expect("is a kernel");
        function.parameters.iter().map(|parameter| parameter.kind).collect()
    }

    fn rejected(function: &str) -> String {
        let Err(error) = syn::parse_str::<KernelFunction>(function) else { panic!("`{function}` was accepted") };
        let (start, end) = (error.span().start().column, error.span().end().column);
        let message = error.to_string();
        let message = message.strip_suffix(" [MO0042]").expect("has the code");
        format!("{}: {}", &function[start..end], message.split(':').next().unwrap_or_default())
    }

    #[test]
    fn kinds_follow_the_last_path_segment() {
        use ParameterKind::{Disjoint, Integer, Read, Value};
        assert_eq!(kinds("a: ReadBuffer<f32>, b: metal_oxide::device::ReadBuffer<u8>"), [Read, Read]);
        assert_eq!(kinds("mut out: device::DisjointBuffer<f32>"), [Disjoint]);
        assert_eq!(kinds("n: u32, m: core::primitive::i64, x: f32, p: Params, q: [u32; 2]"), [Integer, Integer, Value, Value, Value]);
    }

    #[test]
    fn functions_that_are_no_kernels() {
        assert_eq!(rejected("const fn k() {}"), "const: a kernel cannot be `const`");
        assert_eq!(rejected("async fn k() {}"), "async: a kernel cannot be `async`");
        assert_eq!(rejected("extern \"C\" fn k() {}"), "extern \"C\": a kernel cannot have an ABI of its own");
        assert_eq!(rejected("fn k<'a>(a: ReadBuffer<'a, f32>) {}"), "'a: a kernel has no lifetime parameters");
        assert_eq!(rejected("fn k<T>() {}"), "T: generic kernels are not supported yet");
        assert_eq!(rejected("fn k() -> u32 { 1 }"), "u32: a kernel returns nothing");
        assert_eq!(rejected("fn k(self) {}"), "self: a kernel is a free function");
        assert_eq!(
            rejected("fn k((a, b): (u32, u32)) {}"),
            "(a, b): a kernel's parameter is a plain name, as it is a parameter of the launch function too"
        );
        assert_eq!(rejected("fn k(a: &[f32]) {}"), "&[f32]: a kernel cannot take a reference");
        assert_eq!(rejected("fn k(a: &mut [f32]) {}"), "&mut [f32]: a kernel cannot take a reference");
        assert_eq!(rejected("fn k(a: impl Copy) {}"), "impl Copy: a kernel's parameters have concrete types");
    }
}
