//! The pinned Rust release: the one place that says which `rustc` the kernel compiler is built from.
//! The facts stand in `toolchain-pin.json`; everything else, `rust-toolchain.toml` included, is checked against it.

use std::sync::LazyLock;

use serde::Deserialize;

/// The pinned release and where its sources are packaged.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ToolchainPin {
    /// The release, such as `1.95.0`.
    pub release: String,
    /// The full commit hash of the release.
    pub commit: String,
    /// The release's commit date, as `rustc -V` prints it.
    pub date: String,
    /// The Debian package that holds the sources of the compiler and the standard library.
    pub package: SourcePackage,
}

/// A Debian binary package.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SourcePackage {
    /// The package's name.
    pub name: String,
    /// The package's version.
    pub version: String,
    /// The suite that has this version.
    pub suite: String,
    /// SHA-256 of the package file, as lower-case hexadecimal digits.
    pub sha256: String,
}

impl ToolchainPin {
    /// The pin that this version of the project was built with.
    #[must_use]
    pub fn current() -> &'static Self {
        static PIN: LazyLock<ToolchainPin> = LazyLock::new(|| {
            // The file is part of this crate and parsed by its tests, so this cannot fail for a user.
            serde_json::from_str(include_str!("../toolchain-pin.json")).expect("toolchain-pin.json is well formed")
        });
        &PIN
    }

    /// The commit hash as `rustc -V` shortens it.
    #[must_use]
    pub fn short_commit(&self) -> &str {
        &self.commit[..9]
    }

    /// What `rustc -V` prints after the word `rustc`. Metadata of the standard library is refused when this differs.
    #[must_use]
    pub fn version_line(&self) -> String {
        format!("{} ({} {})", self.release, self.short_commit(), self.date)
    }

    /// The name that the cache gives to what is made from the packaged sources.
    #[must_use]
    pub fn source_key(&self) -> String {
        format!("{}-{}", self.release, &self.package.sha256[..12])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pin_is_well_formed() {
        let pin = ToolchainPin::current();
        assert_eq!(pin.commit.len(), 40);
        assert_eq!(pin.package.sha256.len(), 64);
        assert!(pin.package.version.starts_with(&pin.release));
        assert_eq!(pin.version_line(), "1.95.0 (59807616e 2026-04-14)");
        assert_eq!(pin.source_key(), "1.95.0-7b76db5b880a");
    }

    #[test]
    fn the_checkout_uses_the_pinned_toolchain() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../rust-toolchain.toml");
        // A published crate stands alone and has nothing to compare with.
        let Ok(text) = std::fs::read_to_string(path) else { return };
        let channel = format!("channel = \"{}\"", ToolchainPin::current().release);
        assert!(text.lines().any(|line| line.trim() == channel), "rust-toolchain.toml must say {channel}");
    }
}
