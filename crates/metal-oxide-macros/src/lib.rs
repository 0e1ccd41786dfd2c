//! The attribute macros of metal-oxide.
//!
//! Use them through the crate `metal-oxide`, which re-exports them and which their expansions name.
//!
//! A macro turns a kernel function into a launch function, cuts the kernel out of its file as a compilation unit, and provides the unit's
//! artifact: a saved one that is fresh, or one that the kernel compiler makes now.

mod arguments;
mod artifact;
mod code;
mod codec;
mod compiler;
mod crate_kernel;
mod diagnostics;
mod environment;
mod imports;
mod kernel;
mod kernel_crate;
mod kernels;
mod launch;
mod layout;
mod own_lexer;
mod profile;
mod requires;
mod scope;
mod signature;
mod source;

use proc_macro::TokenStream;

/// Compiles a function for the GPU and turns it into a function that launches it.
///
/// The launch function has the kernel's name and visibility. It takes a device, a launch configuration and an argument for each of the
/// kernel's parameters, and returns a lazy operation that gives the arguments back once the kernel has run. A kernel that is an
/// `unsafe fn` has an `unsafe` launch function.
///
/// # `requires(…)`
///
/// What must hold between buffer lengths and integer parameters. It is checked before each launch, and the compiler relies on it to
/// leave out checks in the kernel. Clauses compare quantities with `==`, `<`, `<=`, `>` or `>=` and are joined by `&&` or commas. Quantities
/// are integer literals, integer parameters, `.len()` of buffer parameters, and sums and products of these; they are exact and never
/// overflow.
///
/// # What a kernel sees
///
/// The imports of its module that lead into `metal_oxide::device` or `core`, and nothing else of the crate around it. Types, constants and
/// helpers that kernels share belong into a [`macro@kernels`] module.
///
/// # Artifacts
///
/// The compiled kernel is saved in `metal/<file>/<name>-precise/` beside the crate's `Cargo.toml` and used as long as it fits the source.
/// The environment variable `METAL_OXIDE_ARTIFACTS` says how: `auto` compiles when there is no fresh artifact, `locked` never compiles,
/// `rebuild` always does.
#[proc_macro_attribute]
pub fn kernel(arguments: TokenStream, item: TokenStream) -> TokenStream {
    kernel::expand(arguments.into(), item.into()).into()
}

/// Compiles an inline module for the GPU: every function in it that is marked `#[kernel]` becomes a launch function, and all of them share
/// the module's types, constants and helpers.
///
/// The module stays a module of the host as well, with all its items.
///
/// # Arguments
///
/// `math = "fast"` permits fast functions, reassociation and contraction of floating-point arithmetic. The default, `"precise"`, follows
/// Rust exactly.
///
/// # Kernels in a crate of their own
///
/// `#[kernels(path = "../kernels")] mod kernels {}` loads a package in another folder, given from this package's folder: a `no_std`
/// library that depends on `metal-oxide-device` and marks its kernels with that crate's `#[kernel]`. Its dependencies are compiled for the
/// device alongside it. This package depends on it like on any other crate: the CPU device runs its functions. The module gets what the
/// crate exports, with a launch function in place of each kernel.
#[proc_macro_attribute]
pub fn kernels(arguments: TokenStream, item: TokenStream) -> TokenStream {
    kernels::expand(arguments.into(), item.into()).into()
}

/// Marks a kernel in a crate of kernels; see [`macro@kernels`]. The function itself stays as it is.
///
/// Use it as `metal_oxide_device::kernel`.
#[proc_macro_attribute]
pub fn crate_kernel(arguments: TokenStream, item: TokenStream) -> TokenStream {
    crate_kernel::expand(arguments.into(), item.into()).into()
}

/// Lets values of a record stand in buffers and be passed to kernels.
///
/// The record is `#[repr(C)]`, and all its fields are `GpuValue`s. Records that stand in a [`macro@kernels`] module and that its kernels take
/// need no derive.
#[proc_macro_derive(GpuValue)]
pub fn gpu_value(item: TokenStream) -> TokenStream {
    let record = syn::parse::<syn::ItemStruct>(item)
        .map_err(|error| code::RECORD.at(error.span(), "`GpuValue` can be derived for records only, which are `struct`s"));
    record.and_then(|record| codec::implement(&record)).unwrap_or_else(|error| error.to_compile_error()).into()
}
