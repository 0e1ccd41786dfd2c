//! What Cargo knows about a crate of kernels: its name here, its sources, its features, and all that it depends on.
//!
//! `cargo metadata` tells, without a network and without changing the lock file: the build around this process has just resolved the
//! same dependencies.

use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::environment::Build;
use crate::profile::workspace_above_output;
use crate::source::relative;

/// The package of a crate of kernels.
pub struct Package {
    /// The package's name.
    pub name: String,
    /// Cargo's identifier for it.
    pub id: String,
    /// The crate's name in its own code.
    pub library: String,
    /// The crate's name in the code of the package with the launch functions.
    pub extern_name: String,
    /// The crate's main file.
    pub main: PathBuf,
    /// Whether it belongs to the workspace that is being built.
    pub is_member: bool,
    /// The features that the package with the launch functions asks for.
    pub features: Vec<String>,
    /// Whether it asks for the default features too.
    pub default_features: bool,
    /// The manifest whose dependencies were resolved.
    pub manifest: PathBuf,
    /// The package and those that it depends on, itself first, as Cargo describes them.
    pub closure: Vec<Value>,
}

/// The package that holds the functions of the device. Kernels get the one that belongs to the kernel compiler.
const DEVICE_PACKAGE: &str = "metal-oxide-device";

impl Package {
    /// Finds the package in a folder. The error is a message for the user.
    pub fn find(root: &Path, build: &Build) -> Result<Self, String> {
        let manifest = manifest(build);
        let metadata = metadata(build, &manifest)?;
        let packages: HashMap<&str, &Value> =
            array(&metadata["packages"]).filter_map(|package| Some((package["id"].as_str()?, package))).collect();
        let at = |folder: &Path| packages.values().copied().find(|package| folder_of(package).is_some_and(|found| same(found, folder)));
        let user = at(&build.package).ok_or_else(|| format!("Cargo does not know the package in {}", build.package.display()))?;
        let package = at(root).ok_or_else(|| missing_dependency(user, root, build))?;

        let nodes: HashMap<&str, &Value> =
            array(&metadata["resolve"]["nodes"]).filter_map(|node| Some((node["id"].as_str()?, node))).collect();
        let node = |package: &Value| nodes.get(package["id"].as_str().unwrap_or_default()).copied().unwrap_or(&Value::Null);
        let edge = array(&node(user)["deps"]).find(|edge| edge["pkg"] == package["id"] && has_kind(edge, &["normal", "dev"]));
        let edge = edge.ok_or_else(|| missing_dependency(user, root, build))?;
        let target = library(package).ok_or_else(|| format!("the package `{}` has no library", text(&package["name"])))?;
        let (features, default_features) = asked_features(user, package);
        Ok(Self {
            name: text(&package["name"]),
            id: text(&package["id"]),
            library: text(&target["name"]).replace('-', "_"),
            extern_name: text(&edge["name"]),
            main: PathBuf::from(text(&target["src_path"])),
            is_member: array(&metadata["workspace_members"]).any(|member| *member == package["id"]),
            features,
            default_features,
            manifest,
            closure: closure(package, &packages, node),
        })
    }

    /// The main file, relative to the package with the launch functions.
    pub fn relative_main(&self, build: &Build) -> PathBuf {
        relative(&self.main, &build.package)
    }

    /// The main file, as the host's rustc names it: from the workspace's folder on where it stands in there.
    pub fn spelled_main(&self, build: &Build) -> PathBuf {
        let strip = |folder: &Path| self.main.strip_prefix(folder).ok().map(Path::to_path_buf);
        let folder = &build.working_folder;
        strip(folder).or_else(|| strip(&folder.canonicalize().ok()?)).unwrap_or_else(|| self.main.clone())
    }
}

/// The manifest that the build around this process resolved the dependencies of.
fn manifest(build: &Build) -> PathBuf {
    let own = build.package.join("Cargo.toml");
    if build.primary { own } else { workspace_above_output(build).unwrap_or(own) }
}

