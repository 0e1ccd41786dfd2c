//! What the macro's process tells of the build around it: Cargo's variables, rustc's own arguments and this project's settings.
//! A macro runs inside rustc, so the arguments of the process are rustc's.

use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use metal_oxide_artifact::{COMPILER_IDENTITY, Cache};

/// Cargo's variables that change the settings of the release profile which kernels follow.
pub const PROFILE_VARIABLES: [&str; 2] = ["CARGO_PROFILE_RELEASE_OVERFLOW_CHECKS", "CARGO_PROFILE_RELEASE_DEBUG_ASSERTIONS"];

/// The variables that change what an expansion yields, apart from those that say where the user's folders are.
pub const TRACKED_VARIABLES: [&str; 4] = ["METAL_OXIDE_ARTIFACTS", "METAL_OXIDE_COMPILER", PROFILE_VARIABLES[0], PROFILE_VARIABLES[1]];

/// How saved artifacts are used: `METAL_OXIDE_ARTIFACTS`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ArtifactMode {
    /// Use a fresh saved artifact, else compile.
    Auto,
    /// Use saved artifacts only.
    Locked,
    /// Compile always.
    Rebuild,
}

/// The build that an expansion belongs to.
pub struct Build {
    /// The folder of the package's `Cargo.toml`.
    pub package: PathBuf,
    /// The folder in which rustc runs: the workspace's for its members, the package's for others.
    pub working_folder: PathBuf,
    /// Cargo itself, if it runs this build.
    pub cargo: Option<PathBuf>,
    /// The package was named on Cargo's command line, as opposed to being a dependency of such a package.
    pub primary: bool,
    /// Where rustc writes, if it says so.
    pub output_folder: Option<PathBuf>,
    /// The edition of the package, such as `2024`.
    pub edition: String,
    /// The features of the package that are on.
    pub features: Vec<String>,
    /// How saved artifacts are used.
    pub mode: ArtifactMode,
    /// The kernel compiler and its library, installed or not; `None` if not even the folder is known.
    pub compiler: Option<Compiler>,
}

/// Where the kernel compiler is.
pub struct Compiler {
    /// The program.
    pub program: PathBuf,
    /// The device sysroot.
    pub library: PathBuf,
    /// It is not the one that `cargo metal setup` installs: METAL_OXIDE_COMPILER names it.
    pub named: bool,
}

impl Build {
    /// Reads the environment of this process. The error is a message for the user.
    pub fn current() -> Result<Self, String> {
        let arguments = RustcArguments::of(env::args_os());
        let path = |name: &str| env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
        let working_folder = env::current_dir().map_err(|error| format!("the folder in which rustc runs is unknown: {error}"))?;
        Ok(Self {
            // rustc started by hand: the package is where it runs.
            package: path("CARGO_MANIFEST_DIR").unwrap_or_else(|| working_folder.clone()),
            cargo: path("CARGO"),
            primary: env::var_os("CARGO_PRIMARY_PACKAGE").is_some(),
            output_folder: arguments.output_folder.map(|folder| working_folder.join(folder)),
            features: arguments.features,
            edition: arguments.edition.unwrap_or_else(|| "2015".to_owned()),
            mode: ArtifactMode::parse(env::var_os("METAL_OXIDE_ARTIFACTS"))?,
            compiler: compiler(path("METAL_OXIDE_COMPILER")),
            working_folder,
        })
    }

    /// Whether artifacts of this file's kernels are to be saved in the package.
    pub fn may_save(&self, file: &Path) -> bool {
        // Unpacked by Cargo from a registry or a repository, or vendored: the package is not the user's to change.
        let foreign = [".cargo-ok", ".cargo-checksum.json"].iter().any(|marker| self.package.join(marker).exists());
        // Tests in documentation are compiled from files that are gone afterwards.
        let passing = !file.starts_with(&self.package) && file.starts_with(env::temp_dir());
        !foreign && !passing
    }
}

/// Whether this process expands macros for an editor. Such an expansion must be quick, start nothing and complain about nothing.
pub fn is_editor() -> bool {
    // The variable that rust-analyzer sets for its macro server and that the server insists on.
    if env::var_os("RUST_ANALYZER_INTERNALS_DO_NOT_USE").is_some() {
        return true;
    }
    let program = env::current_exe().ok();
    let name = program.as_deref().and_then(Path::file_name).map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    name.contains("rust-analyzer") || name.contains("intellij-rust")
}

/// The rustc of this build. Clippy's driver stands beside it.
pub fn rustc() -> PathBuf {
    let beside = env::current_exe().ok().map(|program| program.with_file_name(format!("rustc{}", env::consts::EXE_SUFFIX)));
    beside.filter(|rustc| rustc.is_file()).unwrap_or_else(|| "rustc".into())
}

