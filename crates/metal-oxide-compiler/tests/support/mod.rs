//! What the tests of the importer share: a device library that is built once, and requests made of plain text.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use metal_oxide_artifact::{Cache, KernelRequest, MathMode, ReleaseProfile, ToolchainPin, UnitRequest};
use metal_oxide_compiler::library::{self, LibraryRequest};

/// The device library, built on the first call and reused by later runs of the tests.
pub fn device_library() -> &'static Path {
    static LIBRARY: OnceLock<PathBuf> = OnceLock::new();
    LIBRARY.get_or_init(|| {
        let out = Path::new(env!("CARGO_TARGET_TMPDIR")).join("library");
        let device = Path::new(env!("CARGO_MANIFEST_DIR")).join("../metal-oxide-device");
        let request = LibraryRequest { source: rust_library(), device, out: out.clone() };
        library::build(&request).unwrap_or_else(|message| panic!("{message}"));
        out
    })
}

/// Rust's `library` folder: rustup's `rust-src`, or the sources that `cargo metal setup` has unpacked.
fn rust_library() -> PathBuf {
    let sysroot = Command::new("rustc").args(["--print", "sysroot"]).output().expect("rustc is installed");
    let sysroot = PathBuf::from(String::from_utf8_lossy(&sysroot.stdout).trim());
    let installed = sysroot.join("lib/rustlib/src/rust/library");
    if installed.join("core/src/lib.rs").is_file() {
        return installed;
    }
    let cache = Cache::from_environment(|name| std::env::var_os(name)).expect("there is a home folder");
    cache.rustc_sources(ToolchainPin::current()).join("library")
}

/// A request for kernels at the root of a text.
pub fn request(file: &str, text: &str, kernels: &[&str]) -> UnitRequest {
    let kernel = |name: &&str| KernelRequest { name: (*name).to_owned(), path: (*name).to_owned(), requires: Vec::new() };
    UnitRequest {
        file: file.into(),
        text: text.to_owned(),
        edition: "2024".to_owned(),
        features: Vec::new(),
        item: "unit".to_owned(),
        kernels: kernels.iter().map(kernel).collect(),
        math: MathMode::Precise,
        profile: ReleaseProfile::default(),
    }
}
