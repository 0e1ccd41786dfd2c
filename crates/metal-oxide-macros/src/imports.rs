//! Chooses the imports that a kernel function takes along into its compilation unit: what leads into the device crate or `core`.
//!
//! Host modules import much that the device does not have. Such names are left out; if the kernel does use one, rustc reports it as
//! unknown at the place of its use, and the message says where helpers belong.

use std::collections::HashSet;

use proc_macro2::{TokenStream, TokenTree};
use syn::punctuated::Pair;
use syn::{ItemUse, UseTree};

/// Modules of `core` whose traits matter to kernels. What is imported from them is kept even when the kernel does not name it, since a
/// trait gives its methods without being named.
const KEPT: [&str; 26] = [
    "any", "array", "ascii", "cell", "char", "clone", "cmp", "convert", "default", "f32", "f64", "hint", "i32", "i64", "iter", "marker",
    "mem", "num", "ops", "option", "ptr", "result", "slice", "str", "u32", "u64",
];

/// Further modules of `core`. What is imported from them is kept when the kernel names it.
const KEPT_IF_NAMED: [&str; 17] = [
    "borrow",
    "error",
    "ffi",
    "fmt",
    "future",
    "hash",
    "i16",
    "i8",
    "intrinsics",
    "panic",
    "pin",
    "prelude",
    "primitive",
    "sync",
    "time",
    "u16",
    "u8",
];

/// Reduces the imports in scope of an item, given as one list for each scope from the innermost outwards, to those of its unit.
/// `mentioned` are the identifiers in the item.
pub fn for_unit(scopes: Vec<Vec<ItemUse>>, mentioned: &HashSet<String>) -> Vec<ItemUse> {
    let mut kept = Vec::new();
    let mut taken = HashSet::new();
    for scope in scopes {
        let mut bound = HashSet::new();
        for mut import in scope {
            let pruned = Pruner { mentioned, taken: &taken, bound: &mut bound, path: Vec::new() }.prune(&import.tree);
            if let Some(tree) = pruned {
                import.tree = tree;
                kept.push(import);
            }
        }
        // A name of an inner scope hides those further out, and the unit has one scope only.
        taken.extend(bound);
    }
    kept.sort_by_key(|import| import.use_token.span.start());
    kept
}

/// The identifiers among the tokens.
pub fn identifiers(tokens: TokenStream) -> HashSet<String> {
    let mut found = HashSet::new();
    collect_identifiers(tokens, &mut found);
    found
}

fn collect_identifiers(tokens: TokenStream, found: &mut HashSet<String>) {
    for token in tokens {
        match token {
            TokenTree::Ident(ident) => {
                found.insert(ident.to_string());
            }
            TokenTree::Group(group) => collect_identifiers(group.stream(), found),
            TokenTree::Punct(_) | TokenTree::Literal(_) => {}
        }
    }
}

struct Pruner<'a> {
    /// The identifiers in the item.
    mentioned: &'a HashSet<String>,
    /// The names that inner scopes bind.
    taken: &'a HashSet<String>,
    /// The names that this scope binds.
    bound: &'a mut HashSet<String>,
    /// The segments before the tree that is looked at.
    path: Vec<String>,
}

