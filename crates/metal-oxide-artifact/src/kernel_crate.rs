//! What the macro asks of the kernel compiler about kernels that stand in a crate of their own. The answer is that to any unit.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::{Inputs, KernelRequest, MathMode, ReleaseProfile, sha256};

/// Everything the compiler needs to compile the kernels of a crate, together with what the crate depends on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CrateRequest {
    /// What is compiled. This decides the result.
    pub contents: CrateContents,
    /// Where things stand on this machine, and who builds them.
    pub build: CrateBuild,
}

/// What a crate of kernels is made of.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CrateContents {
    /// The crate's main file, relative to the package with the launch functions.
    pub file: PathBuf,
    /// The path of the annotated module in that package.
    pub item: String,
    /// The crate's name in Rust code.
    pub name: String,
    /// The kernels to compile; their paths begin inside the crate.
    pub kernels: Vec<KernelRequest>,
    /// How floating point may be optimised.
    pub math: MathMode,
    /// The parts of the release profile that change what kernels do.
    pub profile: ReleaseProfile,
    /// The features of the crate that the package with the launch functions asks for.
    pub features: Vec<String>,
    /// Whether it asks for the default features too.
    pub default_features: bool,
    /// The crate's package and all that it depends on, the crate's own first.
    pub packages: Vec<PackageContents>,
}

/// A package that a crate of kernels is made of.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct PackageContents {
    /// Its name.
    pub name: String,
    /// Its version.
    pub version: String,
    /// The registry or the commit that it comes from, which never changes its contents. `None` for a package of the user's.
    pub source: Option<String>,
    /// What a package of the user's holds at this moment.
    pub own: Option<OwnPackage>,
}

/// A package that stands among the user's files.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct OwnPackage {
    /// Its folder, relative to the package with the launch functions.
    pub folder: PathBuf,
    /// SHA-256 of its files and of what its manifest means.
    pub sha256: String,
}

/// Who builds a crate of kernels, and where.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CrateBuild {
    /// Cargo.
    pub cargo: PathBuf,
    /// The rustc of the build around this one.
    pub rustc: PathBuf,
    /// The manifest whose dependencies are resolved: that of the package with the launch functions.
    pub manifest: PathBuf,
    /// The crate's package, in the form that `cargo check --package` takes.
    pub package: String,
    /// Whether that package belongs to the same workspace, so that Cargo lets its features be chosen.
    pub is_member: bool,
    /// A target folder that no other build locks.
    pub target: PathBuf,
}

impl CrateRequest {
    /// What an artifact made by the given compiler from this request depends on.
    #[must_use]
    pub fn inputs(&self, compiler: &str) -> Inputs {
        // The profile is compared by itself, as it is for units.
        let without_profile = CrateContents { profile: ReleaseProfile::default(), ..self.contents.clone() };
        let json = serde_json::to_vec(&without_profile).expect("a request has string keys only");
        Inputs { request: sha256(&json), compiler: compiler.to_owned(), profile: self.contents.profile }
    }
}

impl PackageContents {
    /// The name under which the kernel compiler reports the package's files.
    #[must_use]
    pub fn shown_as(name: &str, version: &str) -> String {
        // An absolute path that is no file's: nobody takes it for one of the user's own.
        format!("/cargo/{name}-{version}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request() -> CrateRequest {
        CrateRequest {
            contents: CrateContents {
                file: "../kernels/src/lib.rs".into(),
                item: "kernels".into(),
                name: "kernels".into(),
                kernels: vec![KernelRequest { name: "sine".into(), path: "waves::sine".into(), requires: Vec::new() }],
                math: MathMode::Precise,
                profile: ReleaseProfile::default(),
                features: Vec::new(),
                default_features: true,
                packages: vec![PackageContents {
                    name: "kernels".into(),
                    version: "0.1.0".into(),
                    source: None,
                    own: Some(OwnPackage { folder: "../kernels".into(), sha256: sha256(b"") }),
                }],
            },
            build: CrateBuild {
                cargo: "/bin/cargo".into(),
                rustc: "/bin/rustc".into(),
                manifest: "/project/app/Cargo.toml".into(),
                package: "kernels".into(),
                is_member: true,
                target: "/project/target/metal-oxide".into(),
            },
        }
    }

    #[test]
    fn inputs_follow_the_contents_and_not_the_place() {
        let inputs = request().inputs("0.1.0");
        let mut moved = request();
        moved.build.manifest = "/elsewhere/app/Cargo.toml".into();
        assert_eq!(moved.inputs("0.1.0"), inputs);
        let mut changed = request();
        changed.contents.packages[0].own = Some(OwnPackage { folder: "../kernels".into(), sha256: sha256(b"fn") });
        assert_ne!(changed.inputs("0.1.0").request, inputs.request);
        let mut checked = request();
        checked.contents.profile.overflow_checks = true;
        assert_eq!(checked.inputs("0.1.0").request, inputs.request);
        assert_ne!(checked.inputs("0.1.0"), inputs);
    }
}
