//! The source way: builds rustc's own crates from unpacked sources, in a generated workspace in the cache.
//! Cargo keeps what an interrupted build had finished, so the next run goes on from there.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use metal_oxide_artifact::{Cache, RustcCrates, ToolchainPin, sha256};
use serde::{Deserialize, Serialize};

use crate::cargo_build::CargoBuild;
use crate::host::Host;
use crate::progress::Progress;
use crate::toolchain::Toolchain;
use crate::{Error, Result};

/// The crates that the kernel compiler may name. The driver is named apart, because the rustup component calls it differently.
const CRATES: [&str; 36] = [
    "rustc_abi",
    "rustc_arena",
    "rustc_ast",
    "rustc_ast_pretty",
    "rustc_const_eval",
    "rustc_codegen_ssa",
    "rustc_data_structures",
    "rustc_error_messages",
    "rustc_errors",
    "rustc_feature",
    "rustc_hir",
    "rustc_hir_analysis",
    "rustc_hir_pretty",
    "rustc_index",
    "rustc_infer",
    "rustc_interface",
    "rustc_lexer",
    "rustc_lint",
    "rustc_log",
    "rustc_macros",
    "rustc_metadata",
    "rustc_middle",
    "rustc_mir_dataflow",
    "rustc_mir_transform",
    "rustc_monomorphize",
    "rustc_parse",
    "rustc_resolve",
    "rustc_serialize",
    "rustc_session",
    "rustc_span",
    "rustc_symbol_mangling",
    "rustc_target",
    "rustc_trait_selection",
    "rustc_ty_utils",
    "rustc_type_ir",
    "rustc_hashes",
];

/// What a complete build takes on the disk, with room for the kernel compiler.
const SPACE_NEEDED: u64 = 3 << 30;

/// Unpacked sources of the pinned release.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sources {
    /// The folder with `compiler`, `library` and `src`.
    pub folder: PathBuf,
    /// The name that the cache gives to what is built from them.
    pub key: String,
}

/// Says what a complete build was made from. A build is up to date when this equals what would be built now.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Stamp {
    rustc: String,
    host: String,
    sources: PathBuf,
    workspace: String,
}

impl Sources {
    /// The packaged sources in the cache, whether or not they are there yet.
    #[must_use]
    pub fn packaged(cache: &Cache, pin: &ToolchainPin) -> Self {
        Self { folder: cache.rustc_sources(pin), key: pin.source_key() }
    }

    /// Every set of sources that something was built from in this cache, the packaged one first.
    #[must_use]
    pub(crate) fn all(cache: &Cache, pin: &ToolchainPin) -> Vec<Self> {
        let packaged = Self::packaged(cache, pin);
        let folders = fs::read_dir(cache.rustc_crates(&packaged.key).root().parent().expect("it is a folder in a folder"));
        let keys = folders.into_iter().flatten().flatten().map(|entry| entry.file_name().to_string_lossy().into_owned());
        let given = keys.filter(|key| *key != packaged.key).filter_map(|key| {
            let text = fs::read(cache.rustc_crates(&key).stamp()).ok()?;
            Some(Self { folder: serde_json::from_slice::<Stamp>(&text).ok()?.sources, key })
        });
        let given: Vec<Self> = given.collect();
        std::iter::once(packaged).chain(given).collect()
    }

    /// Sources that the user unpacked.
    ///
    /// # Errors
    ///
    /// Fails if the folder holds something else, or another release.
    pub fn given(folder: &Path, pin: &ToolchainPin) -> Result<Self> {
        let folder = folder.canonicalize().map_err(Error::io("find", folder))?;
        for part in ["src/version", "Cargo.lock", "compiler/rustc_driver_impl/Cargo.toml", "library/core/src/lib.rs"] {
            if !folder.join(part).exists() {
                return Err(Error::NotRustcSources { folder, missing: part, release: pin.release.clone() });
            }
        }
        let version = folder.join("src/version");
        let found = fs::read_to_string(&version).map_err(Error::io("read", &version))?.trim().to_owned();
        if found != pin.release {
            return Err(Error::WrongRelease { folder, found, expected: pin.release.clone() });
        }
        let hash = sha256(folder.as_os_str().as_encoded_bytes());
        Ok(Self { key: format!("{}-{}", pin.release, &hash[..12]), folder })
    }

    /// The sources of the standard library.
    #[must_use]
    pub fn library(&self) -> PathBuf {
        self.folder.join("library")
    }

    /// Whether rustc's crates are built from these sources, by this toolchain.
    #[must_use]
    pub fn is_built(&self, cache: &Cache, toolchain: &Toolchain, pin: &ToolchainPin) -> bool {
        let stamp = fs::read(cache.rustc_crates(&self.key).stamp()).ok();
        let stamp = stamp.and_then(|text| serde_json::from_slice::<Stamp>(&text).ok());
        stamp == Some(self.stamp(toolchain, pin)) && self.library().exists()
    }

    /// Builds rustc's crates, or finishes a build that was interrupted.
    ///
    /// # Errors
    ///
    /// Fails with the next step if the linker, disk space or the network is missing.
    pub fn build(&self, host: &Host, cache: &Cache, toolchain: &Toolchain, progress: &Progress) -> Result<RustcCrates> {
        let crates = cache.rustc_crates(&self.key);
        if self.is_built(cache, toolchain, &host.pin) {
            return Ok(crates);
        }
        self.write_workspace(&crates)?;
        check_space(host, crates.root())?;
        let step = progress.step("building rustc's crates");
        let log = crates.root().join("build.log");
        let build =
            CargoBuild { cargo: &|| self.cargo(host, toolchain, &crates), arguments: &["--release"], what: "rustc's crates", log: &log };
        build.run(&step, "once per machine, about 20 minutes of one core's time")?;
        let stamp = serde_json::to_string_pretty(&self.stamp(toolchain, &host.pin)).expect("a stamp is plain data");
        fs::write(crates.stamp(), stamp).map_err(Error::io("write", &crates.stamp()))?;
        step.done();
        Ok(crates)
    }

