//! Finds the kernels in a crate's sources: the public functions with the attribute, in the main file and the modules that it declares.

use std::path::{Path, PathBuf};

use quote::ToTokens;
use syn::{Attribute, Expr, Item, ItemMod, Lit, Meta, Visibility};

use crate::arguments::KernelArguments;
use crate::kernels::marks_kernel;
use crate::signature::KernelFunction;

/// A kernel of the crate.
pub struct CrateKernel {
    /// The modules that it stands in, from the crate's root.
    pub modules: Vec<String>,
    /// The function, without the attributes that mean nothing in another crate.
    pub function: KernelFunction,
    /// The arguments of its attribute.
    pub arguments: KernelArguments,
}

impl CrateKernel {
    /// Its name.
    pub fn name(&self) -> String {
        let name = self.function.signature.ident.to_string();
        name.trim_start_matches("r#").to_owned()
    }
}

/// The kernels of the crate with this main file, in their order. The error is a message for the user.
pub fn kernels(main: &Path) -> Result<Vec<CrateKernel>, String> {
    let mut search = Search { kernels: Vec::new() };
    let folder = main.parent().unwrap_or(main).to_path_buf();
    search.file(main, &Place { modules: Vec::new(), hidden: None, folder })?;
    let mut names: Vec<String> = search.kernels.iter().map(CrateKernel::name).collect();
    names.sort();
    match names.windows(2).find(|pair| pair[0] == pair[1]) {
        Some(pair) => Err(format!("two kernels of the crate have the name `{}`: errors of launches tell them apart by it", pair[0])),
        None => Ok(search.kernels),
    }
}

/// A module whose items are searched.
struct Place {
    modules: Vec<String>,
    /// A module on the way that is not public.
    hidden: Option<String>,
    /// Where the files of its modules stand.
    folder: PathBuf,
}

struct Search {
    kernels: Vec<CrateKernel>,
}

impl Search {
    fn file(&mut self, file: &Path, place: &Place) -> Result<(), String> {
        let text = std::fs::read_to_string(file).map_err(|error| format!("cannot read {}: {error}", file.display()))?;
        let parsed = syn::parse_file(&text).map_err(|error| format!("cannot understand {}: {error}", file.display()))?;
        self.items(parsed.items, place, file)
    }

    fn items(&mut self, items: Vec<Item>, place: &Place, file: &Path) -> Result<(), String> {
        for item in items {
            match item {
                Item::Fn(function) => {
                    if let Some(attribute) = function.attrs.iter().find(|attribute| marks_kernel(attribute)) {
                        let kernel = kernel(&function, attribute, place).map_err(|error| {
                            let name = &function.sig.ident;
                            format!("the kernel `{name}` of the crate is not understood: {error} ({})", file.display())
                        })?;
                        self.kernels.push(kernel);
                    }
                }
                Item::Mod(module) => self.module(module, place, file)?,
                _ => {}
            }
        }
        Ok(())
    }

    fn module(&mut self, module: ItemMod, place: &Place, file: &Path) -> Result<(), String> {
        if module.attrs.iter().any(is_test_only) {
            return Ok(());
        }
        let name = module.ident.to_string();
        let name = name.trim_start_matches("r#").to_owned();
        let hidden = match module.vis {
            Visibility::Public(_) => place.hidden.clone(),
            _ => place.hidden.clone().or_else(|| Some(name.clone())),
        };
        let modules = place.modules.iter().cloned().chain([name.clone()]).collect();
        let named = module.attrs.iter().find_map(path_attribute);
        if let Some((_, items)) = module.content {
            let inside = Place { modules, hidden, folder: place.folder.join(named.unwrap_or(name)) };
            return self.items(items, &inside, file);
        }
        let folder = place.folder.join(&name);
        let candidates = match named {
            // Such a path starts at the folder of the file that it stands in, whose own modules it treats like those of a `mod.rs`.
            Some(path) => vec![file.parent().unwrap_or(file).join(path)],
            None => vec![place.folder.join(format!("{name}.rs")), folder.join("mod.rs")],
        };
        match candidates.into_iter().find(|file| file.is_file()) {
            Some(found) => {
                let folder = if found.parent() == Some(&*place.folder) { folder } else { found.parent().unwrap_or(&folder).to_path_buf() };
                self.file(&found, &Place { modules, hidden, folder })
            }
            // It may be there for another configuration only; if not, rustc says so.
            None => Ok(()),
        }
    }
}

