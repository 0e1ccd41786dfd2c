//! What the macro asks of the kernel compiler, and what comes back. Both travel as JSON.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::{Inputs, Manifest, Relation, sha256};

/// Everything the compiler needs to compile one unit without dependencies of its own.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct UnitRequest {
    /// The user's source file, as it should appear in diagnostics and failure sites (relative to the package where possible).
    pub file: PathBuf,
    /// The unit's text: every token stands at the line and column it has in `file`.
    pub text: String,
    /// The Rust edition of the user's package, such as `2024`.
    pub edition: String,
    /// The features of the user's package that are on and that the text mentions, for `cfg(feature = "…")`.
    pub features: Vec<String>,
    /// The annotated item's path in the package, such as `vec_add` or `shapes.area`.
    pub item: String,
    /// The kernels to compile.
    pub kernels: Vec<KernelRequest>,
    /// How floating point may be optimised.
    pub math: MathMode,
    /// The parts of the release profile that change what kernels do.
    pub profile: ReleaseProfile,
}

impl UnitRequest {
    /// What an artifact made by the given compiler from this request depends on.
    #[must_use]
    pub fn inputs(&self, compiler: &str) -> Inputs {
        // The profile is compared by itself, so that a changed setting is not reported as a changed kernel.
        let without_profile = Self { profile: ReleaseProfile::default(), ..self.clone() };
        let json = serde_json::to_vec(&without_profile).expect("a request has string keys only");
        Inputs { request: sha256(&json), compiler: compiler.to_owned(), profile: self.profile }
    }
}

/// One kernel of a unit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct KernelRequest {
    /// The name of the launch function.
    pub name: String,
    /// The function's path inside the unit's crate, such as `vec_add` or `shapes::area`.
    pub path: String,
    /// What the host promises before each launch.
    pub requires: Vec<Relation>,
}

/// Whether floating point follows Rust exactly.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum MathMode {
    /// IEEE results, no contraction, no reassociation.
    #[default]
    Precise,
    /// Fast functions, reassociation and contraction.
    Fast,
}

/// The release-profile settings that kernels are built with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReleaseProfile {
    /// `overflow-checks`: integer overflow is a kernel failure instead of wrapping.
    pub overflow_checks: bool,
    /// `debug-assertions`: `debug_assert!` is compiled in.
    pub debug_assertions: bool,
}

/// The compiler's answer, printed to standard output.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum UnitResponse {
    /// The unit compiled.
    Compiled(Box<UnitResult>),
    /// The unit was rejected, for these reasons (at least one).
    Rejected(Vec<Diagnostic>),
}

/// The outcome of a successful compilation. The caller computes hashes and writes the files.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct UnitResult {
    /// The manifest, with `files` and `inputs` still empty.
    pub manifest: Manifest,
    /// The Metal Shading Language of all kernels.
    pub msl: String,
    /// The optimised intermediate representation, in its text form.
    pub ir: String,
}

/// A message about the user's code.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Diagnostic {
    /// A stable code: `MO0012` of this project, or `E0308` of rustc. Empty for a rustc error that has none.
    pub code: String,
    /// What is wrong, in one sentence without a full stop.
    pub message: String,
    /// Where, in the unit's file; absent only when the problem has no place there.
    pub position: Option<Position>,
    /// The text to put under the primary span.
    pub label: String,
    /// Further places and explanations: the call path, the origin of a value, what to write instead.
    pub notes: Vec<DiagnosticNote>,
}

/// A remark that belongs to a diagnostic.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DiagnosticNote {
    /// `note` or `help`.
    pub level: String,
    /// The remark.
    pub message: String,
    /// The place it speaks of, if it has one.
    pub position: Option<Position>,
}

/// A range in a source file. Lines and columns count from 1; columns count characters.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Position {
    /// The file, as in [`UnitRequest::file`] when it is the user's.
    pub file: PathBuf,
    /// First line.
    pub line: u32,
    /// First column.
    pub column: u32,
    /// Last line.
    pub end_line: u32,
    /// The column after the last character.
    pub end_column: u32,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request() -> UnitRequest {
        UnitRequest {
            file: "src/main.rs".into(),
            text: "fn vec_add() {}".into(),
            edition: "2024".into(),
            features: Vec::new(),
            item: "vec_add".into(),
            kernels: vec![KernelRequest { name: "vec_add".into(), path: "vec_add".into(), requires: Vec::new() }],
            math: MathMode::Precise,
            profile: ReleaseProfile::default(),
        }
    }

    #[test]
    fn inputs_follow_the_request() {
        let inputs = request().inputs("0.1.0");
        assert_eq!(inputs, request().inputs("0.1.0"));
        let changed = UnitRequest { text: "\nfn vec_add() {}".into(), ..request() };
        assert_ne!(changed.inputs("0.1.0").request, inputs.request);
        let changed = UnitRequest { math: MathMode::Fast, ..request() };
        assert_ne!(changed.inputs("0.1.0").request, inputs.request);
    }

    #[test]
    fn the_profile_is_told_apart_from_the_kernel() {
        let checked = UnitRequest { profile: ReleaseProfile { overflow_checks: true, debug_assertions: false }, ..request() };
        assert_eq!(checked.inputs("0.1.0").request, request().inputs("0.1.0").request);
        assert_ne!(checked.inputs("0.1.0"), request().inputs("0.1.0"));
    }

    #[test]
    fn answers_travel_as_json() {
        let rejected: UnitResponse = serde_json::from_str(
            r#"{"rejected": [{"code": "MO0012", "message": "recursion", "position": null, "label": "", "notes": []}]}"#,
        )
        .expect("parses");
        let UnitResponse::Rejected(diagnostics) = rejected else { panic!("not a rejection") };
        assert_eq!(diagnostics[0].code, "MO0012");
    }
}