impl ArtifactMode {
    fn parse(value: Option<OsString>) -> Result<Self, String> {
        match value.as_ref().map(|value| value.to_string_lossy()).as_deref() {
            None | Some("" | "auto") => Ok(Self::Auto),
            Some("locked") => Ok(Self::Locked),
            Some("rebuild") => Ok(Self::Rebuild),
            Some(other) => Err(format!("METAL_OXIDE_ARTIFACTS is `{other}`, but it can be `auto`, `locked` or `rebuild`")),
        }
    }
}

fn compiler(named: Option<PathBuf>) -> Option<Compiler> {
    if let Some(program) = named {
        let root = program.parent().and_then(Path::parent).unwrap_or(Path::new("."));
        return Some(Compiler { library: root.join("lib"), program, named: true });
    }
    let installed = Cache::from_environment(|name| env::var_os(name))?.compiler(COMPILER_IDENTITY);
    Some(Compiler { program: installed.program(), library: installed.library(), named: false })
}

/// What the command line of rustc says.
#[derive(Debug, Default, PartialEq)]
struct RustcArguments {
    edition: Option<String>,
    features: Vec<String>,
    output_folder: Option<PathBuf>,
}

impl RustcArguments {
    fn of(arguments: impl Iterator<Item = OsString>) -> Self {
        let mut found = Self::default();
        let mut arguments = arguments.flat_map(|argument| match argument.to_string_lossy().strip_prefix('@') {
            // Command lines that are too long for the system come in a file, one argument a line.
            Some(file) => std::fs::read_to_string(file).unwrap_or_default().lines().map(OsString::from).collect(),
            None => vec![argument],
        });
        while let Some(argument) = arguments.next() {
            let argument = argument.to_string_lossy();
            let (name, value) = match argument.split_once('=') {
                Some((name, value)) => (name, Some(value.to_owned())),
                None => (&*argument, None),
            };
            if !["--edition", "--out-dir", "--cfg"].contains(&name) {
                continue;
            }
            let Some(value) = value.or_else(|| arguments.next().map(|value| value.to_string_lossy().into_owned())) else { break };
            match name {
                "--edition" => found.edition = Some(value),
                "--out-dir" => found.output_folder = Some(PathBuf::from(value)),
                _ => found.features.extend(value.strip_prefix("feature=").map(|feature| feature.trim_matches('"').to_owned())),
            }
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn arguments(line: &str) -> RustcArguments {
        RustcArguments::of(line.split(' ').map(OsString::from))
    }

    #[test]
    fn arguments_of_rustc() {
        let expected =
            RustcArguments { edition: Some("2024".into()), features: vec!["a-b".into()], output_folder: Some("/target/debug/deps".into()) };
        assert_eq!(
            arguments(
                "rustc --crate-name k --edition=2024 --cfg unix --cfg feature=\"a-b\" src/lib.rs --out-dir /target/debug/deps -L x=y"
            ),
            expected
        );
        assert_eq!(arguments("clippy-driver rustc --edition 2024 --cfg=feature=\"a-b\" --out-dir=/target/debug/deps"), expected);
        assert_eq!(arguments("rustc src/lib.rs"), RustcArguments::default());
    }

    #[test]
    fn arguments_in_a_file() {
        let file = env::temp_dir().join(format!("metal-oxide-arguments-{}", std::process::id()));
        std::fs::write(&file, "--crate-name\nk\n--edition=2021\n").expect("writes");
        assert_eq!(arguments(&format!("rustc @{}", file.display())).edition.as_deref(), Some("2021"));
        std::fs::remove_file(file).expect("removes");
    }

    #[test]
    fn modes_of_saved_artifacts() {
        let parse = |value: &str| ArtifactMode::parse(Some(value.into()));
        assert_eq!(ArtifactMode::parse(None), Ok(ArtifactMode::Auto));
        assert_eq!(parse("locked"), Ok(ArtifactMode::Locked));
        assert_eq!(parse("rebuild"), Ok(ArtifactMode::Rebuild));
        assert_eq!(parse("never"), Err("METAL_OXIDE_ARTIFACTS is `never`, but it can be `auto`, `locked` or `rebuild`".into()));
    }

    #[test]
    fn a_named_compiler_has_its_library_beside_it() {
        let compiler = compiler(Some("/opt/compiler/bin/metal-oxide-compiler".into())).expect("is named");
        assert_eq!(compiler.library, Path::new("/opt/compiler/lib"));
    }
}
