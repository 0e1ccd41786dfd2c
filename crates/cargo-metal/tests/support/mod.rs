//! A machine that exists only in a temporary folder: its programs are small scripts that note how they were called.
//! Nothing is downloaded or built, so what setup does in each situation can be watched in milliseconds.
#![allow(dead_code, reason = "each test file uses its own part of this")]

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use cargo_metal::{Error, Host, Progress, Setup, SetupOptions, setup};
use metal_oxide_artifact::{COMPILER_IDENTITY, Cache, ToolchainPin, sha256};
use tempfile::TempDir;

/// What the fake mirror serves as the package.
const PACKAGE: &str = "the sources of rustc\n";

pub struct Machine {
    folder: TempDir,
    pub host: Host,
}

impl Machine {
    /// A Debian machine with the pinned Rust, a linker and a mirror, but without rustup.
    pub fn new() -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let root = folder.path().to_path_buf();
        for part in ["bin", "apt/sources.list.d", "crates/metal-oxide-compiler", "crates/metal-oxide-device", "toolchain/bin"] {
            fs::create_dir_all(root.join(part)).expect("a folder");
        }
        fs::write(root.join("keyring.gpg"), "").expect("a file");
        let mut pin = ToolchainPin::current().clone();
        pin.package.sha256 = sha256(PACKAGE.as_bytes());
        let mut host = Host::current();
        host.variables = [("PATH", root.join("bin")), ("METAL_OXIDE_CACHE", root.join("cache"))]
            .into_iter()
            .map(|(name, value)| (name.into(), value.into()))
            .collect();
        host.apt_folder = root.join("apt");
        host.keyring = root.join("keyring.gpg");
        host.macos = false;
        host.checkout = Some(root.join("crates"));
        host.pin = pin;
        host.free_space = |_| Ok(1 << 40);
        let machine = Self { folder, host };
        machine.note("identity", COMPILER_IDENTITY);
        machine.configure_mirror("http://mirror.test/debian");
        machine.install_programs();
        machine
    }

    fn install_programs(&self) {
        let (pin, root) = (&self.host.pin, self.root().display().to_string());
        self.program(
            "rustc",
            &format!(
                "case \"$*\" in *-vV*|*-V*) echo 'rustc {}'; echo 'host: fake-unknown-linux'; echo 'release: {}';; *sysroot*) echo {root}/toolchain;; esac",
                pin.version_line(),
                pin.release
            ),
        );
        self.program("cc", "");
        self.program("cargo", &fs::read_to_string(support("cargo.sh")).expect("a script"));
        let package = format!("{}_{}_all.deb", pin.package.name, pin.package.version);
        self.program("apt-get", &format!("case \"$*\" in *download*) printf '{}' > '{package}';; esac", PACKAGE.replace('\n', "\\n")));
        let sources = format!("$3/usr/src/rustc-{}", pin.release);
        self.program("dpkg-deb", &unpacking(&sources, &pin.release));
    }

    /// Adds rustup, which knows the pinned release and adds components to it.
    pub fn with_working_rustup(self) -> Self {
        let libraries = self.root().join("toolchain/lib/rustlib");
        let (target, library) = (libraries.join("fake-unknown-linux/lib"), libraries.join("src/rust/library/core/src"));
        let which = format!("case $1 in which) echo {}/bin/rustc; exit;; esac", self.root().display());
        let add = format!("mkdir -p {0} {1}; touch {0}/librustc_middle-1.rmeta {1}/lib.rs", target.display(), library.display());
        self.program("rustup", &format!("{which}\n{add}"));
        self
    }

    /// Adds rustup, which cannot download anything.
    pub fn with_broken_rustup(self) -> Self {
        self.program("rustup", "echo 'error: could not download file' >&2; exit 1");
        self
    }

    /// Puts a script on the search path. It notes its call first.
    pub fn program(&self, name: &str, body: &str) {
        let root = self.root().display();
        let path = self.root().join("bin").join(name);
        let text = format!("#!/bin/sh\nPATH=/usr/bin:/bin\nFAKE={root}\necho \"{name} $*\" >> $FAKE/calls\n{body}\n");
        // Written by another process: a file that this one had open for writing could not be started for a moment.
        let mut writer =
            Command::new("sh").args(["-c", "cat > $0 && chmod +x $0"]).arg(&path).stdin(Stdio::piped()).spawn().expect("a shell");
        writer.stdin.take().expect("a pipe").write_all(text.as_bytes()).expect("a script");
        assert!(writer.wait().expect("it ends").success());
    }

    pub fn remove_program(&self, name: &str) {
        fs::remove_file(self.root().join("bin").join(name)).expect("it was there");
    }

    pub fn configure_mirror(&self, address: &str) {
        let text = format!("Types: deb\nURIs: {address}\nSuites: stable\nComponents: main\n");
        fs::write(self.root().join("apt/sources.list.d/debian.sources"), text).expect("a file");
    }

    /// Leaves a note for the fake Cargo: `cargo.fails` makes it fail with this text.
    pub fn note(&self, name: &str, text: &str) {
        fs::write(self.root().join(name), text).expect("a file");
    }

    pub fn forget_note(&self, name: &str) {
        fs::remove_file(self.root().join(name)).expect("it was there");
    }

    pub fn root(&self) -> &Path {
        self.folder.path()
    }

    pub fn cache(&self) -> Cache {
        self.host.cache().expect("it is set")
    }

    pub fn setup(&self) -> Result<Setup, Error> {
        self.setup_with(SetupOptions::default())
    }

    pub fn setup_with(&self, options: SetupOptions<'_>) -> Result<Setup, Error> {
        setup(&self.host, options, &Progress::silent())
    }

    /// What setup fails with.
    pub fn setup_error(&self) -> Error {
        self.setup().expect_err("setup cannot succeed here")
    }

    /// The calls so far, and forgets them.
    pub fn take_calls(&self) -> Vec<String> {
        let path = self.root().join("calls");
        let text = fs::read_to_string(&path).unwrap_or_default();
        let _ = fs::remove_file(path);
        text.lines().map(str::to_owned).collect()
    }

    /// Unpacked sources of a release.
    pub fn unpacked_sources(&self, release: &str) -> PathBuf {
        let folder = self.root().join(format!("given-{release}"));
        let script = unpacking(&folder.display().to_string(), release);
        assert!(Command::new("sh").args(["-c", &script]).status().expect("a shell").success());
        folder
    }

    /// The real program, on this machine.
    pub fn cargo_metal(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_cargo-metal"));
        command.env_clear().envs(&self.host.variables).args(arguments).current_dir(self.root());
        command
    }
}

