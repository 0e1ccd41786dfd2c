//! What each device feature needs of a Metal installation and a GPU, as data: the one table that the compiler, the runtime and the
//! documentation read.

/// The Metal Shading Language version that every kernel is compiled as, whatever its features need.
pub const BASELINE_MSL: MslVersion = MslVersion { major: 3, minor: 2 };

/// The macOS release that every kernel needs.
pub const BASELINE_MACOS: u32 = 15;

/// A version of the Metal Shading Language.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MslVersion {
    /// The number before the dot.
    pub major: u32,
    /// The number after the dot.
    pub minor: u32,
}

impl std::fmt::Display for MslVersion {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "{}.{}", self.major, self.minor)
    }
}

/// A device feature that an artifact may require, and where it exists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Capability {
    /// Its name in [`KernelEntry::features`](crate::KernelEntry::features).
    pub name: &'static str,
    /// The first version of the Metal Shading Language that has it.
    pub msl: MslVersion,
    /// The first macOS release that has it.
    pub macos: u32,
    /// The first Apple GPU family that has it.
    pub apple_family: u32,
    /// Whether the Mac 2 family (Intel and AMD GPUs) has it.
    pub mac2: bool,
}

/// Every feature, in the order in which the documentation shows them.
pub const CAPABILITIES: &[Capability] = &[
    row("float32_atomics", (3, 0), 13, 7, false),
    // Minimum and maximum in device memory, without the previous value.
    row("uint64_atomics", (2, 4), 12, 8, false),
    row("atomic_acquire_release", (4, 1), 27, 7, false),
    row("int32_atomics", (1, 0), 11, 1, true),
    row("simd_groups", (2, 0), 11, 7, true),
    row("simdgroup_matrix", (2, 3), 11, 7, false),
    row("dynamic_threadgroup_memory", (1, 0), 11, 1, true),
    row("logging", (3, 2), 15, 6, true),
    row("bfloat16", (3, 1), 14, 6, false),
];

const fn row(name: &'static str, (major, minor): (u32, u32), macos: u32, apple_family: u32, mac2: bool) -> Capability {
    Capability { name, msl: MslVersion { major, minor }, macos, apple_family, mac2 }
}

/// The feature with this name.
#[must_use]
pub fn capability(name: &str) -> Option<&'static Capability> {
    CAPABILITIES.iter().find(|capability| capability.name == name)
}

/// The table as the documentation shows it, in Markdown.
#[must_use]
pub fn capability_table() -> String {
    let mut table = String::from("| Artifact feature | MSL | macOS | Apple GPU family | Mac2 |\n| --- | --- | --- | --- | --- |\n");
    for Capability { name, msl, macos, apple_family, mac2 } in CAPABILITIES {
        let mac2 = if *mac2 { "yes" } else { "no" };
        table.push_str(&format!("| {name} | {msl} | {macos} | {apple_family} | {mac2} |\n"));
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_and_found() {
        for (index, row) in CAPABILITIES.iter().enumerate() {
            assert_eq!(capability(row.name), Some(row));
            assert!(CAPABILITIES[..index].iter().all(|other| other.name != row.name), "{} stands twice", row.name);
        }
        assert_eq!(capability("ray_tracing"), None);
    }

    #[test]
    fn the_documented_table() {
        assert_eq!(
            capability_table(),
            "\
| Artifact feature | MSL | macOS | Apple GPU family | Mac2 |
| --- | --- | --- | --- | --- |
| float32_atomics | 3.0 | 13 | 7 | no |
| uint64_atomics | 2.4 | 12 | 8 | no |
| atomic_acquire_release | 4.1 | 27 | 7 | no |
| int32_atomics | 1.0 | 11 | 1 | yes |
| simd_groups | 2.0 | 11 | 7 | yes |
| simdgroup_matrix | 2.3 | 11 | 7 | no |
| dynamic_threadgroup_memory | 1.0 | 11 | 1 | yes |
| logging | 3.2 | 15 | 6 | yes |
| bfloat16 | 3.1 | 14 | 6 | no |
"
        );
    }

    #[test]
    fn versions_compare_by_number() {
        assert!(MslVersion { major: 2, minor: 10 } > MslVersion { major: 2, minor: 4 });
        assert!(capability("atomic_acquire_release").is_some_and(|row| row.msl > BASELINE_MSL && row.macos > BASELINE_MACOS));
    }
}
