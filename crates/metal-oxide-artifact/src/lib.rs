//! What a compiled kernel unit is on disk: requests, manifests, hashes and freshness.
//!
//! A *unit* is one annotated item of a user's crate. The macro describes it with a [`UnitRequest`], the kernel compiler answers
//! with a [`UnitResponse`], and the result is saved as a folder that holds a [`Manifest`] and the files it lists.

mod cache;
mod capability;
mod explanation;
mod folder;
mod hash;
mod kernel_crate;
mod manifest;
mod relation;
mod request;
mod toolchain;

pub use cache::{COMPILER_IDENTITY, Cache, InstalledCompiler, RustcCrates};
pub use capability::{BASELINE_MACOS, BASELINE_MSL, CAPABILITIES, Capability, MslVersion, capability, capability_table};
pub use explanation::{explained_codes, explanation};
pub use folder::{Artifact, IR_FILE, MANIFEST_FILE, METALLIB_FILE, MSL_FILE, SavedArtifact};
pub use hash::sha256;
pub use kernel_crate::{CrateBuild, CrateContents, CrateRequest, OwnPackage, PackageContents};
pub use manifest::{
    Argument, Builtin, FailureKind, FileEntry, Inputs, KernelAbi, KernelEntry, Layout, MANIFEST_SCHEMA, Manifest, Parameter, Site,
};
pub use relation::{Quantity, QuantityOverflow, Relation, RelationOperator};
pub use request::{Diagnostic, DiagnosticNote, KernelRequest, MathMode, Position, ReleaseProfile, UnitRequest, UnitResponse, UnitResult};
pub use toolchain::{SourcePackage, ToolchainPin};
