//! The manifest: everything the host must know about a compiled unit to check, bind and launch its kernels.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::{MathMode, Relation, ReleaseProfile};

/// The version of the manifest's form. A manifest with another number is stale.
pub const MANIFEST_SCHEMA: u32 = 1;

/// `manifest.json` in an artifact folder.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// See [`MANIFEST_SCHEMA`].
    pub schema: u32,
    /// The user's source file, relative to the package.
    pub file: PathBuf,
    /// The annotated item.
    pub item: String,
    /// The numerical mode of every kernel in the unit.
    pub math: MathMode,
    /// What the artifact was made from; the artifact is fresh when these equal today's.
    pub inputs: Inputs,
    /// The files beside the manifest, by name.
    pub files: BTreeMap<String, FileEntry>,
    /// The unit's kernels.
    pub kernels: Vec<KernelEntry>,
}

/// The content hashes and settings that decide freshness.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Inputs {
    /// SHA-256 of the compilation request, as lower-case hexadecimal digits.
    pub request: String,
    /// The kernel compiler's identity: its version and, in a development checkout, a hash of its sources.
    pub compiler: String,
    /// The release-profile settings.
    pub profile: ReleaseProfile,
}

/// A file of the artifact.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FileEntry {
    /// SHA-256 of the file, as lower-case hexadecimal digits.
    pub sha256: String,
}

/// One kernel.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KernelEntry {
    /// The name of the launch function.
    pub name: String,
    /// The name of the function in the MSL.
    pub entry: String,
    /// How to bind its arguments.
    pub abi: KernelAbi,
    /// What must hold before each launch.
    pub requires: Vec<Relation>,
    /// The checks that remain in the kernel; a failure record's site is an index into this list.
    pub sites: Vec<Site>,
    /// The device features it needs.
    pub features: Vec<String>,
}

/// How a kernel receives its arguments.
///
/// The MSL function's parameters are, in this order: the buffers by slot, `args` if `args_size` is not zero, the failure record if there
/// is a `failure_slot`, then the builtins.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KernelAbi {
    /// The Rust function's parameters, in order.
    pub parameters: Vec<Parameter>,
    /// The buffer slot of the argument block, where it is not empty.
    pub args_slot: Option<u32>,
    /// Bytes of the argument block (buffer lengths and by-value parameters), a multiple of its alignment.
    pub args_size: u32,
    /// The buffer slot of the failure record (32 bytes, zeroed before each launch), where the kernel has sites.
    pub failure_slot: Option<u32>,
    /// The thread coordinates the MSL function takes, in order.
    pub builtins: Vec<Builtin>,
    /// The kernel identifies threads by a linear index: its launch must have extents of one in Y and Z.
    pub linear: bool,
    /// Threads of a block wait for one another.
    pub cooperative: bool,
}

/// A parameter of the Rust function.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Parameter {
    /// Its name in the source.
    pub name: String,
    /// What it is and where it is bound.
    pub argument: Argument,
}

/// The ways of passing an argument.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Argument {
    /// A device buffer.
    Buffer {
        /// The buffer slot.
        slot: u32,
        /// Whether the kernel may write it.
        writable: bool,
        /// The element type's layout.
        element: Layout,
        /// Where its element count (`u64`) stands in the argument block, if the kernel uses it.
        length_offset: Option<u32>,
    },
    /// A value, copied into the argument block.
    Value {
        /// Where it stands in the argument block; absent if the kernel does not use it.
        offset: Option<u32>,
        /// The type's layout.
        layout: Layout,
    },
}

/// The layout of a type in memory shared between host and device.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Layout {
    /// The Rust type, for messages.
    pub name: String,
    /// Bytes, including padding at the end.
    pub size: u32,
    /// Alignment in bytes.
    pub align: u32,
}

/// A coordinate that the MSL function takes as a parameter. All are `uint3` unless noted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Builtin {
    /// `[[thread_position_in_grid]]`
    ThreadPositionInGrid,
    /// `[[thread_position_in_threadgroup]]`
    ThreadPositionInThreadgroup,
    /// `[[threadgroup_position_in_grid]]`
    ThreadgroupPositionInGrid,
    /// `[[threads_per_threadgroup]]`
    ThreadsPerThreadgroup,
    /// `[[threadgroups_per_grid]]`
    ThreadgroupsPerGrid,
    /// `[[thread_index_in_simdgroup]]`, a `uint`
    ThreadIndexInSimdgroup,
    /// `[[simdgroup_index_in_threadgroup]]`, a `uint`
    SimdgroupIndexInThreadgroup,
}

/// A place in the user's Rust where a kernel can fail.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Site {
    /// The source file.
    pub file: PathBuf,
    /// Line, from 1.
    pub line: u32,
    /// Column, from 1.
    pub column: u32,
    /// What failed.
    pub kind: FailureKind,
    /// The message where it is known at compile time (`panic!("...")`, `expect("...")`); otherwise empty.
    pub message: String,
}

/// The kinds of failure of a kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum FailureKind {
    /// An index was out of range.
    Bounds,
    /// A division or remainder by zero.
    DivisionByZero,
    /// Integer arithmetic overflowed.
    Overflow,
    /// `unwrap` or `expect` on `None` or `Err`.
    Unwrap,
    /// `assert!`, `panic!`, `unreachable!` and the like.
    Panic,
}