fn metadata(build: &Build, manifest: &Path) -> Result<Value, String> {
    let cargo = build.cargo.as_deref().unwrap_or(Path::new("cargo"));
    let mut command = Command::new(cargo);
    command.args(["metadata", "--format-version=1", "--frozen", "--quiet", "--filter-platform"]).arg(host()?);
    command.arg("--manifest-path").arg(manifest).stdin(Stdio::null());
    let output = command.output().map_err(|error| format!("cannot start {}: {error}", cargo.display()))?;
    if !output.status.success() {
        let errors = String::from_utf8_lossy(&output.stderr);
        return Err(format!("Cargo does not tell what the crate of kernels depends on:\n{}", errors.trim_end()));
    }
    serde_json::from_slice(&output.stdout).map_err(|error| format!("Cargo prints metadata that cannot be read: {error}"))
}

/// The platform of this process. Packages that only others need may not have been downloaded.
fn host() -> Result<String, String> {
    let rustc = crate::environment::rustc();
    let output = Command::new(&rustc).arg("-vV").output().map_err(|error| format!("cannot start {}: {error}", rustc.display()))?;
    let text = String::from_utf8_lossy(&output.stdout);
    let host = text.lines().find_map(|line| line.strip_prefix("host: "));
    host.map(str::to_owned).ok_or_else(|| format!("{} does not tell its host", rustc.display()))
}

fn missing_dependency(user: &Value, root: &Path, build: &Build) -> String {
    let path = relative(root, &build.package);
    let user = text(&user["name"]);
    let name = super::editor::manifest_names(root).map_or_else(|| "kernels".to_owned(), |names| names.package);
    format!(
        "the package `{user}` does not depend on the crate of kernels\n\
         help: add `{name} = {{ path = \"{}\" }}` to its dependencies: the CPU device runs the crate's functions",
        path.display()
    )
}

/// The features that a package asks of another one, and whether it asks for the default ones.
fn asked_features(user: &Value, package: &Value) -> (Vec<String>, bool) {
    let root = folder_of(package);
    let is_edge = |dependency: &&Value| {
        dependency["name"] == package["name"]
            && dependency["kind"] != "build"
            && dependency["path"].as_str().is_none_or(|path| root.is_some_and(|root| same(root, Path::new(path))))
    };
    let edges: Vec<&Value> = array(&user["dependencies"]).filter(is_edge).collect();
    let features: BTreeSet<String> = edges.iter().flat_map(|edge| array(&edge["features"]).map(text)).collect();
    (features.into_iter().collect(), edges.iter().any(|edge| edge["uses_default_features"] == true))
}

/// The packages that end up in device code, or in programs that run while it is built.
fn closure<'a>(package: &'a Value, packages: &HashMap<&str, &'a Value>, node: impl Fn(&Value) -> &'a Value) -> Vec<Value> {
    let mut found: Vec<&Value> = vec![package];
    let mut next = 0;
    while let Some(&package) = found.get(next) {
        next += 1;
        for edge in array(&node(package)["deps"]).filter(|edge| has_kind(edge, &["normal", "build"])) {
            let Some(&dependency) = edge["pkg"].as_str().and_then(|id| packages.get(id)) else { continue };
            if dependency["name"] != DEVICE_PACKAGE && found.iter().all(|known| known["id"] != dependency["id"]) {
                found.push(dependency);
            }
        }
    }
    found.into_iter().cloned().collect()
}

/// Whether a dependency is of one of these kinds. Cargo calls the normal kind `null`.
fn has_kind(edge: &Value, kinds: &[&str]) -> bool {
    array(&edge["dep_kinds"]).any(|kind| kinds.contains(&kind["kind"].as_str().unwrap_or("normal")))
}

fn library(package: &Value) -> Option<&Value> {
    array(&package["targets"]).find(|target| array(&target["kind"]).any(|kind| kind == "lib" || kind == "rlib"))
}

/// The folder of a package's manifest.
pub fn folder_of(package: &Value) -> Option<&Path> {
    Path::new(package["manifest_path"].as_str()?).parent()
}

fn same(left: &Path, right: &Path) -> bool {
    left == right || left.canonicalize().ok().zip(right.canonicalize().ok()).is_some_and(|(left, right)| left == right)
}

/// The elements of what should be an array.
pub fn array(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

/// What should be a text.
pub fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}