fn kernel(function: &syn::ItemFn, attribute: &Attribute, place: &Place) -> Result<CrateKernel, syn::Error> {
    let arguments = match &attribute.meta {
        Meta::List(list) => list.parse_args()?,
        _ => KernelArguments::default(),
    };
    if let Some(module) = &place.hidden {
        let message = format!("it stands in the private module `{module}`: make that `pub`");
        return Err(syn::Error::new_spanned(&function.sig.ident, message));
    }
    let mut kernel: KernelFunction = syn::parse2(function.to_token_stream())?;
    kernel.attributes.retain(|attribute| ["doc", "deprecated", "must_use"].iter().any(|name| attribute.path().is_ident(name)));
    Ok(CrateKernel { modules: place.modules.clone(), function: kernel, arguments })
}

/// The file that `#[path = "…"]` names.
fn path_attribute(attribute: &Attribute) -> Option<String> {
    let Meta::NameValue(value) = &attribute.meta else { return None };
    let Expr::Lit(literal) = &value.value else { return None };
    let Lit::Str(path) = &literal.lit else { return None };
    value.path.is_ident("path").then(|| path.value())
}

fn is_test_only(attribute: &Attribute) -> bool {
    let Meta::List(list) = &attribute.meta else { return false };
    list.path.is_ident("cfg") && list.tokens.to_string() == "test"
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    /// The kernels of a crate with these files, each with its modules, or the error.
    fn found(files: &[(&str, &str)]) -> Result<Vec<String>, String> {
        static NEXT: std::sync::atomic::AtomicU32 = std::sync::atomic::AtomicU32::new(0);
        let number = NEXT.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        let folder = std::env::temp_dir().join(format!("metal-oxide-sources-{}-{number}", std::process::id()));
        for (path, text) in files {
            let path = folder.join(path);
            fs::create_dir_all(path.parent().expect("has a parent")).expect("creates");
            fs::write(path, text).expect("writes");
        }
        let found = kernels(&folder.join("lib.rs"));
        fs::remove_dir_all(&folder).expect("removes");
        let path = |kernel: &CrateKernel| [&kernel.modules[..], &[kernel.name()]].concat().join("::");
        found.map(|kernels| kernels.iter().map(path).collect()).map_err(|error| error.replace(&folder.display().to_string(), "."))
    }

    #[test]
    fn kernels_are_found_in_all_kinds_of_modules() {
        let kernel = |name: &str| format!("#[metal_oxide_device::kernel] pub fn {name}() {{}}");
        let main = format!(
            "#![no_std] pub mod a; pub mod b; pub mod c {{ {} pub mod d; }} #[path = \"elsewhere/x.rs\"] pub mod e; {} fn helper() {{}} \
             #[cfg(test)] mod tests; #[cfg(windows)] pub mod absent;",
            kernel("in_c"),
            kernel("at_the_root")
        );
        let deep = format!("pub mod deep; {}", kernel("in_a"));
        let files = [
            ("lib.rs", &*main),
            ("a.rs", &*deep),
            ("a/deep.rs", &*kernel("in_deep")),
            ("b/mod.rs", &*kernel("in_b")),
            ("c/d.rs", &*kernel("in_d")),
            ("elsewhere/x.rs", &*format!("pub mod y; {}", kernel("in_x"))),
            ("elsewhere/y.rs", &*kernel("in_y")),
        ];
        let expected = ["a::deep::in_deep", "a::in_a", "b::in_b", "c::in_c", "c::d::in_d", "e::y::in_y", "e::in_x", "at_the_root"];
        assert_eq!(found(&files), Ok(expected.map(str::to_owned).to_vec()));
    }

    #[test]
    fn kernels_that_cannot_be_launched_are_explained() {
        let error = found(&[("lib.rs", "mod inner { #[kernel] pub fn k() {} }")]);
        assert_eq!(
            error,
            Err("the kernel `k` of the crate is not understood: it stands in the private module `inner`: make that `pub` (./lib.rs)".into())
        );
        let error = found(&[("lib.rs", "pub mod a { #[kernel] pub fn k() {} } #[kernel] pub fn k() {}")]);
        assert!(error.is_err_and(|error| error.starts_with("two kernels of the crate have the name `k`")));
        assert!(found(&[("lib.rs", "fn (")]).is_err_and(|error| error.starts_with("cannot understand ./lib.rs")));
    }
}