/// What `cargo metadata` prints for a project with these packages: name, version, folder.
pub fn metadata(packages: &[(&str, &str, &str)]) -> String {
    let package = |(name, version, folder): &(&str, &str, &str)| {
        format!(
            r#"{{"name":"{name}","version":"{version}","id":"path+file://{folder}#{name}@{version}","license":null,"license_file":null,
            "description":null,"source":null,"dependencies":[],"targets":[],"features":{{}},"manifest_path":"{folder}/Cargo.toml"}}"#
        )
    };
    let packages: Vec<String> = packages.iter().map(package).collect();
    format!(
        r#"{{"packages":[{}],"workspace_members":[],"resolve":null,"target_directory":"/t","version":1,"workspace_root":"/w"}}"#,
        packages.join(",")
    )
}

/// How often a program was called with these words.
pub fn count(calls: &[String], words: &str) -> usize {
    calls.iter().filter(|call| call.contains(words)).count()
}

/// A script that lays out sources in a folder.
fn unpacking(folder: &str, release: &str) -> String {
    format!(
        "mkdir -p {folder}/src {folder}/compiler/rustc_driver_impl {folder}/library/core/src
         echo {release} > {folder}/src/version
         touch {folder}/Cargo.lock {folder}/compiler/rustc_driver_impl/Cargo.toml {folder}/library/core/src/lib.rs"
    )
}

fn support(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/support").join(name)
}
