//! Scratch packages for the tests of the macros: real builds by Cargo, with a stand-in for the kernel compiler.
//! All packages share one target folder, so that the dependencies are built once.

// Each test program uses a part of this.
#![allow(dead_code)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

use metal_oxide_artifact::{COMPILER_IDENTITY, UnitRequest};

/// A package in a folder of its own.
pub struct Package {
    folder: PathBuf,
    name: String,
    variables: Vec<(String, String)>,
}

/// A kernel and what it needs, for tests in which it does not matter what the kernel does.
pub const KERNEL: &str = "\
use metal_oxide::device::DisjointBuffer;

#[metal_oxide::kernel]
pub fn zero(mut out: DisjointBuffer<f32>) {
    let _ = &mut out;
}

fn main() {}
";

impl Package {
    /// A package with this `src/main.rs`.
    pub fn new(main: &str) -> Self {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let name = format!("scratch-{}-{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
        let package = Self { folder: Path::new(env!("CARGO_TARGET_TMPDIR")).join(&name), name, variables: Vec::new() };
        package.write("src/main.rs", main);
        package.manifest("");
        fs::copy(repository().join("Cargo.lock"), package.path("Cargo.lock")).expect("the workspace has a lock file");
        fs::create_dir_all(package.path("fake")).expect("creates");
        package
    }

    /// Adds to the package's `Cargo.toml`.
    pub fn manifest(&self, more: &str) {
        let runtime = repository().join("crates/metal-oxide");
        let name = &self.name;
        self.write(
            "Cargo.toml",
            &format!(
                "[package]\nname = {name:?}\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[workspace]\n\n[dependencies]\n\
                 metal-oxide = {{ path = {runtime:?} }}\n\n{more}\n"
            ),
        );
    }

    /// A file of the package.
    pub fn path(&self, path: &str) -> PathBuf {
        self.folder.join(path)
    }

    /// Writes a file of the package.
    pub fn write(&self, path: &str, text: &str) {
        let path = self.path(path);
        fs::create_dir_all(path.parent().expect("has a parent")).expect("creates");
        fs::write(path, text).expect("writes");
    }

    /// Reads a file of the package.
    pub fn read(&self, path: &str) -> String {
        fs::read_to_string(self.path(path)).unwrap_or_else(|error| panic!("cannot read {path}: {error}"))
    }

    /// Changes `src/main.rs`.
    pub fn edit(&self, from: &str, to: &str) {
        let main = self.read("src/main.rs");
        assert!(main.contains(from), "`{from}` is not in the file");
        self.write("src/main.rs", &main.replace(from, to));
    }

    /// Sets an environment variable for all builds to come.
    pub fn set(&mut self, name: &str, value: &str) {
        self.variables.retain(|(known, _)| known != name);
        self.variables.push((name.into(), value.into()));
    }

    /// Takes the compiler away.
    pub fn uninstall(&mut self) {
        self.set("METAL_OXIDE_COMPILER", "");
        self.set("METAL_OXIDE_CACHE", "/nonexistent");
    }

    /// What the compiler is to do from now on.
    pub fn answer(&self, answer: &str) {
        self.write("fake/answer", answer);
    }

    /// How often the compiler was started.
    pub fn starts(&self) -> usize {
        fs::read_to_string(self.path("fake/starts")).unwrap_or_default().lines().count()
    }

    /// The last request to the compiler.
    pub fn request(&self) -> UnitRequest {
        serde_json::from_str(&self.read("fake/request.json")).expect("the request is well-formed")
    }

    /// A build that must succeed.
    #[track_caller]
    pub fn accepted(&self) {
        let output = self.check();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }

    /// A build that must fail: what the user sees, without Cargo's closing words.
    #[track_caller]
    pub fn rejected(&self) -> String {
        let output = self.check();
        let text = String::from_utf8(output.stderr).expect("messages are UTF-8");
        assert!(!output.status.success(), "the build succeeded: {text}");
        let end = text.find("error: could not compile").unwrap_or(text.len());
        text[..end].replace(COMPILER_IDENTITY, "<identity>").trim_end().to_owned()
    }

    /// Builds the program and runs it; both must succeed.
    #[track_caller]
    pub fn runs(&self) {
        let output = self.cargo("run");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }

    fn check(&self) -> Output {
        self.cargo("check")
    }

    fn cargo(&self, what: &str) -> Output {
        let mut command = Command::new(env!("CARGO"));
        command.args([what, "--quiet", "--offline"]).current_dir(&self.folder);
        command.env("CARGO_TARGET_DIR", target()).env("CARGO_TERM_COLOR", "never");
        self.prepare(&mut command);
        command.output().expect("Cargo starts")
    }

    /// Sets the variables of the compiler and of the test for a command.
    pub fn prepare(&self, command: &mut Command) {
        // Variables of the test's own build must not reach the package's.
        for name in
            ["RUSTFLAGS", "RUSTDOCFLAGS", "CARGO_ENCODED_RUSTFLAGS", "METAL_OXIDE_ARTIFACTS", "RUSTC_WRAPPER", "RUSTC_WORKSPACE_WRAPPER"]
        {
            command.env_remove(name);
        }
        command.env("METAL_OXIDE_COMPILER", fake_compiler()).env("FAKE_COMPILER", self.path("fake"));
        command.envs(self.variables.iter().map(|(name, value)| (name, value)));
    }
}

impl Drop for Package {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.folder);
    }
}

/// The target folder of all scratch packages.
pub fn target() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("scratch-target")
}

/// The newest of the scratch packages' dependencies whose file name starts and ends like this.
pub fn newest(prefix: &str, extensions: &[&str]) -> PathBuf {
    fs::read_dir(target().join("debug/deps"))
        .expect("a package was built")
        .map(|entry| entry.expect("reads").path())
        .filter(|path| path.extension().is_some_and(|extension| extensions.iter().any(|name| extension == *name)))
        .filter(|path| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(prefix)))
        .max_by_key(|path| fs::metadata(path).and_then(|metadata| metadata.modified()).ok())
        .unwrap_or_else(|| panic!("no package depends on {prefix}"))
}

/// The project's folder.
fn repository() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).expect("this crate stands in the folder of crates")
}

/// The example `fake-compiler`, built as the test was.
fn fake_compiler() -> &'static Path {
    static COMPILER: OnceLock<PathBuf> = OnceLock::new();
    COMPILER.get_or_init(|| {
        let test = std::env::current_exe().expect("the test is a file");
        let profile_folder = test.ancestors().nth(2).expect("tests stand in `deps`");
        let profile = profile_folder.file_name().expect("is named after the profile").to_string_lossy();
        let status = Command::new(env!("CARGO"))
            .args(["build", "--quiet", "--offline", "--package", "metal-oxide-macros", "--example", "fake-compiler", "--profile"])
            .arg(if profile == "debug" { "dev" } else { &*profile })
            .arg("--target-dir")
            .arg(profile_folder.parent().expect("stands in the target folder"))
            .current_dir(repository())
            .status();
        assert!(status.expect("Cargo starts").success(), "the stand-in for the compiler does not build");
        profile_folder.join("examples").join(format!("fake-compiler{}", std::env::consts::EXE_SUFFIX))
    })
}