impl Pruner<'_> {
    fn prune(&mut self, tree: &UseTree) -> Option<UseTree> {
        match tree {
            UseTree::Path(path) => {
                self.path.push(path.ident.to_string());
                let inner = self.prune(&path.tree);
                self.path.pop();
                let mut path = path.clone();
                *path.tree = inner?;
                Some(UseTree::Path(path))
            }
            UseTree::Group(group) => {
                let mut group = group.clone();
                group.items = group
                    .items
                    .into_pairs()
                    .filter_map(|pair| {
                        let (tree, comma) = pair.into_tuple();
                        Some(Pair::new(self.prune(&tree)?, comma))
                    })
                    .collect();
                (!group.items.is_empty()).then_some(UseTree::Group(group))
            }
            UseTree::Name(name) => {
                let name = name.ident.to_string();
                // `use a::b::{self}` binds `b`.
                let bound = if name == "self" { self.path.last()?.clone() } else { name.clone() };
                self.keep(&name, Some(bound)).then(|| tree.clone())
            }
            UseTree::Rename(rename) => self.keep(&rename.ident.to_string(), Some(rename.rename.to_string())).then(|| tree.clone()),
            UseTree::Glob(_) => self.keep("*", None).then(|| tree.clone()),
        }
    }

    /// Whether to keep the import of this name, which binds the other one; a glob binds nothing that can be told.
    fn keep(&mut self, name: &str, bound: Option<String>) -> bool {
        let path: Vec<_> = self.path.iter().map(String::as_str).chain((name != "self").then_some(name)).collect();
        let named = bound.as_ref().is_some_and(|bound| self.mentioned.contains(bound));
        let keep = match path[..] {
            ["metal_oxide", "device" | "*", ..] => true,
            ["metal_oxide" | "core" | "std"] => named,
            ["core" | "std", module, ..] => KEPT.contains(&module) || (named && KEPT_IF_NAMED.contains(&module)),
            _ => false,
        };
        match bound {
            // Anonymous imports do not hide one another.
            Some(bound) if bound != "_" => {
                let hidden = self.taken.contains(&bound);
                if keep {
                    self.bound.insert(bound);
                }
                keep && !hidden
            }
            _ => keep,
        }
    }
}

#[cfg(test)]
mod tests {
    use quote::ToTokens;

    use super::*;

    /// The imports that are left of each scope, when the kernel has the given tokens.
    #[track_caller]
    fn check(scopes: &[&str], item: &str, expected: &str) {
        let parse = |scope: &&str| syn::parse_str::<syn::File>(scope).expect("parses").items;
        let scopes = scopes.iter().map(|scope| {
            let items = parse(scope).into_iter();
            items.map(|item| if let syn::Item::Use(item) = item { item } else { panic!("not an import") }).collect()
        });
        let kept = for_unit(scopes.collect(), &identifiers(item.parse().expect("lexes")));
        let text: Vec<_> = kept.iter().map(|import| import.to_token_stream().to_string().replace(" :: ", "::")).collect();
        assert_eq!(text.join(" "), expected);
    }

    #[test]
    fn what_leads_into_the_device_crate_stays() {
        check(
            &["use metal_oxide::device::{self, ReadBuffer, thread_index as index};"],
            "",
            "use metal_oxide::device::{ self , ReadBuffer , thread_index as index } ;",
        );
        check(
            &["use metal_oxide::device; use ::metal_oxide::*; use metal_oxide as mo;"],
            "mo",
            "use metal_oxide::device ; use::metal_oxide::* ; use metal_oxide as mo ;",
        );
        check(
            &["use metal_oxide::{Device, device::ReadBuffer, Operation}; use metal_oxide as mo;"],
            "Device",
            "use metal_oxide::{ device::ReadBuffer , } ;",
        );
    }

    #[test]
    fn what_the_host_alone_has_goes() {
        check(
            &["use metal_oxide::{Device, LaunchConfig}; use image::Rgb; use std::collections::HashMap; use std::io;"],
            "Device Rgb HashMap io",
            "",
        );
        check(&["use {image::Rgb, std::{ops::Range, fs::File}};"], "File", "use { std::{ ops::Range , } } ;");
    }

    #[test]
    fn core_stays_where_it_may_matter() {
        check(
            &["use core::ops::Add; use std::cmp::Ordering::*; use std::hash::Hash;"],
            "k",
            "use core::ops::Add ; use std::cmp::Ordering::* ;",
        );
        check(
            &["use std::hash::{Hash as H, Hasher}; use core::iter::Sum as _;"],
            "H",
            "use std::hash::{ Hash as H , } ; use core::iter::Sum as _ ;",
        );
    }

    #[test]
    fn inner_scopes_hide_outer_ones() {
        check(&["use core::cmp::max;", "use std::cmp::{max, min};"], "", "use core::cmp::max ; use std::cmp::{ min } ;");
        check(&["use core::ops::Add as _;", "use core::ops::Sub as _;"], "", "use core::ops::Add as _ ; use core::ops::Sub as _ ;");
    }
}