    fn stamp(&self, toolchain: &Toolchain, pin: &ToolchainPin) -> Stamp {
        let mut text = self.workspace_manifest();
        for (name, value) in environment(toolchain, pin) {
            writeln!(text, "{name}={value}").expect("writing to a string succeeds");
        }
        Stamp { rustc: pin.version_line(), host: toolchain.host.clone(), sources: self.folder.clone(), workspace: sha256(text.as_bytes()) }
    }

    fn cargo(&self, host: &Host, toolchain: &Toolchain, crates: &RustcCrates) -> Command {
        let mut command = toolchain.cargo(host);
        command.current_dir(crates.root()).envs(environment(toolchain, &host.pin));
        command.env("CARGO_TARGET_DIR", crates.root().join("target"));
        command
    }

    fn write_workspace(&self, crates: &RustcCrates) -> Result<()> {
        let root = crates.root();
        for folder in [root.join("src"), root.join("rustc_driver/src")] {
            fs::create_dir_all(&folder).map_err(Error::io("create", &folder))?;
        }
        write_if_changed(&root.join("Cargo.toml"), &self.workspace_manifest())?;
        write_if_changed(&root.join("src/lib.rs"), "//! Pulls in the crates of rustc that the kernel compiler links.\n")?;
        write_if_changed(&root.join("rustc_driver/Cargo.toml"), &self.driver_manifest())?;
        let driver =
            "//! Gives the static build of the compiler driver the name that the rustup component has.\npub use rustc_driver_impl::*;\n";
        write_if_changed(&root.join("rustc_driver/src/lib.rs"), driver)?;
        // Cargo takes out of its copy what this workspace does not use, so an existing copy is left alone.
        let lock = root.join("Cargo.lock");
        if !lock.exists() {
            let original = self.folder.join("Cargo.lock");
            fs::copy(&original, &lock).map_err(Error::io("copy", &original))?;
        }
        Ok(())
    }

    fn workspace_manifest(&self) -> String {
        let mut text = String::from(
            "[workspace]\nmembers = [\"rustc_driver\"]\nresolver = \"2\"\n\n\
             [package]\nname = \"metal-oxide-rustc\"\nversion = \"0.0.0\"\nedition = \"2024\"\npublish = false\n\n\
             [dependencies]\nrustc_driver = { path = \"rustc_driver\" }\n",
        );
        for name in CRATES {
            writeln!(text, "{name} = {}", self.dependency(name)).expect("writing to a string succeeds");
        }
        // Optimisation beyond the first level makes the build much longer and the kernel compiler hardly faster.
        text.push_str("\n[profile.release]\nopt-level = 1\ndebug = 0\ncodegen-units = 16\nincremental = false\nstrip = \"none\"\n");
        text
    }

    fn driver_manifest(&self) -> String {
        format!(
            "[package]\nname = \"rustc_driver\"\nversion = \"0.0.0\"\nedition = \"2024\"\npublish = false\n\n\
             [dependencies]\nrustc_driver_impl = {}\n",
            self.dependency("rustc_driver_impl")
        )
    }

    fn dependency(&self, name: &str) -> String {
        // Quoting as Rust does is right for TOML's basic strings too, for every path that does not hold control characters.
        format!("{{ path = {:?} }}", self.folder.join("compiler").join(name))
    }
}

/// What rustc's own build system would tell its crates.
fn environment(toolchain: &Toolchain, pin: &ToolchainPin) -> [(&'static str, String); 13] {
    let short = pin.short_commit();
    [
        ("RUSTC_BOOTSTRAP", "1".into()),
        // Metadata of the installed standard library is refused unless this equals what `rustc -V` prints.
        ("CFG_VERSION", pin.version_line()),
        ("CFG_RELEASE", pin.release.clone()),
        ("CFG_RELEASE_CHANNEL", "stable".into()),
        ("CFG_VER_DATE", pin.date.clone()),
        ("CFG_VER_HASH", pin.commit.clone()),
        ("CFG_SHORT_COMMIT_HASH", short.into()),
        ("CFG_COMPILER_HOST_TRIPLE", toolchain.host.clone()),
        ("CFG_DEFAULT_LINKER", "cc".into()),
        ("CFG_LIBDIR_RELATIVE", "lib".into()),
        ("RUSTC_INSTALL_BINDIR", "bin".into()),
        ("CFG_VIRTUAL_RUST_SOURCE_BASE_DIR", format!("/rustc/{short}")),
        ("RUSTC_STAGE", "2".into()),
    ]
}

/// Cargo compares modification times, so a file that already says the right thing stays untouched.
fn write_if_changed(path: &Path, text: &str) -> Result<()> {
    if fs::read_to_string(path).is_ok_and(|existing| existing == text) {
        return Ok(());
    }
    fs::write(path, text).map_err(Error::io("write", path))
}

/// Better to stop now than after ten minutes.
fn check_space(host: &Host, folder: &Path) -> Result<()> {
    let free = (host.free_space)(folder).map_err(Error::io("measure the free space of", folder))?;
    if free < SPACE_NEEDED {
        let detail = format!("{} MB are free, the build takes up to {} MB", free >> 20, SPACE_NEEDED >> 20);
        return Err(Error::DiskFull { folder: folder.to_path_buf(), detail });
    }
    Ok(())
}
